import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Editor } from "../document/editor";
import { findTrack, type Key, type KeyValue, type Track, trackName } from "../document/motion/animation";
import { shiftOf } from "../document/motion/drags";
import {
  durationCall,
  frameTime,
  isSameTime,
  keyAt,
  removeKeyCall,
  tracksCall,
  withKey,
  withKeyChanged,
  withKeyMoved,
} from "../document/motion/keys";
import { valueAt } from "../document/motion/value-at";
import { selectedMembers } from "../document/subject";
import { boxAround, middleOf } from "../document/transform/arrange";
import { add, type Triple } from "../document/vector";
import type { EditCall } from "../protocol";
import type { Playback } from "../view/playback";
import type { ViewState } from "../view/state";
import type { ViewportController } from "../view/viewport-controller";

/** A key by its track's name and its time. */
export interface KeyPlace {
  track: string;
  time: number;
}

/** What of a thing keys can be made of by a button; any other property is animated by talking. */
export const KEYED_PROPERTIES = ["position", "rotation", "scale", "visible"] as const;
export type KeyedProperty = (typeof KEYED_PROPERTIES)[number];

/** What a property is like while nothing animates it. */
const AT_REST: Record<Exclude<KeyedProperty, "position">, KeyValue> = {
  rotation: [0, 0, 0],
  scale: 1,
  visible: true,
};

/** The keys of the animation, made by hand. Each change is one undo step. */
export class Keyframes {
  readonly selected: Signal<KeyPlace | null> = signal(null);

  constructor(
    private readonly editor: Editor,
    private readonly playback: Playback,
    private readonly view: ViewState,
    private readonly viewport: ViewportController,
  ) {}

  get editable(): ReadonlySignal<boolean> {
    return this.editor.editable;
  }

  /** The key that is selected, as long as it is there. */
  find(place: KeyPlace | null): { track: Track; key: Key } | null {
    const track = place === null ? undefined : findTrack(this.playback.animation.value, place.track);
    const key = track === undefined || place === null ? undefined : keyAt(track, place.time);
    return track === undefined || key === undefined ? null : { track, key };
  }

  /** Selects a key, and shows the scene at its time. */
  select(place: KeyPlace): void {
    this.selected.value = place;
    this.playback.hold(place.time);
  }

  /** Keeps how what is selected stands at the present time. */
  addForSelection(property: KeyedProperty): void {
    const time = this.#now();
    const tracks = this.editor.arrangedIds().flatMap((target) => {
      const known = this.#track(target, property);
      const value = (known && valueAt(known, time)) ?? this.#atRest(target, property);
      return value === null ? [] : [withKey(known ?? { target, property, keys: [] }, { time, value })];
    });
    this.#put(tracks, time);
  }

  /** Keeps from where the view looks at the present time, and to where. */
  addForCamera(): void {
    const time = this.#now();
    const { center, look_at } = this.viewport.currentCamera();
    const tracks = [
      { property: "center", value: center as KeyValue },
      { property: "look_at", value: look_at as KeyValue },
    ].map(({ property, value }) =>
      withKey(this.#track("camera", property) ?? { target: "camera", property, keys: [] }, { time, value }),
    );
    // At rest the scene's own camera is shown: it stands where the first key is.
    const first = time === 0 ? this.viewport.sceneCameraCalls() : [];
    if (this.#put(tracks, time, first)) this.view.setPrivateCamera(null);
  }

  /** The camera goes around what is selected, or around what the view looks at. */
  turntable(): void {
    const [first, ...others] = this.editor.arrangedIds();
    const isOne = first !== undefined && others.length === 0;
    const middle = isOne ? null : this.#middleOf(this.editor.arrangedIds());
    const turntable = isOne ? { around: first } : true;
    const calls = [
      ...this.viewport.sceneCameraCalls(),
      ...(middle === null
        ? []
        : [{ name: "set_camera", args: { center: this.viewport.currentCamera().center, look_at: middle } }]),
      { name: "set_animation", args: { turntable } },
    ];
    if (!this.editor.edit(calls)) return;
    this.view.setPrivateCamera(null);
    this.playback.seek(0);
    this.playback.play();
  }

  /** Moves a key in time, to the nearest frame; null where there is no room for it. */
  moved({ track: name, time }: KeyPlace, to: number): { track: Track; time: number } | null {
    const { animation, duration } = this.playback;
    const track = findTrack(animation.value, name);
    const target = frameTime(animation.value, to, duration.value);
    const moved = track === undefined ? null : withKeyMoved(track, time, target);
    return moved === null ? null : { track: moved, time: target };
  }

  move(place: KeyPlace, to: number): void {
    const moved = this.moved(place, to);
    if (moved === null || !this.editor.edit([tracksCall([moved.track])])) return;
    this.select({ track: place.track, time: moved.time });
  }

  /** Gives a key another value or easing. */
  change(place: KeyPlace, changes: Partial<Key>): void {
    const found = this.find(place);
    if (found !== null) this.editor.edit([tracksCall([withKeyChanged(found.track, place.time, changes)])]);
  }

  remove(place: KeyPlace): void {
    const found = this.find(place);
    if (found === null || !this.editor.edit([removeKeyCall(found.track, found.key.time)])) return;
    this.selected.value = null;
  }

  removeTrack(track: Track): void {
    this.editor.edit([{ name: "set_animation", args: { remove: [trackName(track)] } }]);
  }

  setDuration(seconds: number, stretch: boolean): void {
    const animation = this.playback.animation.value;
    if (animation !== null && !isSameTime(seconds, animation.duration))
      this.editor.edit([durationCall(animation, seconds, stretch)]);
  }

  setLoops(loops: boolean): void {
    this.editor.edit([{ name: "set_animation", args: { loops } }]);
  }

  /** Whether a drag by the handles makes keys: then it moves things at the present time only. */
  get keysDrags(): boolean {
    return this.playback.heldTime.value !== null;
  }

  /** Makes keys of a drag: what was still until now stays where it was at the beginning. */
  keepDrag(calls: readonly EditCall[]): void {
    const scene = this.playback.scene.peek();
    const shift = shiftOf(this.playback.posed.peek(), calls);
    const time = this.#now();
    if (shift === null || scene.animation === null) return;
    const tracks = this.editor.arrangedIds().flatMap((target) => {
      const property = "position";
      const known = this.#track(target, property);
      const before = (known && valueAt(known, time)) ?? this.#middle(target);
      if (before === null || before === undefined) return [];
      const still = { target, property, keys: [{ time: 0, value: before }] };
      return [withKey(known ?? still, { time, value: add(before as Triple, shift) })];
    });
    // Shown until the server has the key.
    this.playback.preview.value = calls;
    if (!this.#put(tracks, time)) this.playback.preview.value = [];
  }

  #put(tracks: readonly Track[], time: number, before: readonly EditCall[] = []): boolean {
    const [first] = tracks;
    if (first === undefined) return false;
    const isNew = this.playback.animation.value === null;
    const call = tracksCall(tracks, isNew ? this.playback.duration.value : undefined);
    if (!this.editor.edit([...before, call])) return false;
    this.selected.value = { track: trackName(first), time };
    return true;
  }

  #now(): number {
    const { duration, time } = this.playback;
    this.playback.pause();
    return Math.min(time.value, duration.value);
  }

  #track(target: string, property: string): Track | undefined {
    return findTrack(this.playback.animation.value, trackName({ target, property }));
  }

  #atRest(target: string, property: KeyedProperty): KeyValue | null {
    return property === "position" ? this.#middle(target) : AT_REST[property];
  }

  /** The middle of the box around a thing as it stands at the present time. */
  #middle(target: string): Triple | null {
    return this.#middleOf([target]);
  }

  #middleOf(targets: readonly string[]): Triple | null {
    const members = selectedMembers(this.playback.posed.peek(), targets);
    const box = boxAround(members, (ids) => this.view.rasterView.value?.boxOf(ids) ?? null);
    return box === null ? null : middleOf(box);
  }
}
