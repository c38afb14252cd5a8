import type { Properties, SceneObject } from "../document/scene";
import {
  add,
  cross,
  isTriple,
  length,
  normalized,
  rotatedAxes,
  scale,
  subtract,
  type Triple,
} from "../document/vector";
import type { Frame } from "../protocol/generated/kinds";
import { frameOf, withDefaults } from "./list";

/** A box in any direction: its middle, and from there to the middle of three of its faces. */
export interface Extent {
  center: Triple;
  half: readonly [Triple, Triple, Triple];
}

type ExtentOf = (properties: Properties) => Extent | null;

/** The oriented box by the frame of a kind; null where the document does not tell it and only the server knows. */
const EXTENTS: Readonly<Record<Frame, ExtentOf | null>> = {
  ball,
  ellipsoid,
  cuboid,
  column,
  parallelogram,
  disc,
  cylinder: (properties) => round(properties.base_center, properties.top_center, properties.radius, 0),
  cone: ({ base_center, top_center, base_radius, top_radius }) =>
    round(base_center, top_center, Math.max(Number(base_radius), Number(top_radius ?? 0)), 0),
  capsule: (properties) => round(properties.start, properties.end, properties.radius, 1),
  ring,
  vertices: triangle,
  line: tube,
  profile: lathe,
  outline: extrusion,
  corners,
  point,
  unknown: null,
};

/**
 * The oriented box of an object; null for one whose extent is not in the document, and for kinds that are newer than
 * this page. Lights without an area have no size.
 */
export function extentOf(object: Pick<SceneObject, "type" | "properties">): Extent | null {
  return EXTENTS[frameOf(object.type)]?.(withDefaults(object)) ?? null;
}

function point({ center }: Properties): Extent | null {
  return isTriple(center) ? { center, half: [ZERO, ZERO, ZERO] } : null;
}

const ZERO: Triple = [0, 0, 0];
const AXES: readonly [Triple, Triple, Triple] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

function along(
  axes: readonly [Triple, Triple, Triple],
  [a, b, c]: Triple,
): readonly [Triple, Triple, Triple] {
  return [scale(axes[0], a), scale(axes[1], b), scale(axes[2], c)];
}

/** A box given by two of its corners in a space that is turned about its origin, which lies at `origin`. */
function turned(origin: Triple, rotation: unknown, min: Triple, max: Triple): Extent {
  const axes = rotatedAxes(isTriple(rotation) ? rotation : ZERO);
  const middle = along(axes, scale(add(min, max), 0.5));
  return { center: middle.reduce(add, origin), half: along(axes, scale(subtract(max, min), 0.5)) };
}

/** Around its points; a smooth line may leave that box a little. */
function tube({ points, radius }: Properties): Extent | null {
  if (!Array.isArray(points) || points.length === 0 || !points.every(isTriple)) return null;
  const reach = Math.max(...(Array.isArray(radius) ? radius : [radius]).map(Number));
  if (!Number.isFinite(reach)) return null;
  const coordinates = (axis: number) => (points as Triple[]).map((point) => point[axis] as number);
  const corner = (pick: (...values: number[]) => number, by: number) =>
    [0, 1, 2].map((axis) => pick(...coordinates(axis)) + by) as unknown as Triple;
  return turned(ZERO, ZERO, corner(Math.min, -reach), corner(Math.max, reach));
}

/** Around its profile, turned about the axis; a smooth one may leave that box a little. */
function lathe({ base_center, profile, rotation }: Properties): Extent | null {
  if (!isTriple(base_center) || !isOutline(profile)) return null;
  const radius = Math.max(...profile.map(([away]) => away));
  const heights = profile.map(([, height]) => height);
  const min: Triple = [-radius, Math.min(...heights), -radius];
  return turned(base_center, rotation, min, [radius, Math.max(...heights), radius]);
}

function extrusion({ center, outline, depth, rotation }: Properties): Extent | null {
  if (!isTriple(center) || !isOutline(outline) || typeof depth !== "number") return null;
  const [xs, ys] = [outline.map(([x]) => x), outline.map(([, y]) => y)];
  const min: Triple = [Math.min(...xs), Math.min(...ys), -0.5 * depth];
  return turned(center, rotation, min, [Math.max(...xs), Math.max(...ys), 0.5 * depth]);
}

function corners({ center, vertices, rotation }: Properties): Extent | null {
  if (!Array.isArray(vertices) || vertices.length === 0 || !vertices.every(isTriple)) return null;
  const along = (axis: number) => (vertices as Triple[]).map((vertex) => vertex[axis] ?? 0);
  const corner = (pick: (...values: number[]) => number) =>
    [0, 1, 2].map((axis) => pick(...along(axis))) as unknown as Triple;
  return turned(isTriple(center) ? center : ZERO, rotation, corner(Math.min), corner(Math.max));
}

function isOutline(value: unknown): value is [number, number][] {
  const isPair = (point: unknown) =>
    Array.isArray(point) && point.length === 2 && point.every(Number.isFinite);
  return Array.isArray(value) && value.length > 0 && value.every(isPair);
}

function ball({ center, radius }: Properties): Extent | null {
  if (!isTriple(center) || typeof radius !== "number") return null;
  return { center, half: along(AXES, [radius, radius, radius]) };
}

function ellipsoid({ center, radii, rotation }: Properties): Extent | null {
  if (!isTriple(center) || !isTriple(radii)) return null;
  return { center, half: along(isTriple(rotation) ? rotatedAxes(rotation) : AXES, radii) };
}

function cuboid({ center, dimensions, rotation }: Properties): Extent | null {
  if (!isTriple(center) || !isTriple(dimensions)) return null;
  const axes = isTriple(rotation) ? rotatedAxes(rotation) : AXES;
  return { center, half: along(axes, scale(dimensions, 0.5)) };
}

/** About its own y axis. */
function column({ center, radius, height, rotation }: Properties): Extent | null {
  if (!isTriple(center) || typeof radius !== "number" || typeof height !== "number") return null;
  const axes = isTriple(rotation) ? rotatedAxes(rotation) : AXES;
  return { center, half: along(axes, [radius, 0.5 * height, radius]) };
}

function parallelogram({ corner, u, v }: Properties): Extent | null {
  if (!isTriple(corner) || !isTriple(u) || !isTriple(v)) return null;
  return { center: add(corner, scale(add(u, v), 0.5)), half: [scale(u, 0.5), scale(v, 0.5), ZERO] };
}

function disc({ center, normal, radius }: Properties): Extent | null {
  if (!isTriple(center) || !isTriple(normal) || typeof radius !== "number") return null;
  return { center, half: along(axesAround(normal), [radius, radius, 0]) };
}

function ring({ center, normal, radius, thickness }: Properties): Extent | null {
  if (!isTriple(center) || !isTriple(normal)) return null;
  if (typeof radius !== "number" || typeof thickness !== "number") return null;
  // The thickness is the tube's diameter. An arc is within the box of the whole ring.
  const [reach, height] = [radius + 0.5 * thickness, 0.5 * thickness];
  return { center, half: along(axesAround(normal), [reach, reach, height]) };
}

/** Around an axis; `overhang` times the radius it reaches past both ends. */
function round(start: unknown, end: unknown, radius: unknown, overhang: number): Extent | null {
  if (!isTriple(start) || !isTriple(end) || typeof radius !== "number") return null;
  const axis = subtract(end, start);
  const reach = 0.5 * length(axis) + overhang * radius;
  return { center: scale(add(start, end), 0.5), half: along(axesAround(axis), [radius, radius, reach]) };
}

function triangle({ vertices }: Properties): Extent | null {
  if (!Array.isArray(vertices) || vertices.length !== 3 || !vertices.every(isTriple)) return null;
  const range = [0, 1, 2].map((axis) => {
    const values = vertices.map((vertex) => vertex[axis] ?? 0);
    return [Math.min(...values), Math.max(...values)] as const;
  });
  const middle = range.map(([low, high]) => 0.5 * (low + high)) as unknown as Triple;
  const reach = range.map(([low, high]) => 0.5 * (high - low)) as unknown as Triple;
  return { center: middle, half: along(AXES, reach) };
}

/** Two unit vectors across `axis`, and the one along it. */
function axesAround(axis: Triple): readonly [Triple, Triple, Triple] {
  const forward = normalized(axis);
  const right = normalized(cross(forward, Math.abs(forward[1]) > 0.9 ? [1, 0, 0] : [0, 1, 0]));
  return [right, cross(forward, right), forward];
}
