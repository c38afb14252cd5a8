import type { EditCall } from "../protocol";
import { besides } from "./duplicates";
import { freeId } from "./free-id";
import type { Group, SceneDocument, SceneObject } from "./scene";
import { groupIds, usedIds } from "./scene";
import { groupsInside, type Member, selectedMembers } from "./subject";

/** What tells copied objects from any other text. */
const FORMAT = "scene-llm objects";

interface CopiedObjects {
  format: typeof FORMAT;
  shapes: readonly SceneObject[];
  lights: readonly SceneObject[];
  /** Those that were copied whole. */
  groups: readonly Group[];
}

/** What is selected as a text for the clipboard; null for nothing. */
export function copiedText(scene: SceneDocument, keys: readonly string[]): string | null {
  const members = selectedMembers(scene, keys);
  if (members.length === 0) return null;
  const known = groupIds(scene);
  const whole = new Set(keys.filter((key) => known.has(key)).flatMap((key) => [...groupsInside(scene, key)]));
  const parents = new Map(scene.groups.map(({ id, parent }) => [id, parent]));
  const isWhole = (group: string | null | undefined) => group != null && whole.has(group);
  const objectsOf = (kind: Member["kind"]) =>
    members
      .filter((member) => member.kind === kind)
      .map(({ object: { group, ...object } }) =>
        isWhole(group) ? { ...object, group: group as string } : object,
      );
  const copied: CopiedObjects = {
    format: FORMAT,
    shapes: objectsOf("shape"),
    lights: objectsOf("light"),
    groups: [...whole].map((id) => {
      const parent = parents.get(id) ?? null;
      return { id, parent: isWhole(parent) ? parent : null };
    }),
  };
  return JSON.stringify(copied, null, 1);
}

/**
 * The calls that make copied objects in a scene, and the keys of what they make; null for any other text. They stand
 * where they stood, and beside that in a scene that has them still.
 */
export function pasteCalls(scene: SceneDocument, text: string): { calls: EditCall[]; keys: string[] } | null {
  const copied = parsed(text);
  if (copied === null) return null;
  const { shapes, lights, groups } = copied;
  const taken = usedIds(scene);
  const fresh = (id: string) => {
    const free = freeId(id, taken);
    taken.add(free);
    return free;
  };
  const members: Member[] = [
    ...shapes.map((object) => ({ kind: "shape" as const, object })),
    ...lights.map((object) => ({ kind: "light" as const, object })),
  ];
  const isThere = members.some(({ object }) => taken.has(object.id));
  const newGroups = new Map(groups.map(({ id }) => [id, fresh(id)]));
  const placed = isThere ? besides(members) : members.map(({ object }) => object);
  const created = placed.map((object, index) => {
    const group = newGroups.get(object.group ?? "");
    const { group: _, ...rest } = object;
    const args = { ...rest, id: fresh(object.id), ...(group !== undefined && { group }) };
    return { name: `create_${members[index]?.kind ?? "shape"}`, args };
  });
  const nested = groups.flatMap(({ id, parent }) => {
    const [inner, outer] = [newGroups.get(id), newGroups.get(parent ?? "")];
    return inner === undefined || outer === undefined
      ? []
      : [{ name: "group", args: { id: outer, ids: [inner] } }];
  });
  const loose = created.flatMap(({ args }) => ("group" in args ? [] : [args.id]));
  const outermost = groups.flatMap(({ id, parent }) => (parent === null ? [newGroups.get(id) ?? id] : []));
  return { calls: [...created, ...nested], keys: [...outermost, ...loose] };
}

function parsed(text: string): CopiedObjects | null {
  if (!text.includes(FORMAT)) return null;
  try {
    const { format, shapes, lights, groups } = JSON.parse(text) as Partial<CopiedObjects>;
    const isObject = (each: Partial<SceneObject> | null) =>
      typeof each?.id === "string" && typeof each.type === "string" && typeof each.properties === "object";
    const isWhole = [shapes, lights].every((list) => Array.isArray(list) && list.every(isObject));
    if (format !== FORMAT || !isWhole || !Array.isArray(groups)) return null;
    return { format, shapes: shapes ?? [], lights: lights ?? [], groups };
  } catch {
    return null;
  }
}
