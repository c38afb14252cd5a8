import type { SceneChange } from "../../protocol";
import { applyChanges, type SceneDocument } from "../scene";

/** How things stand at a time, as changes of the scene in which nothing moves. */
export interface Moment {
  /** Seconds. */
  time: number;
  changes: readonly SceneChange[];
}

/** An animation as moments, the first at its beginning and the last at its end. */
export interface Moments {
  /** Of the scene they are of. */
  revision: number;
  duration: number;
  moments: readonly Moment[];
}

/** The scene at a time; between two moments everything is on the straight way from one to the other. */
export function sceneAt(still: SceneDocument, { moments }: Moments, time: number): SceneDocument {
  const next = moments.findIndex((moment) => moment.time > time);
  const before = next === -1 ? moments.at(-1) : (moments[next - 1] ?? moments[0]);
  const after = moments[next];
  if (before === undefined) return still;
  if (after === undefined || after === before) return applyChanges(still, before.changes);
  const share = (time - before.time) / (after.time - before.time);
  return applyChanges(still, changesBetween(before.changes, after.changes, share));
}

/** The changes after a share of the way; what appears, goes or moves in its list does so at the end of it. */
function changesBetween(
  before: readonly SceneChange[],
  after: readonly SceneChange[],
  share: number,
): SceneChange[] {
  const later = new Map(after.map((change) => [nameOf(change), change]));
  const earlier = new Set(before.map(nameOf));
  const mixed = before.map((change): SceneChange => {
    const then = later.get(nameOf(change));
    if (!isPlainUpdate(change) || (then !== undefined && !isPlainUpdate(then))) return change;
    return { ...change, after: mix(change.after, then === undefined ? change.before : then.after, share) };
  });
  const begun = after
    .filter((change) => !earlier.has(nameOf(change)) && isPlainUpdate(change))
    .map((change): SceneChange => ({ ...change, after: mix(change.before, change.after, share) }));
  return [...mixed, ...begun];
}

function nameOf({ kind, id }: SceneChange): string {
  return `${kind} ${id}`;
}

function isPlainUpdate({ op, index }: SceneChange): boolean {
  return op === "update" && index === undefined;
}

/** Numbers between those of two values of the same form; where the form differs, what was before. */
export function mix(a: unknown, b: unknown, share: number): unknown {
  if (typeof a === "number" && typeof b === "number") return a + (b - a) * share;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length ? a.map((item, index) => mix(item, b[index], share)) : a;
  }
  if (!isObject(a) || !isObject(b)) return a;
  return Object.fromEntries(
    Object.entries(a).map(([name, value]) => [name, name in b ? mix(value, b[name], share) : value]),
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
