import { extentOf } from "../../kinds/extents";
import { descriptionOf, frameOf, isLightKind, withDefaults } from "../../kinds/list";
import type { EditCall } from "../../protocol";
import type { Properties, SceneObject } from "../scene";
import { type Member, updateCall } from "../subject";
import { add, cross, dot, isTriple, length, normalized, scale, subtract, type Triple } from "../vector";

/** So near to straight up or down no side of a rectangle is the level one. */
const MAX_STEEPNESS = 0.999;

/** Whether a light shines to one side, so that it can be turned. */
export function canAim({ kind, object }: Member): boolean {
  return kind === "light" && aimedProperties(object, [0, 0, 0]) !== null;
}

/** The calls that turn lights so that they shine at a point. */
export function aimCalls(members: readonly Member[], target: Triple): EditCall[] {
  return members.flatMap((member) => {
    const properties = member.kind === "light" ? aimedProperties(member.object, target) : null;
    return properties === null || Object.keys(properties).length === 0
      ? []
      : [updateCall(member, { properties })];
  });
}

/** What changes of a light that is turned to a point; null for what shines all around. */
function aimedProperties(light: SceneObject, target: Triple): Properties | null {
  if (!isLightKind(light.type)) return null;
  const properties = withDefaults(light);
  const center = extentOf(light)?.center;
  if (center === undefined) return null;
  const way = subtract(target, center);
  if (frameOf(light.type) === "parallelogram") return aimedRectangle(properties, center, way);
  const axis = descriptionOf(light.type)?.properties.find(({ role }) => role === "direction")?.name;
  const { cutoff_angle } = properties;
  const isAllAround =
    frameOf(light.type) === "point" && typeof cutoff_angle === "number" && cutoff_angle >= 180;
  if (axis === undefined || isAllAround) return null;
  return length(way) < 1e-9 ? {} : { [axis]: normalized(way).map(rounded) };
}

/** Turned about its middle; its first edge stays level, as a softbox on a stand. */
function aimedRectangle({ u, v }: Properties, center: Triple, way: Triple): Properties | null {
  if (!isTriple(u) || !isTriple(v)) return null;
  if (length(way) < 1e-9) return {};
  const forward = normalized(way);
  const across = Math.abs(forward[1]) < MAX_STEEPNESS ? cross(forward, [0, 1, 0]) : without(u, forward);
  const right = normalized(length(across) < 1e-9 ? without([1, 0, 0], forward) : across);
  const first = scale(right, dot(u, right) < 0 ? -length(u) : length(u));
  const second = scale(normalized(cross(forward, first)), length(v));
  const corner = subtract(center, scale(add(first, second), 0.5));
  const numbers = (vector: Triple) => vector.map(rounded);
  return { corner: numbers(corner), u: numbers(first), v: numbers(second) };
}

/** The part of a vector that stands on a direction. */
function without(vector: Triple, direction: Triple): Triple {
  return subtract(vector, scale(direction, dot(vector, direction)));
}

/** Computed numbers read like typed ones. */
function rounded(number: number): number {
  return Math.abs(number) < 1e-9 ? 0 : Number(number.toPrecision(10));
}
