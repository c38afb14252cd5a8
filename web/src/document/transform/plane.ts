import type { Properties } from "../scene";
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
} from "../vector";
import { eulerAngles } from "./transform";

/** Where a rectangle faces without a rotation: planes up, lights down. */
export type Facing = "up" | "down";

/** A rectangle as one thinks of it; the document has a corner and two edges. */
export interface Plane {
  /** In meters. */
  center: Triple;
  /** Along its own x and z, in meters. */
  size: readonly [number, number];
  /** Degrees; without any it lies flat. */
  rotation: Triple;
}

/** Null for what has no right angles. `near` chooses among angles that say the same. */
export function planeOf({ corner, u, v }: Properties, facing: Facing = "up", near?: Triple): Plane | null {
  if (!isTriple(corner) || !isTriple(u) || !isTriple(v)) return null;
  const [width, depth] = [length(u), length(v)];
  if (!(width > 0 && depth > 0) || Math.abs(dot(u, v)) > 1e-6 * width * depth) return null;
  const x = normalized(u);
  const z = scale(normalized(v), SIGNS[facing]);
  return {
    center: add(corner, scale(add(u, v), 0.5)),
    size: [width, depth],
    rotation: eulerAngles([x, cross(z, x), z], near).map(rounded) as unknown as Triple,
  };
}

/** Of the second edge along the rectangle's own z. */
const SIGNS: Readonly<Record<Facing, number>> = { up: -1, down: 1 };

export function planeProperties(
  { center, size: [width, depth], rotation }: Plane,
  facing: Facing = "up",
): Properties {
  const [x, , z] = rotatedAxes(rotation);
  const u = scale(x, width);
  const v = scale(z, SIGNS[facing] * depth);
  const corner = subtract(center, scale(add(u, v), 0.5));
  const numbers = (vector: Triple) => vector.map(rounded);
  return { corner: numbers(corner), u: numbers(u), v: numbers(v) };
}

/** Computed numbers read like typed ones. */
function rounded(number: number): number {
  return Math.abs(number) < 1e-9 ? 0 : Number(number.toPrecision(10));
}
