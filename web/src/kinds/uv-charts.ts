import { type Box3, Quaternion, Vector3 } from "three";
import type { Properties, SceneObject } from "../document/scene";
import { torusAxes } from "../document/transform/transform";
import {
  add,
  cross,
  dot,
  isTriple,
  length,
  normalized,
  rotatedAxes,
  scale,
  subtract,
  type Triple,
} from "../document/vector";
import { entryOf, type ShapeKind } from "./list";

/** How a surface is numbered by u and v; see `CHARTS` in `pattern-shader.ts` for the numbers of each. */
export type ChartKind = "sphere" | "box" | "flat" | "round" | "torus" | "mesh";

/** A shape's own coordinates, in metres, and those of its surface: as `tracer` has them in `texture/chart.rs`. */
export interface Chart {
  origin: Triple;
  axes: readonly [Triple, Triple, Triple];
  surface: ChartKind;
  /** Eight at most. */
  numbers: readonly number[];
}

const ORIGIN: Triple = [0, 0, 0];
const AXES: Chart["axes"] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

/** `bounds` is the box around the shape; `hasUv` says whether its vertices have u and v of their own. */
type ChartOf = (properties: Properties, bounds: () => Box3, hasUv: boolean) => Chart | null;

/** The UV charts of kinds of shapes; all others have that of the box around them. */
const UV_CHARTS: Readonly<Partial<Record<ShapeKind, ChartOf>>> = {
  sphere: ({ center }) =>
    isTriple(center) ? { origin: center, axes: AXES, surface: "sphere", numbers: [] } : null,
  ellipsoid: ({ center, rotation }) =>
    isTriple(center) ? { origin: center, axes: axesOf(rotation), surface: "sphere", numbers: [] } : null,
  box: cuboid,
  rounded_box: cuboid,
  quad: ({ corner, u, v }) => (isTriple(corner) && isTriple(u) && isTriple(v) ? flat(corner, u, v, 0) : null),
  triangle,
  disc,
  cylinder: ({ base_center, top_center, radius }) => round(base_center, top_center, radius, 0),
  cone: ({ base_center, top_center, base_radius, top_radius }) =>
    round(base_center, top_center, Math.max(Number(base_radius), Number(top_radius ?? 0)), 0),
  capsule: ({ start, end, radius }) => round(start, end, radius, 1),
  torus,
  lathe,
  extrusion: ({ center, outline, depth, rotation }) =>
    boxed(center, rotation, outline, typeof depth === "number" ? depth : 0),
  polyhedron: ({ center, vertices, rotation }) => boxed(center ?? ORIGIN, rotation, vertices, 0),
  mesh: ({ translation, rotation }, bounds, hasUv) => ({
    origin: isTriple(translation) ? translation : [0, 0, 0],
    axes: axesOf(rotation),
    surface: hasUv ? "mesh" : "box",
    numbers: hasUv ? [] : bounds().getSize(new Vector3()).toArray(),
  }),
};

/** The UV chart of a shape; null where the properties are not those of its kind. */
export function chartOf({ type, properties }: SceneObject, bounds: () => Box3, hasUv: boolean): Chart | null {
  return (entryOf(UV_CHARTS, type) ?? boundingBox)(properties, bounds, hasUv);
}

function axesOf(rotation: unknown): Chart["axes"] {
  return isTriple(rotation) ? rotatedAxes(rotation) : AXES;
}

function boundingBox(_: Properties, bounds: () => Box3): Chart {
  const box = bounds();
  const size = box.getSize(new Vector3()).toArray();
  return { origin: box.getCenter(new Vector3()).toArray(), axes: AXES, surface: "box", numbers: size };
}

function cuboid({ center, dimensions, rotation }: Properties): Chart | null {
  if (!isTriple(center) || !isTriple(dimensions)) return null;
  return { origin: center, axes: axesOf(rotation), surface: "box", numbers: dimensions };
}

function triangle({ vertices }: Properties): Chart | null {
  if (!Array.isArray(vertices) || !vertices.every(isTriple)) return null;
  const [a, b, c] = vertices as Triple[];
  return a && b && c ? flat(a, subtract(b, a), subtract(c, a), 0) : null;
}

function disc({ center, normal, radius }: Properties): Chart | null {
  if (!isTriple(center) || !isTriple(normal) || typeof radius !== "number") return null;
  const upright = normalized(normal);
  const level = cross([0, 1, 0], upright);
  const across: Triple = length(level) < 1e-9 ? [1, 0, 0] : normalized(level);
  return flat(center, scale(across, 2 * radius), scale(cross(upright, across), 2 * radius), -0.5);
}

function torus({ center, normal, radius }: Properties): Chart | null {
  if (!isTriple(center) || !isTriple(normal) || typeof radius !== "number") return null;
  const [zero, quarter] = torusAxes(normal);
  const axes = [zero, normalized(normal), scale(quarter, -1)] as const;
  return { origin: center, axes, surface: "torus", numbers: [radius] };
}

/** The box around the whole circle. */
function lathe({ base_center, profile, rotation }: Properties): Chart | null {
  if (!Array.isArray(profile)) return null;
  const circle = (profile as [number, number][]).flatMap(([out, up]) => [
    [-out, up, -out],
    [out, up, out],
  ]);
  return boxed(base_center, rotation, circle, 0);
}

/** The box around corners in a space of their own, which reach to both sides of it by half of `depth`. */
function boxed(center: unknown, rotation: unknown, corners: unknown, depth: number): Chart | null {
  if (!isTriple(center) || !Array.isArray(corners)) return null;
  const along = (axis: number) => corners.map((corner: number[]) => corner[axis] ?? 0);
  const ends = [0, 1, 2].map((axis) => [Math.min(...along(axis)), Math.max(...along(axis))] as const);
  const sizes = ends.map(([low, high], axis) => Math.max(high - low + (axis === 2 ? depth : 0), 2e-9));
  const axes = axesOf(rotation);
  const origin = ends.reduce<Triple>(
    (sum, [low, high], axis) => add(sum, scale(axes[axis] as Triple, 0.5 * (low + high))),
    center,
  );
  return { origin, axes, surface: "box", numbers: sizes };
}

/** A plane from its corner along two edges; `from` is where u and v begin. */
function flat(corner: Triple, u: Triple, v: Triple, from: number): Chart {
  const normal = normalized(cross(u, v));
  const x = normalized(u);
  const y = cross(normal, x);
  const [acrossU, acrossV] = [cross(v, normal), cross(normal, u)];
  const duals = [scale(acrossU, 1 / dot(acrossU, u)), scale(acrossV, 1 / dot(acrossV, v))];
  // A flat shape that begins beside its origin has its middle there.
  const middle = from === 0 ? scale(add(u, v), 0.5) : ([0, 0, 0] as const);
  const duals4 = duals.flatMap((dual) => [dot(dual, x), dot(dual, y)]);
  const numbers = [...duals4, from, dot(middle, x), dot(middle, y)];
  return { origin: corner, axes: [x, y, normal], surface: "flat", numbers };
}

/** About an axis that reaches `beyond` times the radius beyond both points. */
function round(base: unknown, top: unknown, radius: unknown, beyond: number): Chart | null {
  if (!isTriple(base) || !isTriple(top) || typeof radius !== "number") return null;
  const way = subtract(top, base);
  const turn = new Quaternion().setFromUnitVectors(new Vector3(0, 1, 0), new Vector3(...normalized(way)));
  const axes = AXES.map((axis) =>
    new Vector3(...axis).applyQuaternion(turn).toArray(),
  ) as unknown as Chart["axes"];
  const reach = beyond * radius;
  return { origin: base, axes, surface: "round", numbers: [-reach, length(way) + 2 * reach, radius] };
}
