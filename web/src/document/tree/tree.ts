import { type SceneDocument, type SceneObject, STAGE } from "../scene";
import { CAMERA_KEY, ENVIRONMENT_KEY, selectedMembers } from "../subject";

/** One line of the outliner. */
export interface TreeRow {
  key: string;
  kind: "shape" | "light" | "group" | "camera" | "environment";
  label: string;
  /** What kind of shape, light or sky it is; empty for groups. */
  type: string;
  object: SceneObject | null;
  /** From 1. */
  level: number;
  /** The group it is in. */
  parent: string | null;
  /** Its place among those beside it, from 1, and how many those are. */
  position: number;
  siblings: number;
  /** Of groups: whether their members are shown. */
  expanded: boolean | null;
}

type Node = Pick<TreeRow, "key" | "kind" | "label" | "type" | "object">;

/**
 * The lines of the outliner from top to bottom: camera, environment, shapes and groups, lights. A group stands where the
 * first of its shapes does, as far as groups stay in order. Groups are folded but for `open`.
 */
export function rowsOf(scene: SceneDocument, open: ReadonlySet<string>): TreeRow[] {
  const children = childrenOf(scene);
  const type = scene.environment.type;
  const sky = typeof type === "string" ? type : "";
  const top: Node[] = [
    { key: CAMERA_KEY, kind: "camera", label: "Camera", type: "", object: null },
    { key: ENVIRONMENT_KEY, kind: "environment", label: "Environment", type: sky, object: null },
    ...(children.get(null) ?? []),
  ];
  const rows: TreeRow[] = [];
  const walk = (nodes: readonly Node[], level: number, parent: string | null) => {
    nodes.forEach((node, index) => {
      const expanded = node.kind === "group" ? open.has(node.key) : null;
      rows.push({ ...node, level, parent, position: index + 1, siblings: nodes.length, expanded });
      if (expanded) walk(children.get(node.key) ?? [], level + 1, node.key);
    });
  };
  walk(top, 1, null);
  return rows;
}

/** All that is outside of groups, with those as wholes, but for the stage. */
export function everything(scene: SceneDocument): string[] {
  return rowsOf(scene, new Set())
    .filter(({ kind, key }) => kind !== "camera" && kind !== "environment" && key !== STAGE)
    .map(({ key }) => key);
}

/** What is in each group, and under null what is in none. */
function childrenOf(scene: SceneDocument): Map<string | null, Node[]> {
  const children = new Map<string | null, Node[]>();
  /** The groups that are still to come, in each group. */
  const waiting = new Map<string | null, Node[]>();
  const put = (lists: typeof children, parent: string | null, ...nodes: Node[]) => {
    const list = lists.get(parent);
    if (list === undefined) lists.set(parent, nodes);
    else list.push(...nodes);
  };
  const places = groupPlaces(scene);
  /** Those that begin before a place in the list of shapes. */
  const takeGroups = (parent: string | null, place: number): Node[] => {
    const groups = waiting.get(parent) ?? [];
    const isLater = ({ key }: Node) => (places.get(key) ?? 0) >= place;
    const at = groups.findIndex(isLater);
    return groups.splice(0, at === -1 ? groups.length : at);
  };
  const parents = new Map<string, string | null>(scene.groups.map(({ id, parent }) => [id, parent]));
  for (const { group } of [...scene.shapes, ...scene.lights]) {
    if (group !== undefined && !parents.has(group)) parents.set(group, null);
  }
  for (const [id, parent] of parents) {
    put(waiting, parent, { key: id, kind: "group", label: id, type: "", object: null });
  }
  const nodeOf = (kind: "shape" | "light", object: SceneObject): Node => ({
    ...{ key: object.id, kind, label: object.id, type: object.type, object },
  });
  scene.shapes.forEach((shape, place) => {
    const parent = shape.group ?? null;
    put(children, parent, ...takeGroups(parent, place), nodeOf("shape", shape));
  });
  for (const parent of waiting.keys()) put(children, parent, ...takeGroups(parent, Infinity));
  for (const light of scene.lights) put(children, light.group ?? null, nodeOf("light", light));
  return children;
}

/** Where in the list of shapes the first of each group is, of the groups inside it as well; none for those without. */
export function groupPlaces(scene: SceneDocument): Map<string, number> {
  const places = new Map<string, number>();
  scene.shapes.forEach(({ group }, place) => {
    if (group === undefined || places.has(group)) return;
    for (const each of groupPath(scene, group)) if (!places.has(each)) places.set(each, place);
  });
  return places;
}

/** A group and the groups it is in, from the inside out. */
export function groupPath(scene: SceneDocument, group: string): string[] {
  const path: string[] = [];
  for (let at: string | null = group; at !== null && !path.includes(at); ) {
    path.push(at);
    const id: string = at;
    at = scene.groups.find((each) => each.id === id)?.parent ?? null;
  }
  return path;
}

/** Whether a row's object is one of some, such as the hidden ones; a group is when all of its members are. */
export function isMarked(scene: SceneDocument, row: TreeRow, ids: ReadonlySet<string>): boolean {
  if (ids.size === 0) return false;
  if (row.object !== null) return ids.has(row.key);
  const members = row.kind === "group" ? selectedMembers(scene, [row.key]) : [];
  return members.length > 0 && members.every(({ object }) => ids.has(object.id));
}

/** The keys from one row to another, in the order of the rows but `to` last: it becomes the active one. */
export function rangeOf(rows: readonly TreeRow[], from: string, to: string): string[] {
  const at = (key: string) => rows.findIndex((row) => row.key === key);
  const [start, end] = [at(from), at(to)];
  if (start === -1 || end === -1) return [to];
  const keys = rows.slice(Math.min(start, end), Math.max(start, end) + 1).map((row) => row.key);
  return [...keys.filter((key) => key !== to), to];
}

/** The selection with `key` put in or taken out. */
export function toggled(selection: readonly string[], key: string): string[] {
  const others = selection.filter((each) => each !== key);
  return others.length < selection.length ? others : [...others, key];
}
