import { extentOf } from "../kinds/extents";
import type { EditCall } from "../protocol";
import { cornersOf } from "./bounds";
import { freeId } from "./free-id";
import { type Properties, type SceneDocument, usedIds } from "./scene";
import type { Member } from "./subject";
import { add, isTriple, type Triple } from "./vector";

/** Properties that say where an object is; all of them move with it. */
const POSITION_PROPERTIES = ["center", "corner", "base_center", "top_center", "start", "end", "translation"];

/** Lists of points in the world, all of which move with it. */
const POINT_LISTS = ["vertices", "points"];

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
  const offset: Triple = [totalWidth(members), 0, 0];
  return members.map(({ kind, object }) => {
    const id = freeId(object.id, taken);
    taken.add(id);
    const group = newGroups.get(object.group) ?? object.group;
    const properties = translated(object.properties, offset);
    return {
      name: `create_${kind}`,
      args: { ...object, id, properties, ...(group !== undefined && { group }) },
    };
  });
}

function translated(properties: Properties, offset: Triple): Properties {
  const places = POSITION_PROPERTIES.flatMap((name) => {
    const place = properties[name];
    return isTriple(place) ? [[name, rounded(add(place, offset))] as const] : [];
  });
  const lists = POINT_LISTS.flatMap((name) => {
    const points = properties[name];
    if (!Array.isArray(points)) return [];
    return [[name, points.map((point) => (isTriple(point) ? rounded(add(point, offset)) : point))] as const];
  });
  return { ...properties, ...Object.fromEntries([...places, ...lists]) };
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

/** Without the last digits that adding leaves behind. */
function rounded(point: Triple): Triple {
  return point.map((coordinate) => Number(coordinate.toFixed(6))) as unknown as Triple;
}
