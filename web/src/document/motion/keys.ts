import type { EditCall } from "../../protocol";
import { type Animation, DEFAULT_FPS, type Key, type Track, trackName } from "./animation";

/** Times nearer than this are one. */
const SAME_TIME = 1e-6;

/** The nearest frame at or before the end. */
export function frameTime(animation: Animation | null, time: number, duration: number): number {
  const fps = animation?.fps ?? DEFAULT_FPS;
  const whole = Math.round(Math.min(Math.max(time, 0), duration) * fps) / fps;
  return rounded(Math.min(whole, duration));
}

/** Tenths of a millisecond: a key found by a person is not more exact than that. */
function rounded(time: number): number {
  return Math.round(time * 1e4) / 1e4;
}

export function keyAt({ keys }: Pick<Track, "keys">, time: number): Key | undefined {
  return keys.find((key) => isSameTime(key.time, time));
}

export function isSameTime(a: number, b: number): boolean {
  return Math.abs(a - b) < SAME_TIME;
}

/** The track with a key, which takes the place of one at the same time and keeps its easing. */
export function withKey<T extends Pick<Track, "keys">>(track: T, key: Key): T {
  const before = keyAt(track, key.time);
  const easing = key.easing ?? before?.easing;
  const rest = track.keys.filter((each) => each !== before);
  const placed = { ...key, ...(easing !== undefined && { easing }) };
  return { ...track, keys: [...rest, placed].sort((a, b) => a.time - b.time) };
}

/** The track with one of its keys at another time; null where another key is there, or the same one. */
export function withKeyMoved(track: Track, from: number, to: number): Track | null {
  const key = keyAt(track, from);
  if (key === undefined || keyAt(track, to) !== undefined) return null;
  return withKey({ ...track, keys: track.keys.filter((each) => each !== key) }, { ...key, time: to });
}

/** The track with a key that something of is changed. */
export function withKeyChanged(track: Track, time: number, changes: Partial<Key>): Track {
  return {
    ...track,
    keys: track.keys.map((key) => (isSameTime(key.time, time) ? { ...key, ...changes } : key)),
  };
}

/** Replaces tracks, and adds those that are new. */
export function tracksCall(tracks: readonly Track[], duration?: number): EditCall {
  return { name: "set_animation", args: { tracks, ...(duration !== undefined && { duration }) } };
}

/** Removes a key, and with the last one its track. */
export function removeKeyCall(track: Track, time: number): EditCall {
  const keys = track.keys.filter((key) => !isSameTime(key.time, time));
  if (keys.length > 0) return tracksCall([{ ...track, keys }]);
  return { name: "set_animation", args: { remove: [trackName(track)] } };
}

/** The end of the animation somewhere else: keys are stretched along, or stay where they are. */
export function durationCall(animation: Animation, duration: number, stretch: boolean): EditCall {
  // Alone, the duration makes everything faster or slower.
  const args = stretch ? { duration } : { duration, tracks: animation.tracks.slice(0, 1) };
  return { name: "set_animation", args };
}
