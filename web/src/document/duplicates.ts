import { extentOf } from "../kinds/extents";
import type { EditCall } from "../protocol";
import { cornersOf } from "./bounds";
import { freeId } from "./free-id";
import { type SceneDocument, type SceneObject, usedIds } from "./scene";
import type { Member } from "./subject";
import { changedProperties, IDENTITY, type Transform } from "./transform/transform";

/** How far a copy stands beside an object of unknown size, in metres. */
const DEFAULT_OFFSET_M = 0.5;

/**
 * The calls that make a copy of each object beside it, along x, by the width of all of them. Copies of what is
 * in `groups`, which are copied whole, make groups of their own.
 */
export function duplicateCalls(
  scene: SceneDocument,
  members: readonly Member[],
  groups: ReadonlySet<string> = new Set(),
): EditCall[] {
  const taken = usedIds(scene);
  const newGroups = new Map<string | undefined, string>();
  for (const group of groups) {
    const id = freeId(group, taken);
    taken.add(id);
    newGroups.set(group, id);
  }
  return besides(members).map((object, index) => {
    const id = freeId(object.id, taken);
    taken.add(id);
    const group = newGroups.get(object.group) ?? object.group;
    return {
      name: `create_${members[index]?.kind ?? "shape"}`,
      args: { ...object, id, ...(group !== undefined && { group }) },
    };
  });
}

/** The objects as they stand along x beside where they are, clear of all of them. */
export function besides(members: readonly Member[]): SceneObject[] {
  const aside: Transform = { ...IDENTITY, translation: [totalWidth(members), 0, 0] };
  return members.map(({ object }) => ({
    ...object,
    properties: { ...object.properties, ...changedProperties(object, aside) },
  }));
}

/** From the lowest to the highest x, and a tenth of that as a gap. */
function totalWidth(members: readonly Member[]): number {
  const across = members.flatMap(({ object }) => {
    const extent = extentOf(object);
    return extent === null ? [] : cornersOf(extent).map(([x]) => x);
  });
  const width =
    across.reduce((most, x) => Math.max(most, x), -Infinity) -
    across.reduce((least, x) => Math.min(least, x), Infinity);
  return width > 0 ? Number((1.1 * width).toPrecision(3)) : DEFAULT_OFFSET_M;
}
