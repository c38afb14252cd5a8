import { descriptionOf, frameOf, withDefaults } from "../../kinds/list";
import type { Properties, SceneObject } from "../scene";
import { add, dot, isTriple, rotatedAxes, scale, subtract, type Triple } from "../vector";
import { planeOf, planeProperties } from "./plane";
import { roundVector } from "./transform";

/** The axes along which an object can be stretched; null for what can only grow in all directions alike. */
export function stretchAxes(object: SceneObject): readonly [Triple, Triple, Triple] | null {
  if (stretchedProperties(object, [1, 1, 1]) === null) return null;
  const rotation = rectangleOf(object)?.rotation ?? object.properties.rotation;
  return isTriple(rotation) ? rotatedAxes(rotation) : null;
}

function rectangleOf({ type, properties }: SceneObject) {
  return frameOf(type) === "parallelogram" ? planeOf(properties) : null;
}

/**
 * The properties that change when something is stretched along its own axes about `pivot`, or about its place; null
 * for what can only grow in all directions alike.
 */
export function stretchedProperties(object: SceneObject, factors: Triple, pivot?: Triple): Properties | null {
  const rectangle = rectangleOf(object);
  if (rectangle !== null) {
    const [width, , depth] = factors;
    const center = movedAlong(rectangle.center, pivot, rotatedAxes(rectangle.rotation), factors);
    const size = [rectangle.size[0] * width, rectangle.size[1] * depth] as const;
    return planeProperties({ ...rectangle, center, size });
  }
  const description = descriptionOf(object.type);
  const name = description?.sizes;
  if (name == null) return null;
  const size = withDefaults(object)[name];
  const sizes = typeof size === "number" ? ([size, size, size] as const) : size;
  if (!isTriple(sizes)) return null;
  const stretched = sizes.map((length, axis) => length * (factors[axis] ?? 1));
  const sized = { [name]: roundVector(stretched as unknown as Triple) };
  const properties = withDefaults(object);
  const place = description?.properties.find(({ role }) => role === "point")?.name;
  const from = place === undefined ? null : properties[place];
  if (pivot === undefined || place === undefined || !isTriple(from)) return sized;
  const axes = rotatedAxes(isTriple(properties.rotation) ? properties.rotation : [0, 0, 0]);
  return { ...sized, [place]: roundVector(movedAlong(from, pivot, axes, factors)) };
}

/** A point after a stretch along axes about `pivot`; it stays without one. */
function movedAlong(
  point: Triple,
  pivot: Triple | undefined,
  axes: readonly [Triple, Triple, Triple],
  factors: Triple,
): Triple {
  if (pivot === undefined) return point;
  const arm = subtract(point, pivot);
  return axes.map((axis, index) => scale(axis, (factors[index] ?? 1) * dot(arm, axis))).reduce(add, pivot);
}
