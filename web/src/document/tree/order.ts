import type { EditCall } from "../../protocol";
import { groupIds, type SceneDocument } from "../scene";
import { movable, moveToGroupCalls, outermost, parentOf } from "./grouping";
import { groupPlaces } from "./tree";

export type Side = "before" | "after";
type ListName = "shapes" | "lights" | "groups";

/**
 * The calls that put objects and groups beside another one: into the group it is in, and those of its kind right before
 * or after it. Shapes, lights and groups stand in lists of their own.
 */
export function moveBesideCalls(
  scene: SceneDocument,
  keys: readonly string[],
  beside: string,
  side: Side,
): EditCall[] {
  const group = parentOf(scene, beside);
  const moves = moveToGroupCalls(scene, keys, group);
  const moved = new Set(movable(scene, keys, group));
  const name = listOf(scene, beside);
  if (name === null) return moves;
  const list = idsOf(scene, name);
  // What stands in that group already has no call of its own; what holds the group cannot be put into it.
  const ids = outermost(scene, keys).filter(
    (id) => id !== beside && list.includes(id) && (moved.has(id) || parentOf(scene, id) === group),
  );
  if (ids.length === 0) return moves;
  const others = list.filter((id) => !ids.includes(id));
  const before = others[others.indexOf(beside) + (side === "after" ? 1 : 0)];
  const reorder: EditCall = { name: "reorder", args: { ids, ...(before !== undefined && { before }) } };
  const isAsItWas =
    moves.length === 0 && idsOf(reordered(scene, ids, before), name).every((id, index) => id === list[index]);
  return isAsItWas ? [] : [...moves, reorder];
}

/** The calls that move what is selected up or down by one among those beside it; none at the end of them. */
export function stepCalls(scene: SceneDocument, selection: readonly string[], step: -1 | 1): EditCall[] {
  const keys = outermost(scene, selection);
  const active = keys.at(-1);
  const name = active === undefined ? null : listOf(scene, active);
  if (active === undefined || name === null) return [];
  const group = parentOf(scene, active);
  const beside = idsOf(scene, name).filter((id) => parentOf(scene, id) === group);
  const moving = beside.filter((id) => keys.includes(id));
  const edge = step === -1 ? beside.indexOf(moving[0] ?? "") : beside.indexOf(moving.at(-1) ?? "");
  const neighbor = beside[edge + step];
  if (neighbor === undefined) return [];
  return moveBesideCalls(scene, moving, neighbor, step === -1 ? "before" : "after");
}

/** The calls that put a group among those beside it to where the first of its shapes stands. */
export function groupPlaceCalls(scene: SceneDocument, id: string): EditCall[] {
  const places = groupPlaces(scene);
  const placeOf = (group: string) => places.get(group) ?? 0;
  const beside = idsOf(scene, "groups").filter((group) => parentOf(scene, group) === parentOf(scene, id));
  const before = beside.find((group) => placeOf(group) > placeOf(id));
  if (before === undefined || beside.indexOf(id) < beside.indexOf(before)) return [];
  return [{ name: "reorder", args: { ids: [id], before } }];
}

/** The scene in another order, as the server makes it. */
export function reordered(
  scene: SceneDocument,
  ids: readonly string[],
  before: string | undefined,
): SceneDocument {
  const name = listOf(scene, ids[0] ?? "");
  if (name === null) return scene;
  const known = new Set(scene.groups.map(({ id }) => id));
  const carried = [...groupIds(scene)].filter((id) => !known.has(id)).map((id) => ({ id, parent: null }));
  const lists = name === "groups" ? { ...scene, groups: [...scene.groups, ...carried] } : scene;
  return { ...lists, [name]: placed<{ id: string }>(lists[name], ids, before) };
}

function placed<T extends { id: string }>(
  list: readonly T[],
  ids: readonly string[],
  before: string | undefined,
): T[] {
  const moved = list.filter(({ id }) => ids.includes(id));
  const rest = list.filter(({ id }) => !ids.includes(id));
  const at = rest.findIndex(({ id }) => id === before);
  rest.splice(at === -1 ? rest.length : at, 0, ...moved);
  return rest;
}

function listOf(scene: SceneDocument, key: string): ListName | null {
  if (scene.shapes.some(({ id }) => id === key)) return "shapes";
  if (scene.lights.some(({ id }) => id === key)) return "lights";
  return groupIds(scene).has(key) ? "groups" : null;
}

function idsOf(scene: SceneDocument, name: ListName): string[] {
  return name === "groups" ? [...groupIds(scene)] : scene[name].map(({ id }) => id);
}
