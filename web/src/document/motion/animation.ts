import type { Triple } from "../vector";

export const EASINGS = ["linear", "ease_in", "ease_out", "ease_in_out", "step", "smooth"] as const;
export type Easing = (typeof EASINGS)[number];

export type KeyValue = number | readonly number[] | boolean | string;

/** A value at a time, and how it gets from there to the next one; linear when that is left out. */
export interface Key {
  /** Seconds from the beginning. */
  readonly time: number;
  readonly value: KeyValue;
  readonly easing?: Easing;
}

/** A property of a thing over time. No two tracks have the same target and property. */
export interface Track {
  /** An id, the name of a shared material, `camera` or `environment`. */
  readonly target: string;
  readonly property: string;
  readonly pivot?: Triple;
  /** In order; never empty. */
  readonly keys: readonly Key[];
}

export interface Animation {
  /** Seconds. */
  readonly duration: number;
  readonly fps: number;
  readonly loops: boolean;
  readonly tracks: readonly Track[];
}

/** The arguments of `set_animation`, as far as this page uses them. */
export interface AnimationUpdate {
  readonly duration?: number;
  readonly loops?: boolean;
  /** Each replaces the one of the same target and property. */
  readonly tracks?: readonly Track[];
  readonly turntable?: true;
  /** Names of tracks. */
  readonly remove?: readonly string[];
}

/** What a new animation is like until somebody says otherwise. */
export const DEFAULT_SECONDS = 4;
export const TURNTABLE_SECONDS = 6;
export const DEFAULT_FPS = 24;
export const MIN_SECONDS = 0.04;
export const MAX_SECONDS = 600;

/** By which `remove` finds it. */
export function trackName({ target, property }: Pick<Track, "target" | "property">): string {
  return `${target} ${property}`;
}

export function findTrack(animation: Animation | null, name: string): Track | undefined {
  return animation?.tracks.find((track) => trackName(track) === name);
}

/** The animation as `set_animation` will leave it; null when nothing is animated any more. */
export function animationAfter(before: Animation | null, update: AnimationUpdate): Animation | null {
  const { duration, loops, tracks, turntable, remove } = update;
  const removed = new Set(remove);
  const isAlone = duration !== undefined && !tracks && !turntable && !remove;
  const factor = isAlone && before !== null ? duration / before.duration : 1;
  const kept = (before?.tracks ?? []).filter((track) => !removed.has(trackName(track)));
  const known = mergedTracks(kept.map(stretchedBy(factor)), tracks ?? []);
  if (known.length === 0 && !turntable) return null;
  const end = Math.max(0, ...known.map(({ keys }) => keys.at(-1)?.time ?? 0));
  const fallback = before?.duration ?? (turntable && end === 0 ? TURNTABLE_SECONDS : end);
  const seconds = duration ?? Math.max(fallback, end, MIN_SECONDS);
  return {
    duration: seconds,
    fps: before?.fps ?? DEFAULT_FPS,
    loops: loops ?? before?.loops ?? true,
    tracks: turntable ? mergedTracks(known, [turntableTrack(seconds)]) : known,
  };
}

function mergedTracks(tracks: readonly Track[], given: readonly Track[]): readonly Track[] {
  const byName = new Map(tracks.map((track) => [trackName(track), track]));
  for (const track of given) byName.set(trackName(track), track);
  return [...byName.values()];
}

function stretchedBy(factor: number): (track: Track) => Track {
  if (factor === 1) return (track) => track;
  return (track) => ({ ...track, keys: track.keys.map((key) => ({ ...key, time: key.time * factor })) });
}

function turntableTrack(seconds: number): Track {
  return {
    target: "camera",
    property: "orbit",
    keys: [
      { time: 0, value: 0 },
      { time: seconds, value: 360 },
    ],
  };
}
