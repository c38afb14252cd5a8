import { entryOf } from "../kinds/list";
import { TRANSFORMS } from "../kinds/transforms";
import type { Properties, SceneObject } from "./scene";
import { add, cross, dot, isTriple, normalized, rotatedAxes, scale, subtract, type Triple } from "./vector";

/** A similarity transform: scales about the pivot, then rotates about it, then translates. */
export interface Transform {
  pivot: Triple;
  /** Images of the axes; orthonormal, right-handed. */
  axes: readonly [Triple, Triple, Triple];
  /** The factor of all lengths, above 0. */
  factor: number;
  /** In metres. */
  translation: Triple;
}

/** The transform that changes nothing. */
export const IDENTITY: Transform = {
  pivot: [0, 0, 0],
  axes: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  factor: 1,
  translation: [0, 0, 0],
};

/** What names of properties mean, whatever they stand on. */
const POINTS = ["center", "corner", "base_center", "top_center", "start", "end", "translation"];
const EDGES = ["u", "v"];
const DIRECTIONS = ["normal", "direction"];
const LENGTHS = ["radius", "base_radius", "top_radius", "thickness", "dimensions", "radii", "scale"];

/**
 * The properties that change when an object is moved, with their new values; null for types that are newer
 * than this page.
 */
export function transformedProperties(
  { type, properties }: SceneObject,
  transform: Transform,
): Properties | null {
  const kind = entryOf(TRANSFORMS, type);
  if (kind == null) return null;
  const moved: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(properties)) {
    const after = transformedValue(name, value, transform);
    if (after !== undefined) moved[name] = after;
  }
  for (const [name, value] of Object.entries(kind.defaults ?? {})) {
    if (properties[name] === undefined) moved[name] = transformedValue(name, value, transform);
  }
  if (kind.hasArc) Object.assign(moved, arcAngles(properties, transform));
  return moved;
}

function transformedValue(name: string, value: unknown, transform: Transform): unknown {
  const isLength = LENGTHS.includes(name);
  if (isTriple(value)) {
    if (POINTS.includes(name)) return roundVector(transformPoint(value, transform));
    if (EDGES.includes(name)) return roundVector(scale(rotateVector(value, transform), transform.factor));
    if (DIRECTIONS.includes(name)) return roundVector(rotateVector(value, transform));
    if (name === "rotation")
      return roundVector(eulerAngles(rotatedAxes(value).map((axis) => rotateVector(axis, transform))));
    if (isLength) return roundVector(scale(value, transform.factor));
  }
  if (typeof value === "number" && isLength) return roundNumber(value * transform.factor);
  if (name === "vertices" && Array.isArray(value) && value.every(isTriple)) {
    return value.map((vertex) => roundVector(transformPoint(vertex, transform)));
  }
  return undefined;
}

/**
 * The properties that change when something is stretched along its own axes about its place; null for what can
 * only grow in all directions alike.
 */
export function stretchedProperties({ type, properties }: SceneObject, factors: Triple): Properties | null {
  const stretched = (sizes: Triple) =>
    roundVector(sizes.map((size, axis) => size * (factors[axis] ?? 1)) as unknown as Triple);
  const name = entryOf(TRANSFORMS, type)?.stretched;
  if (name === undefined) return null;
  const size = properties[name] ?? entryOf(TRANSFORMS, type)?.defaults?.[name];
  if (typeof size === "number") return { [name]: stretched([size, size, size]) };
  return isTriple(size) ? { [name]: stretched(size) } : null;
}

/** Where an arc begins depends on the normal, so its angles are read off again in the new axes. */
function arcAngles({ normal, start_angle, end_angle }: Properties, transform: Transform): Properties {
  if (!isTriple(normal) || typeof start_angle !== "number" || typeof end_angle !== "number") return {};
  if (Math.abs(end_angle - start_angle) >= 360) return {};
  const [zero, quarter] = torusAxes(normal);
  const start = (start_angle * Math.PI) / 180;
  const first = rotateVector(add(scale(zero, Math.cos(start)), scale(quarter, Math.sin(start))), transform);
  const [newZero, newQuarter] = torusAxes(rotateVector(normal, transform));
  const read = (Math.atan2(dot(first, newQuarter), dot(first, newZero)) * 180) / Math.PI;
  const way = end_angle - start_angle;
  const from = read + way > 360 ? read - 360 : read;
  return { start_angle: roundNumber(from), end_angle: roundNumber(from + way) };
}

/** The directions at 0 and at 90 degrees of a ring around `normal`; 90 is as far up as the ring goes. */
export function torusAxes(normal: Triple): readonly [Triple, Triple] {
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

export function transformPoint(point: Triple, transform: Transform): Triple {
  const arm = scale(rotateVector(subtract(point, transform.pivot), transform), transform.factor);
  return add(add(transform.pivot, arm), transform.translation);
}

function rotateVector([x, y, z]: Triple, { axes }: Transform): Triple {
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
function roundNumber(number: number): number {
  return Math.abs(number) < 1e-9 ? 0 : Number(number.toPrecision(10));
}

function roundVector(numbers: Triple): Triple {
  return numbers.map(roundNumber) as unknown as Triple;
}
