import { computed, effect, type ReadonlySignal, type Signal, signal, untracked } from "@preact/signals";
import { applyCalls } from "../document/edits";
import { type Animation, DEFAULT_SECONDS } from "../document/motion/animation";
import { frameTime, isSameTime } from "../document/motion/keys";
import { type Moments, sceneAt } from "../document/motion/moments";
import type { SceneDocument } from "../document/scene";
import type { EditCall } from "../protocol";

/** What playing needs of the page around it. */
interface PlaybackHost {
  /** The scene in which nothing moves, with what is on its way. */
  scene: ReadonlySignal<SceneDocument>;
  /** The revision of the scene at the server; null while nothing is animated there. */
  revision: ReadonlySignal<number | null>;
  /** How things stand over the animation, as the server has it now. */
  load(): Promise<Moments | null>;
  /** Calls back before the next frame is drawn, with the time in milliseconds. */
  nextFrame(callback: (nowMs: number) => void): void;
}

/** A longer time between two frames is not made up for. */
const MAX_STEP_SECONDS = 0.25;

/** The animation as this page plays it. At rest, at time 0, the scene is shown as it is. */
export class Playback {
  /** Seconds from the beginning. */
  readonly time: Signal<number> = signal(0);
  readonly playing: Signal<boolean> = signal(false);
  /** Whether the tracks are shown. */
  readonly tracksShown: Signal<boolean> = signal(false);
  /** What a drag by the handles leads to at the present time. */
  readonly preview: Signal<readonly EditCall[]> = signal([]);
  readonly animation: ReadonlySignal<Animation | null>;
  readonly duration: ReadonlySignal<number>;
  /** Whether the scene is shown at a time of its animation. */
  readonly active: ReadonlySignal<boolean>;
  /** The time of which a picture may be traced; null at rest, and while it runs. */
  readonly heldTime: ReadonlySignal<number | null>;
  /** The scene at the present time. */
  readonly posed: ReadonlySignal<SceneDocument>;
  /** The same with what is being dragged: as it is shown. */
  readonly scene: ReadonlySignal<SceneDocument>;
  readonly #moments: Signal<Moments | null> = signal(null);
  #loading = false;
  /** Counts the sessions that were entered. */
  #visit = 0;
  /** Counts how often it was played: of each time only one frame is waited for. */
  #run = 0;
  #lastMs: number | null = null;

  constructor(private readonly host: PlaybackHost) {
    this.animation = computed(() => host.scene.value.animation);
    this.duration = computed(() => this.animation.value?.duration ?? DEFAULT_SECONDS);
    this.active = computed(
      () => this.animation.value !== null && (this.playing.value || this.time.value > 0),
    );
    this.heldTime = computed(() => (this.active.value && !this.playing.value ? this.time.value : null));
    this.posed = computed(() => {
      const still = host.scene.value;
      const moments = this.#moments.value;
      return this.active.value && moments !== null ? sceneAt(still, moments, this.time.value) : still;
    });
    this.scene = computed(() => applyCalls(this.posed.value, this.preview.value));
  }

  /** Keeps what is known of the animation up to date from now on. */
  start(): void {
    effect(() => {
      const wanted = this.active.value || this.tracksShown.value;
      const revision = this.host.revision.value;
      const known = this.#moments.value?.revision ?? -1;
      if (wanted && revision !== null && known < revision) untracked(() => void this.#load());
    });
    effect(() => {
      if (this.animation.value === null) untracked(() => this.stop());
    });
  }

  /** From where it is, at the end from the beginning. */
  play(): void {
    if (this.animation.value === null || this.playing.value) return;
    if (isSameTime(this.time.value, this.duration.value)) this.time.value = 0;
    this.playing.value = true;
    this.#lastMs = null;
    this.preview.value = [];
    this.#run += 1;
    this.#stepNext();
  }

  pause(): void {
    if (this.playing.value) this.seek(this.time.value);
  }

  toggle(): void {
    if (this.playing.value) this.pause();
    else this.play();
  }

  /** Back to rest; false when it was there already. */
  stop(): boolean {
    const wasActive = this.active.value || this.time.value > 0;
    this.playing.value = false;
    this.time.value = 0;
    this.preview.value = [];
    return wasActive;
  }

  /** Holds at the frame nearest to a time. */
  seek(time: number): void {
    this.hold(frameTime(this.animation.value, time, this.duration.value));
  }

  hold(time: number): void {
    this.playing.value = false;
    this.preview.value = [];
    this.time.value = time;
  }

  /** Another session's scene follows. */
  reset(): void {
    this.stop();
    this.tracksShown.value = false;
    this.#moments.value = null;
    this.#visit += 1;
  }

  #stepNext(): void {
    const run = this.#run;
    this.host.nextFrame((nowMs) => {
      if (this.playing.value && run === this.#run && this.#step(nowMs)) this.#stepNext();
    });
  }

  /** Goes on to now; false at the end. */
  #step(nowMs: number): boolean {
    const passed = this.#lastMs === null ? 0 : (nowMs - this.#lastMs) / 1000;
    this.#lastMs = nowMs;
    const time = this.time.value + Math.min(Math.max(passed, 0), MAX_STEP_SECONDS);
    const duration = this.duration.value;
    const loops = this.animation.value?.loops ?? false;
    if (time >= duration && !loops) {
      this.seek(duration);
      return false;
    }
    this.time.value = time < duration ? time : time % duration;
    return true;
  }

  /** One request at a time: what changed meanwhile is asked for when it has come. */
  async #load(): Promise<void> {
    if (this.#loading) return;
    this.#loading = true;
    const visit = this.#visit;
    // After a failure the next change asks again.
    const loaded = await this.host.load().catch(() => null);
    this.#loading = false;
    if (loaded === null || visit !== this.#visit) return;
    this.preview.value = [];
    this.#moments.value = loaded;
  }
}
