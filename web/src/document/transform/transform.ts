import { descriptionOf, withDefaults } from "../../kinds/list";
import type { PropertyInfo } from "../../protocol/generated/kinds";
import { unreachable } from "../../unreachable";
import type { Properties, SceneObject } from "../scene";
import { add, cross, dot, isTriple, normalized, rotatedAxes, scale, subtract, type Triple } from "../vector";

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

/**
 * The properties by which the place and the size of an object are told, also those that it leaves out, after it was
 * moved; null for types that are newer than this page.
 */
export function transformedProperties(
  { type, properties }: Pick<SceneObject, "type" | "properties">,
  transform: Transform,
): Properties | null {
  const description = descriptionOf(type);
  if (description === undefined) return null;
  const moved = transformedValues(description.properties, properties, transform);
  if (description.frame !== "ring" || !isTurn(transform)) return moved;
  return { ...moved, ...arcAngles(withDefaults({ type, properties }), transform) };
}

function isTurn({ axes }: Transform): boolean {
  return axes.some((axis, index) => axis[index] !== 1);
}

/** Of the properties of a moved object those that have other values than before. */
export function changedProperties(object: SceneObject, transform: Transform): Properties | null {
  const moved = transformedProperties(object, transform);
  if (moved === null) return null;
  const before = withDefaults(object);
  const isChanged = ([name, value]: [string, unknown]) =>
    JSON.stringify(value) !== JSON.stringify(before[name]);
  return Object.fromEntries(Object.entries(moved).filter(isChanged));
}

function transformedValues(
  infos: readonly PropertyInfo[],
  properties: Properties,
  transform: Transform,
): Properties {
  const moved = infos.flatMap((info) => {
    const value = properties[info.name] ?? info.default;
    const after = value == null ? undefined : transformedValue(info, value, transform);
    return after === undefined ? [] : [[info.name, after]];
  });
  return Object.fromEntries(moved);
}

/** Undefined for a value that is not of its role, and for what stays the same wherever its object is. */
function transformedValue(info: PropertyInfo, value: unknown, transform: Transform): unknown {
  const { factor } = transform;
  const isTurned = isTurn(transform);
  switch (info.role) {
    case "point":
      return isTriple(value) ? roundVector(transformPoint(value, transform)) : undefined;
    case "points":
      return Array.isArray(value) && value.every(isTriple)
        ? value.map((point) => roundVector(transformPoint(point, transform)))
        : undefined;
    case "edge":
      if (!isTriple(value) || (!isTurned && factor === 1)) return value;
      return roundVector(scale(rotateVector(value, transform), factor));
    case "direction":
      return isTriple(value) && isTurned ? roundVector(rotateVector(value, transform)) : value;
    case "rotation":
      return isTriple(value) && isTurned
        ? roundVector(
            eulerAngles(
              rotatedAxes(value).map((axis) => rotateVector(axis, transform)),
              value,
            ),
          )
        : value;
    case "length":
    case "scale":
      return factor === 1 ? value : mapNumbers(value, (number) => roundNumber(number * factor));
    case "object":
      return transformedObject(info.properties ?? [], value, transform);
    case "emission":
    case "plain":
      return undefined;
    default:
      return unreachable(info.role);
  }
}

function transformedObject(infos: readonly PropertyInfo[], value: unknown, transform: Transform): unknown {
  if (typeof value !== "object") return undefined;
  return { ...value, ...transformedValues(infos, value as Properties, transform) };
}

/** A number or nested lists of numbers with each of them changed; all else stays as it is. */
export function mapNumbers(value: unknown, change: (number: number) => number): unknown {
  if (typeof value === "number") return change(value);
  return Array.isArray(value) ? value.map((each) => mapNumbers(each, change)) : value;
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

/**
 * The Euler angles in degrees, X, then Y, then Z, that turn the axes to `axes`: of the two triples that do, the one
 * nearer to `near`, so that a turn about Y by more than 90 degrees does not read as 180, 79, 180.
 */
export function eulerAngles(axes: readonly Triple[], near: Triple = [0, 0, 0]): Triple {
  const angles = principalAngles(axes);
  const [x, y, z] = angles;
  const other = [x + 180, 180 - y, z + 180].map(withinHalfTurn) as unknown as Triple;
  const wayOf = (each: Triple) =>
    each.reduce((sum, angle, axis) => sum + Math.abs(withinHalfTurn(angle - (near[axis] ?? 0))), 0);
  // Of equally near ones the first: rounding does not choose.
  return wayOf(other) < wayOf(angles) - 1e-6 ? other : angles;
}

/** The same direction as an angle above -180 and up to 180 degrees. */
function withinHalfTurn(angle: number): number {
  return angle - 360 * Math.ceil((angle - 180) / 360);
}

/** The angles with Y between -90 and 90 degrees; the server's `euler_angles`. */
function principalAngles(axes: readonly Triple[]): Triple {
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

export function roundVector(numbers: Triple): Triple {
  return numbers.map(roundNumber) as unknown as Triple;
}
