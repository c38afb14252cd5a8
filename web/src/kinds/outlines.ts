import type { PointList } from "./point-lists";

/** Points in a square from -1 to 1, against the clock. */
type Unit = readonly (readonly [number, number])[];

const CIRCLE_POINTS = 24;
const ARCH_POINTS = 12;
const STAR_POINTS = 10;

/** Points on an arc about the origin, its angles in turns from the right. */
function arc(count: number, from: number, to: number, radius: (index: number) => number = () => 1): Unit {
  return Array.from({ length: count }, (_, index) => {
    const angle = 2 * Math.PI * (from + ((to - from) * index) / count);
    return [radius(index) * Math.cos(angle), radius(index) * Math.sin(angle)] as const;
  });
}

/** Forms to begin an outline with. */
export const OUTLINES: Readonly<Record<string, Unit>> = {
  Rectangle: [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ],
  Circle: arc(CIRCLE_POINTS, 0, 1),
  // A door: upright below, a half circle above.
  Arch: [[-1, -1], [1, -1], ...arc(ARCH_POINTS, 0, 0.5).map(([x, y]): [number, number] => [x, y]), [-1, 0]],
  Star: arc(STAR_POINTS, 0.25, 1.25, (index) => (index % 2 === 0 ? 1 : 0.4)),
  "L shape": [
    [-1, -1],
    [1, -1],
    [1, -0.3],
    [-0.3, -0.3],
    [-0.3, 1],
    [-1, 1],
  ],
};

/** A form as wide and high as an outline that it takes the place of. */
export function outlineOfForm(name: string, before: PointList): PointList {
  const [left, right] = rangeOf(before, 0);
  const [bottom, top] = rangeOf(before, 1);
  const fitted = (part: number, low: number, high: number) =>
    Number((low + 0.5 * (part + 1) * (high - low)).toPrecision(4)) + 0;
  return (OUTLINES[name] ?? []).map(([x, y]) => [fitted(x, left, right), fitted(y, bottom, top)]);
}

function rangeOf(points: PointList, axis: number): [number, number] {
  const parts = points.map((point) => point[axis] ?? 0);
  return [Math.min(...parts), Math.max(...parts)];
}

/**
 * Two edges of a closed outline that cross or touch, each by the index of the point it begins at; null where there are
 * none. As the server has it: points that are in the same place as the one before do not count.
 */
export function crossingEdges(points: PointList): readonly [number, number] | null {
  const isSame = ([ax, ay]: Point, [bx, by]: Point) => ax === bx && ay === by;
  const corners = points
    .map((point, index) => ({ point, index }))
    .filter(({ point, index }) => !isSame(point, points.at(index - 1) ?? []));
  const edges = corners.map(({ point, index }, at) => ({
    index,
    from: point,
    to: corners[(at + 1) % corners.length]?.point ?? point,
  }));
  for (const [at, one] of edges.entries()) {
    // The edges beside it meet it in a corner.
    const others = edges.slice(at + 2, at === 0 ? -1 : undefined);
    const met = others.find((other) => meet(one.from, one.to, other.from, other.to));
    if (met !== undefined) return [one.index, met.index];
  }
  return null;
}

type Point = readonly number[];

/** Twice the area of a triangle, positive against the clock. */
function area([ax = 0, ay = 0]: Point, [bx = 0, by = 0]: Point, [cx = 0, cy = 0]: Point): number {
  return (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
}

function meet(a: Point, b: Point, c: Point, d: Point): boolean {
  const sides = [area(a, b, c), area(a, b, d), area(c, d, a), area(c, d, b)].map(Math.sign);
  const [one = 0, two = 0, three = 0, four = 0] = sides;
  if (one !== two && three !== four) return true;
  return (
    (one === 0 && isBetween(a, b, c)) ||
    (two === 0 && isBetween(a, b, d)) ||
    (three === 0 && isBetween(c, d, a)) ||
    (four === 0 && isBetween(c, d, b))
  );
}

/** Whether a point on a line is on the part of it between two others. */
function isBetween(a: Point, b: Point, point: Point): boolean {
  return [0, 1].every((axis) => {
    const [from = 0, to = 0, part = 0] = [a[axis], b[axis], point[axis]];
    return part >= Math.min(from, to) && part <= Math.max(from, to);
  });
}
