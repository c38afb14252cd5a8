import type { Easing, Key, KeyValue, Track } from "./animation";

/** The value of a track at a time in seconds, as the server has it. */
export function valueAt({ keys }: Pick<Track, "keys">, time: number): KeyValue | undefined {
  const next = keys.findIndex((key) => key.time > time);
  const key = next === -1 ? keys.at(-1) : (keys[next - 1] ?? keys[0]);
  const after = keys[next];
  if (key === undefined || after === undefined || key === after) return key?.value;
  const share = (time - key.time) / (after.time - key.time);
  const easing = key.easing ?? "linear";
  if (easing === "step") return key.value;
  const parts = easing === "smooth" ? smoothParts(keys, next - 1, share) : null;
  const way = wayOf(easing, share);
  return (
    weighted(
      parts ?? [
        [key.value, 1 - way],
        [after.value, way],
      ],
    ) ?? key.value
  );
}

/** The share of the way after a share of the time. */
function wayOf(easing: Easing, time: number): number {
  switch (easing) {
    case "ease_in":
      return time * time;
    case "ease_out":
      return time * (2 - time);
    case "ease_in_out":
      return time * time * (3 - 2 * time);
    default:
      return time;
  }
}

type Weighted = readonly [KeyValue, number];

/** A cubic through the keys: the slope at each is that between its neighbours; a track that ends as it begins is closed. */
function smoothParts(keys: readonly Key[], index: number, share: number): Weighted[] {
  const last = keys.length - 1;
  const time = (at: number) => keys[at]?.time ?? 0;
  const value = (at: number) => keys[at]?.value ?? 0;
  const isClosed = last > 1 && JSON.stringify(value(0)) === JSON.stringify(value(last));
  const parts: Weighted[] = [];
  const [s, s2, s3] = [share, share ** 2, share ** 3];
  parts.push([value(index), 2 * s3 - 3 * s2 + 1], [value(index + 1), 3 * s2 - 2 * s3]);
  const tangents: [number, number][] = [
    [index, s3 - 2 * s2 + s],
    [index + 1, s3 - s2],
  ];
  for (const [at, factor] of tangents) {
    const isAround = isClosed && (at === 0 || at === last);
    const [before, after] = isAround ? [last - 1, 1] : [Math.max(0, at - 1), Math.min(last, at + 1)];
    const seconds = isAround ? time(1) - time(0) + time(last) - time(last - 1) : time(after) - time(before);
    const weight = (factor * (time(index + 1) - time(index))) / seconds;
    parts.push([value(before), -weight], [value(after), weight]);
  }
  return parts;
}

/** A weighted sum; undefined of what are no numbers. */
function weighted(parts: readonly Weighted[]): KeyValue | undefined {
  if (parts.every(([value]) => typeof value === "number"))
    return parts.reduce((sum, [value, weight]) => sum + (value as number) * weight, 0);
  const lists = parts.map(([value]) => value);
  const [first] = lists;
  if (!Array.isArray(first) || !lists.every((list) => Array.isArray(list) && list.length === first.length))
    return undefined;
  return first.map((_, axis) =>
    parts.reduce((sum, [list, weight]) => sum + ((list as readonly number[])[axis] ?? 0) * weight, 0),
  );
}
