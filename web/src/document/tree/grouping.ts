import type { EditCall } from "../../protocol";
import { freeId } from "../free-id";
import { groupIds, type SceneDocument, usedIds } from "../scene";
import { CAMERA_KEY, ENVIRONMENT_KEY, groupsInside, membersOf, updateCall } from "../subject";

/** The calls that put what is selected into a new group, and what that is called; null for nothing. */
export function groupCalls(
  scene: SceneDocument,
  selection: readonly string[],
): { id: string; calls: EditCall[] } | null {
  const ids = outermost(scene, selection);
  if (ids.length === 0) return null;
  const id = freeId("group", usedIds(scene));
  // What stood side by side in a group stays in it.
  const parents = new Set(ids.map((each) => parentOf(scene, each)));
  const [parent] = parents.size === 1 ? parents : [null];
  const calls: EditCall[] = [{ name: "group", args: { id, ids } }];
  if (parent != null) calls.push({ name: "group", args: { id: parent, ids: [id] } });
  return { id, calls };
}

/** The calls that dissolve the selected groups, and what was in them; null when no group is selected. */
export function ungroupCalls(
  scene: SceneDocument,
  selection: readonly string[],
): { members: string[]; calls: EditCall[] } | null {
  const groups = selection.filter((key) => groupIds(scene).has(key));
  if (groups.length === 0) return null;
  const members = groups.flatMap((group) => directMembers(scene, group));
  return { members, calls: groups.map((id) => ({ name: "ungroup", args: { id } })) };
}

/**
 * The calls that give a group another name: there is no such tool, so a new group takes over what is in the
 * old one, and its place.
 */
export function renameGroupCalls(scene: SceneDocument, from: string, to: string): EditCall[] {
  const parent = parentOf(scene, from);
  const ids = directMembers(scene, from);
  if (ids.length === 0) return [];
  const isListed = scene.groups.some((group) => group.id === from);
  return [
    { name: "group", args: { id: to, ids } },
    // One that was only carried is gone with the last thing that carried it.
    ...(isListed ? [{ name: "ungroup", args: { id: from } }] : []),
    ...(parent === null ? [] : [{ name: "group", args: { id: parent, ids: [to] } }]),
  ];
}

/** The objects and groups that can be put into a group, or with null into none: those that are not there already. */
export function movable(scene: SceneDocument, keys: readonly string[], group: string | null): string[] {
  return outermost(scene, keys).filter(
    (key) => parentOf(scene, key) !== group && (group === null || !groupsInside(scene, key).has(group)),
  );
}

/** The calls that put objects and groups into a group, or with null into none. */
export function moveToGroupCalls(
  scene: SceneDocument,
  keys: readonly string[],
  group: string | null,
): EditCall[] {
  const ids = movable(scene, keys, group);
  if (ids.length === 0) return [];
  if (group !== null) return [{ name: "group", args: { id: group, ids } }];
  const free = membersOf(scene).filter(({ object }) => ids.includes(object.id));
  const groups = ids.filter((id) => groupIds(scene).has(id));
  return [
    ...free.map((member) => updateCall(member, { group: null })),
    ...groups.flatMap((id) => freeGroupCalls(scene, id)),
  ];
}

/** No tool takes a group out of another one: another group keeps its place meanwhile. */
function freeGroupCalls(scene: SceneDocument, id: string): EditCall[] {
  const ids = directMembers(scene, id);
  if (ids.length === 0) return [];
  const meanwhile = freeId(id, usedIds(scene));
  return [
    { name: "group", args: { id: meanwhile, ids } },
    { name: "ungroup", args: { id } },
    { name: "group", args: { id, ids } },
    { name: "ungroup", args: { id: meanwhile } },
  ];
}

/** What stands in the group itself, not in groups inside it. */
export function directMembers(scene: SceneDocument, group: string): string[] {
  const inside = (object: { id: string; group?: string }) => object.group === group;
  return [
    ...scene.shapes.filter(inside),
    ...scene.lights.filter(inside),
    ...scene.groups.filter(({ parent }) => parent === group),
  ].map(({ id }) => id);
}

/** The group that an object or a group is in itself. */
export function parentOf(scene: SceneDocument, key: string): string | null {
  const group = scene.groups.find(({ id }) => id === key);
  if (group !== undefined) return group.parent;
  return [...scene.shapes, ...scene.lights].find(({ id }) => id === key)?.group ?? null;
}

/** The selected objects and groups without those that are in a selected group. */
export function outermost(scene: SceneDocument, selection: readonly string[]): string[] {
  const selected = new Set(selection);
  return selection.filter((key) => {
    if (key === CAMERA_KEY || key === ENVIRONMENT_KEY) return false;
    const seen = new Set([key]);
    for (let at = parentOf(scene, key); at !== null && !seen.has(at); at = parentOf(scene, at)) {
      if (selected.has(at)) return false;
      seen.add(at);
    }
    return true;
  });
}
