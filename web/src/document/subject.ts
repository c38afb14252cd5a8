import type { EditCall } from "../protocol";
import { groupIds, type Properties, type SceneDocument, type SceneObject, usedIds } from "./scene";

/** Stand where ids do in a selection. Ids have no control characters. */
export const CAMERA_KEY = "\tcamera";
export const ENVIRONMENT_KEY = "\tenvironment";
/** Cannot be selected. */
export const ANIMATION_KEY = "\tanimation";

/** A thing of the document that can be selected; `key` is its id, or one of the two keys above. */
export type Subject = { key: string } & (
  | { kind: "shape" | "light"; object: SceneObject; properties: Properties }
  /** `members` are the objects below it, also those of groups inside. */
  | { kind: "group"; members: readonly Member[]; listed: boolean }
  /** Several things at once; its key is all of theirs. */
  | { kind: "many"; members: readonly Member[] }
  | { kind: "camera" | "environment"; properties: Properties }
);

export interface Member {
  kind: "shape" | "light";
  object: SceneObject;
}

export function subjectOf(scene: SceneDocument, key: string): Subject | null {
  if (key === CAMERA_KEY) return { key, kind: "camera", properties: scene.camera };
  if (key === ENVIRONMENT_KEY) return { key, kind: "environment", properties: scene.environment };
  for (const { kind, object } of membersOf(scene)) {
    if (object.id === key) return { key, kind, object, properties: object.properties };
  }
  const listed = scene.groups.some((group) => group.id === key);
  const inside = groupsInside(scene, key);
  const members = membersOf(scene).filter(
    ({ object }) => object.group !== undefined && inside.has(object.group),
  );
  return listed || members.length > 0 ? { key, kind: "group", members, listed } : null;
}

/** All shapes, then all lights. */
export function membersOf(scene: SceneDocument): Member[] {
  return [
    ...scene.shapes.map((object) => ({ kind: "shape" as const, object })),
    ...scene.lights.map((object) => ({ kind: "light" as const, object })),
  ];
}

/** The objects that the keys stand for, each once: a group stands for what is in it. */
export function selectedMembers(scene: SceneDocument, keys: readonly string[]): Member[] {
  const members = membersOf(scene);
  const objects = new Set(members.map(({ object }) => object.id));
  const ids = new Set(keys);
  for (const key of keys.filter((each) => !objects.has(each))) {
    const subject = subjectOf(scene, key);
    if (subject?.kind === "group") for (const { object } of subject.members) ids.add(object.id);
  }
  return members.filter(({ object }) => ids.has(object.id));
}

/** The most ids a message may name as selected; the protocol's limit. */
export const MAX_NAMED = 100;

/**
 * The ids by which a message names what is selected: camera and environment have none. Where those are too many for a
 * message, groups that are selected whole stand for what is in them; what is left may still be too many.
 */
export function namedSelection(scene: SceneDocument, keys: readonly string[]): string[] {
  const known = usedIds(scene);
  const ids = keys.filter((key) => known.has(key));
  if (ids.length <= MAX_NAMED) return ids;
  const named = new Set(ids);
  const all = membersOf(scene);
  const selected = new Set(selectedMembers(scene, ids).map(({ object }) => object.id));
  for (const group of groupIds(scene)) {
    const inside = groupsInside(scene, group);
    const members = all.filter(({ object }) => inside.has(object.group ?? ""));
    if (members.length === 0 || !members.every(({ object }) => selected.has(object.id))) continue;
    for (const { object } of members) named.delete(object.id);
    for (const each of inside) if (each !== group) named.delete(each);
    named.add(group);
  }
  // A group may have been taken before the one around it.
  for (const group of [...named]) {
    for (const each of groupsInside(scene, group)) if (each !== group) named.delete(each);
  }
  return [...named];
}

/** `group` and all groups inside it. */
export function groupsInside(scene: SceneDocument, group: string): Set<string> {
  const inside = new Set([group]);
  let size = 0;
  while (size !== inside.size) {
    size = inside.size;
    for (const { id, parent } of scene.groups) if (parent !== null && inside.has(parent)) inside.add(id);
  }
  return inside;
}

/**
 * The calls that give a property of a thing another value: the same tools that the model uses. A path of two
 * names leads into an object such as the material, which is sent as a whole. What stands for several objects
 * gives it to all that have it.
 */
export function propertyCalls(subject: Subject, path: readonly string[], value: unknown): EditCall[] {
  const [name] = path;
  if (name === undefined) return [];
  switch (subject.kind) {
    case "group":
    case "many":
      return subject.members
        .filter(({ object }) => name in object.properties)
        .map((member) => memberCall(member, path, value));
    case "camera": {
      // The tool wants these two, whatever else it is given.
      const { center, look_at } = subject.properties;
      const args = { center, look_at, [name]: wholeValue(subject.properties, path, value) };
      return [{ name: "set_camera", args }];
    }
    case "environment": {
      const args = { ...subject.properties, [name]: wholeValue(subject.properties, path, value) };
      return [{ name: "set_environment_lighting", args }];
    }
    default: {
      const { material_name: shared } = subject.object;
      if (shared === undefined || name !== "material") return [memberCall(subject, path, value)];
      // Shared by others: it is changed for all of them.
      const material = wholeValue(subject.properties, path, value);
      return [{ name: "share_material", args: { name: shared, material } }];
    }
  }
}

/** How many objects share the material of one, it included; 0 when it is its own. */
export function sharerCount(scene: SceneDocument, { material_name: shared }: SceneObject): number {
  return shared === undefined ? 0 : scene.shapes.filter((shape) => shape.material_name === shared).length;
}

function memberCall(member: Member, path: readonly string[], value: unknown): EditCall {
  const whole = wholeValue(member.object.properties, path, value);
  return updateCall(member, { properties: { [path[0] ?? ""]: whole } });
}

/** What the property a path begins with becomes. */
function wholeValue(properties: Properties, [name = "", inner]: readonly string[], value: unknown): unknown {
  return inner === undefined ? value : { ...(properties[name] as Properties), [inner]: value };
}

/** The call that changes a shape or a light. */
export function updateCall({ kind, object }: Member, updates: Properties): EditCall {
  return { name: `update_${kind}`, args: { id: object.id, updates } };
}
