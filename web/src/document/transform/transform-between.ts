import { descriptionOf, withDefaults } from "../../kinds/list";
import type { Role } from "../../protocol/generated/kinds";
import type { SceneObject } from "../scene";
import { add, isTriple, rotatedAxes, scale, subtract, type Triple } from "../vector";
import { type Transform, transformedProperties } from "./transform";

/** The transform that moves an object from how it was to how it is; null where more than place and size differ. */
export function transformBetween(before: SceneObject, after: SceneObject): Transform | null {
  const [was, is] = [anchorOf(before), anchorOf(after)];
  if (before.type !== after.type || was === null || is === null) return null;
  const transform: Transform = {
    pivot: was.point,
    axes: turnBetween(was.rotation, is.rotation),
    factor: is.size / was.size,
    translation: subtract(is.point, was.point),
  };
  const moved = { ...withDefaults(before), ...transformedProperties(before, transform) };
  // The same rotation has more than one triple of angles.
  const compared = { material: null, ...(is.name !== undefined && { [is.name]: null }) };
  return isNear({ ...moved, ...compared }, { ...withDefaults(after), ...compared }) ? transform : null;
}

/** Its first point, its rotation with the name of that, and a length that grows with it. */
function anchorOf(object: SceneObject) {
  const properties = withDefaults(object);
  const known = descriptionOf(object.type)?.properties ?? [];
  const named = (...roles: Role[]) =>
    known.filter(({ role }) => roles.includes(role)).map(({ name }) => name);
  const point = named("point", "points").map((name) => firstPoint(properties[name]))[0];
  const [name] = named("rotation");
  const rotation = name === undefined ? [0, 0, 0] : properties[name];
  const lengths = named("length").flatMap((each) => [properties[each]].flat(3));
  const size = lengths.find((each) => typeof each === "number" && each > 0) ?? 1;
  return isTriple(point) && isTriple(rotation) ? { point, rotation, name, size: size as number } : null;
}

function firstPoint(value: unknown): unknown {
  return Array.isArray(value) && !isTriple(value) ? value[0] : value;
}

function turnBetween(before: Triple, after: Triple): Transform["axes"] {
  const [was, is] = [rotatedAxes(before), rotatedAxes(after)];
  const image = (axis: 0 | 1 | 2) =>
    is.map((each, index) => scale(each, was[index]?.[axis] ?? 0)).reduce(add, [0, 0, 0]);
  return [image(0), image(1), image(2)];
}

/** The same but for rounding. */
function isNear(a: unknown, b: unknown): boolean {
  if (typeof a === "number" && typeof b === "number") {
    return Math.abs(a - b) <= 1e-6 * Math.max(Math.abs(a), Math.abs(b)) + 1e-9;
  }
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return a === b;
  const [these, those] = [Object.entries(a), Object.keys(b)];
  return (
    these.length === those.length && these.every(([key, value]) => isNear(value, b[key as keyof typeof b]))
  );
}
