import type { Properties, SceneObject } from "./scene";
import { add, cross, dot, isTriple, normalized, scale, subtract, type Triple, turnedAxes } from "./vector";

/** A change of place that keeps the form: scaled about the pivot, then turned about it, then moved. */
export interface Motion {
  pivot: Triple;
  /** Images of the axes; orthonormal, right-handed. */
  axes: readonly [Triple, Triple, Triple];
  /** The factor of all lengths, above 0. */
  factor: number;
  /** In metres. */
  shift: Triple;
}

/** Leaves everything where it is. */
export const REST: Motion = {
  pivot: [0, 0, 0],
  axes: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  factor: 1,
  shift: [0, 0, 0],
};

/** What names of properties mean, whatever they stand on. */
const POINTS = ["center", "corner", "base_center", "top_center", "start", "end", "translation"];
const EDGES = ["u", "v"];
const DIRECTIONS = ["normal", "direction"];
const LENGTHS = ["radius", "base_radius", "top_radius", "thickness", "dimensions", "radii", "scale"];

/** Types whose place is known to lie in the properties above, all of it. */
const KNOWN = new Set([
  ...[
    "sphere",
    "ellipsoid",
    "box",
    "rounded_box",
    "quad",
    "disc",
    "cylinder",
    "cone",
    "torus",
    "capsule",
    "triangle",
    "mesh",
  ],
  ...["point_spot_light", "area_quad_light", "disc_spot_light", "area_sphere_light", "area_disc_spot_light"],
]);

/** Values that stand for themselves when they are left out. */
const LEFT_OUT: Readonly<Record<string, Properties>> = {
  box: { rotation: [0, 0, 0] },
  ellipsoid: { rotation: [0, 0, 0] },
  rounded_box: { rotation: [0, 0, 0] },
  mesh: { translation: [0, 0, 0], rotation: [0, 0, 0], scale: 1 },
};

/**
 * The properties that change when an object is moved, with their new values; null for types that are newer
 * than this page.
 */
export function movedProperties({ type, properties }: SceneObject, motion: Motion): Properties | null {
  if (!KNOWN.has(type)) return null;
  const moved: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(properties)) {
    const after = movedValue(name, value, motion);
    if (after !== undefined) moved[name] = after;
  }
  for (const [name, value] of Object.entries(LEFT_OUT[type] ?? {})) {
    if (properties[name] === undefined) moved[name] = movedValue(name, value, motion);
  }
  if (type === "torus") Object.assign(moved, arcAngles(properties, motion));
  return moved;
}

function movedValue(name: string, value: unknown, motion: Motion): unknown {
  const isLength = LENGTHS.includes(name);
  if (isTriple(value)) {
    if (POINTS.includes(name)) return tidy(movedPoint(value, motion));
    if (EDGES.includes(name)) return tidy(scale(turned(value, motion), motion.factor));
    if (DIRECTIONS.includes(name)) return tidy(turned(value, motion));
    if (name === "rotation") return tidy(eulerAngles(turnedAxes(value).map((axis) => turned(axis, motion))));
    if (isLength) return tidy(scale(value, motion.factor));
  }
  if (typeof value === "number" && isLength) return tidied(value * motion.factor);
  if (name === "vertices" && Array.isArray(value) && value.every(isTriple)) {
    return value.map((vertex) => tidy(movedPoint(vertex, motion)));
  }
  return undefined;
}

/**
 * The properties that change when something is stretched along its own axes about its place; null for what can
 * only grow in all directions alike.
 */
export function stretchedProperties({ type, properties }: SceneObject, factors: Triple): Properties | null {
  const stretched = (sizes: Triple) =>
    tidy(sizes.map((size, axis) => size * (factors[axis] ?? 1)) as unknown as Triple);
  const { dimensions, radii, scale: size = 1 } = properties;
  if (type === "box" && isTriple(dimensions)) return { dimensions: stretched(dimensions) };
  if (type === "ellipsoid" && isTriple(radii)) return { radii: stretched(radii) };
  if (type !== "mesh") return null;
  if (typeof size === "number") return { scale: stretched([size, size, size]) };
  return isTriple(size) ? { scale: stretched(size) } : null;
}

/** Where an arc begins depends on the normal, so its angles are read off again in the new axes. */
function arcAngles({ normal, start_angle, end_angle }: Properties, motion: Motion): Properties {
  if (!isTriple(normal) || typeof start_angle !== "number" || typeof end_angle !== "number") return {};
  if (Math.abs(end_angle - start_angle) >= 360) return {};
  const [zero, quarter] = ringAxes(normal);
  const start = (start_angle * Math.PI) / 180;
  const first = turned(add(scale(zero, Math.cos(start)), scale(quarter, Math.sin(start))), motion);
  const [newZero, newQuarter] = ringAxes(turned(normal, motion));
  const read = (Math.atan2(dot(first, newQuarter), dot(first, newZero)) * 180) / Math.PI;
  const way = end_angle - start_angle;
  const from = read + way > 360 ? read - 360 : read;
  return { start_angle: tidied(from), end_angle: tidied(from + way) };
}

/** The directions at 0 and at 90 degrees of a ring around `normal`; 90 is as far up as the ring goes. */
export function ringAxes(normal: Triple): readonly [Triple, Triple] {
  const axis = normalized(normal);
  const upwards = subtract([0, 1, 0], scale(axis, axis[1]));
  if (dot(upwards, upwards) < 1e-12) {
    // It lies flat: 0 is +x.
    const zero: Triple = [1, 0, 0];
    return [zero, cross(axis, zero)];
  }
  const quarter = normalized(upwards);
  return [cross(quarter, axis), quarter];
}

export function movedPoint(point: Triple, motion: Motion): Triple {
  const arm = scale(turned(subtract(point, motion.pivot), motion), motion.factor);
  return add(add(motion.pivot, arm), motion.shift);
}

function turned([x, y, z]: Triple, { axes }: Motion): Triple {
  return add(add(scale(axes[0], x), scale(axes[1], y)), scale(axes[2], z));
}

/** The Euler angles in degrees, X, then Y, then Z, that turn the axes to `axes`; the server's `euler_angles`. */
export function eulerAngles(axes: readonly Triple[]): Triple {
  const [x, y, z] = axes as unknown as readonly [Triple, Triple, Triple];
  const sine = Math.min(1, Math.max(-1, -x[2]));
  const angles =
    Math.abs(sine) < 1 - 1e-12
      ? [Math.atan2(y[2], z[2]), Math.asin(sine), Math.atan2(x[1], x[0])]
      : [0, Math.asin(sine), Math.atan2(-y[0], y[1])];
  return angles.map((angle) => (angle * 180) / Math.PI) as unknown as Triple;
}

/** Ten digits, and zero for what is next to it: computed numbers read like typed ones. */
function tidied(number: number): number {
  return Math.abs(number) < 1e-9 ? 0 : Number(number.toPrecision(10));
}

function tidy(numbers: Triple): Triple {
  return numbers.map(tidied) as unknown as Triple;
}
