import { extentOf } from "../kinds/extents";
import type { EditCall } from "../protocol";
import { cornersOf } from "./bounds";
import { freeId } from "./free-id";
import { type SceneDocument, usedIds } from "./scene";
import type { Member } from "./subject";
import { changedProperties, IDENTITY, type Transform } from "./transform";

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
  const aside: Transform = { ...IDENTITY, translation: [totalWidth(members), 0, 0] };
  return members.map(({ kind, object }) => {
    const id = freeId(object.id, taken);
    taken.add(id);
    const group = newGroups.get(object.group) ?? object.group;
    const properties = { ...object.properties, ...changedProperties(object, aside) };
    return {
      name: `create_${kind}`,
      args: { ...object, id, properties, ...(group !== undefined && { group }) },
    };
  });
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
