/** A list of points of two or three coordinates, as a property holds it. */
export type PointList = readonly (readonly number[])[];

/** What the line through the points is. */
export interface PointListKind {
  /** Names of the coordinates. */
  axes: readonly string[];
  /** Whether the last point is joined to the first. */
  closed: boolean;
  /** With fewer points there is no such shape. */
  least: number;
  /** Whether the first coordinate may not be negative, as of a radius. */
  fromAxis: boolean;
}

/** More points than this are a list to be pasted, not points to be dragged. */
export const MAX_DRAGGED_POINTS = 200;

const KINDS: Readonly<Record<string, PointListKind>> = {
  points: { axes: ["x", "y", "z"], closed: false, least: 2, fromAxis: false },
  profile: { axes: ["r", "y"], closed: false, least: 2, fromAxis: true },
  outline: { axes: ["x", "y"], closed: true, least: 3, fromAxis: false },
};

/** How the points of a property are joined; null for a property that is no such list, or too long to draw. */
export function pointListKind(name: string, value: unknown): PointListKind | null {
  const kind = Object.hasOwn(KINDS, name) ? KINDS[name] : undefined;
  if (kind === undefined || !Array.isArray(value)) return null;
  if (value.length < kind.least || value.length > MAX_DRAGGED_POINTS) return null;
  return value.every((point) => isPoint(point, kind.axes.length)) ? kind : null;
}

/** Whether a value is a list of closed outlines, which may be empty. */
export function isOutlineList(value: unknown): value is readonly PointList[] {
  return Array.isArray(value) && value.every((outline) => pointListKind("outline", outline) !== null);
}

function isPoint(value: unknown, size: number): boolean {
  return Array.isArray(value) && value.length === size && value.every((part) => Number.isFinite(part));
}

/** A part of the plane that all points fit into, as wide as high; `across` and `up` are the axes that are drawn. */
export interface Window2 {
  across: number;
  up: number;
  /** Lower left corner. */
  from: readonly [number, number];
  size: number;
}

/** Room around the points, as a share of the window. */
const MARGIN = 0.12;

export function windowAround(points: PointList, across: number, up: number, kind: PointListKind): Window2 {
  const values = (axis: number) => points.map((point) => point[axis] ?? 0);
  const [xs, ys] = [values(across), values(up)];
  if (kind.fromAxis && across === 0) xs.push(0);
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  const [bottom, top] = [Math.min(...ys), Math.max(...ys)];
  const size = Math.max(right - left, top - bottom, 1e-3) / (1 - 2 * MARGIN);
  const middle = (low: number, high: number) => 0.5 * (low + high - size);
  return { across, up, from: [middle(left, right), middle(bottom, top)], size };
}

/** The window as it is, where it shows all of another; else one around both: what is being edited does not move. */
export function grownWindow(kept: Window2 | null, fitting: Window2): Window2 {
  if (kept === null || kept.across !== fitting.across || kept.up !== fitting.up) return fitting;
  const low = (axis: 0 | 1) => Math.min(kept.from[axis], fitting.from[axis]);
  const high = (axis: 0 | 1) => Math.max(kept.from[axis] + kept.size, fitting.from[axis] + fitting.size);
  const margin = MARGIN * fitting.size;
  const isShown = ([0, 1] as const).every(
    (axis) =>
      fitting.from[axis] + 0.75 * margin >= kept.from[axis] &&
      fitting.from[axis] + fitting.size - 0.75 * margin <= kept.from[axis] + kept.size,
  );
  if (isShown) return kept;
  const size = Math.max(high(0) - low(0), high(1) - low(1));
  return { ...kept, from: [low(0), low(1)], size };
}

/** Where the window shows a point, from (0, 0) at the top left to (1, 1). */
export function toWindow({ across, up, from, size }: Window2, point: readonly number[]): [number, number] {
  return [((point[across] ?? 0) - from[0]) / size, 1 - ((point[up] ?? 0) - from[1]) / size];
}

/** `point` moved to where the window shows (x, y), on a grid that suits the size of the window. */
export function movedTo(
  { across, up, from, size }: Window2,
  point: readonly number[],
  x: number,
  y: number,
  kind: PointListKind,
): number[] {
  const moved = [...point];
  moved[across] = onGrid(from[0] + x * size, size);
  moved[up] = onGrid(from[1] + (1 - y) * size, size);
  return bounded(moved, kind);
}

/** `point` some steps further along two axes. */
export function nudged(
  { across, up, size }: Window2,
  point: readonly number[],
  [right, above]: readonly [number, number],
  kind: PointListKind,
): number[] {
  const moved = [...point];
  const step = gridOf(size);
  moved[across] = onGrid((point[across] ?? 0) + right * step, size);
  moved[up] = onGrid((point[up] ?? 0) + above * step, size);
  return bounded(moved, kind);
}

/** A point on a grid that suits lists of a size, where its kind may have points. */
export function snappedPoint(point: readonly number[], size: number, kind: PointListKind): number[] {
  return bounded(
    point.map((part) => onGrid(part, size)),
    kind,
  );
}

function bounded(point: number[], { fromAxis }: PointListKind): number[] {
  return fromAxis ? point.map((part, axis) => (axis === 0 ? Math.max(0, part) : part)) : point;
}

/** About a two-hundredth of the window: 1, 2 or 5 in the last digit. */
function gridOf(size: number): number {
  const raw = size / 200;
  const power = 10 ** Math.floor(Math.log10(raw));
  const digit = raw / power;
  return power * (digit < 1.5 ? 1 : digit < 3.5 ? 2 : digit < 7.5 ? 5 : 10);
}

function onGrid(value: number, size: number): number {
  const grid = gridOf(size);
  return Number((Math.round(value / grid) * grid).toPrecision(10));
}

/**
 * The list with one more point after another: halfway to the next, or beyond an open end as the line came. Where it
 * cannot go on there, the new point is halfway back.
 */
export function withPointAfter(points: PointList, index: number, kind: PointListKind): PointList {
  const point = points[index];
  if (point === undefined) return points;
  const next = points[index + 1] ?? (kind.closed ? points[0] : undefined);
  if (next !== undefined) return points.toSpliced(index + 1, 0, between(point, next, 0.5));
  const before = points[index - 1] ?? point;
  const beyond = bounded(between(before, point, 2), kind);
  const isStuck = beyond.every((part, axis) => part === point[axis]);
  return isStuck
    ? points.toSpliced(index, 0, between(before, point, 0.5))
    : points.toSpliced(index + 1, 0, beyond);
}

function between(from: readonly number[], to: readonly number[], share: number): number[] {
  return from.map((part, axis) => Number((part + share * ((to[axis] ?? 0) - part)).toPrecision(10)));
}

/** The list without a point; as it is where there would be too few. */
export function withoutPoint(points: PointList, index: number, { least }: PointListKind): PointList {
  return points.length <= least ? points : points.filter((_, at) => at !== index);
}

/** Places that are tried for a hole, each way. */
const HOLE_STEPS = 12;

/** A square within an outline, to begin a hole with: in its middle, or where it is widest if that is not inside. */
export function holeIn(outline: PointList): PointList {
  const xs = outline.map(([x = 0]) => x);
  const ys = outline.map(([, y = 0]) => y);
  const middle = (parts: readonly number[]) => parts.reduce((sum, part) => sum + part, 0) / parts.length;
  const [left, bottom] = [Math.min(...xs), Math.min(...ys)];
  const [width, height] = [Math.max(...xs) - left, Math.max(...ys) - bottom];
  const wanted = 0.1 * Math.min(width, height);
  const steps = Array.from({ length: HOLE_STEPS }, (_, index) => (index + 0.5) / HOLE_STEPS);
  const grid = steps.flatMap((u) => steps.map((v) => [left + u * width, bottom + v * height] as const));
  const places = grid
    .map((place) => ({ place, room: roomAround(outline, place) }))
    .sort((one, other) => other.room - one.room);
  const own = [middle(xs), middle(ys)] as const;
  const best = { place: own, room: roomAround(outline, own) };
  // Half a diagonal, and some material around it.
  const fits = (room: number) => room > 2 * wanted;
  const { place, room } = fits(best.room) ? best : (places[0] ?? best);
  const half = fits(room) ? wanted : 0.5 * Math.max(room, 0);
  const round = (part: number) => Number(part.toPrecision(4));
  return [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ].map(([right = 0, up = 0]) => [round(place[0] + right * half), round(place[1] + up * half)]);
}

/** How far a place is from the nearest edge; negative outside. */
function roomAround(outline: PointList, [x, y]: readonly [number, number]): number {
  let isInside = false;
  let nearest = Infinity;
  for (const [index, [ax = 0, ay = 0]] of outline.entries()) {
    const [bx = 0, by = 0] = outline[(index + 1) % outline.length] ?? [];
    if (ay > y !== by > y && x < ax + ((y - ay) / (by - ay)) * (bx - ax)) isInside = !isInside;
    const square = (bx - ax) ** 2 + (by - ay) ** 2;
    const along = square === 0 ? 0 : ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / square;
    const share = Math.min(1, Math.max(0, along));
    nearest = Math.min(nearest, Math.hypot(x - ax - share * (bx - ax), y - ay - share * (by - ay)));
  }
  return isInside ? nearest : -nearest;
}
