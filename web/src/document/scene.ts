import type { SceneChange } from "../protocol";
import type { Animation } from "./motion/animation";

/** What an object is, by name; values are as the scene file has them. */
export type Properties = Readonly<Record<string, unknown>>;

/** A shape or a light. Its type may be newer than this page. */
export interface SceneObject {
  readonly id: string;
  readonly type: string;
  readonly properties: Properties;
  readonly group?: string;
  /** The name by which its material is shared. */
  readonly material_name?: string;
}

export interface Group {
  readonly id: string;
  readonly parent: string | null;
}

/** The page's copy of the scene. It never changes in place: what did not change stays the same object. */
export interface SceneDocument {
  readonly shapes: readonly SceneObject[];
  readonly lights: readonly SceneObject[];
  /** Those that are listed; one that is only carried by objects need not be. */
  readonly groups: readonly Group[];
  readonly environment: Properties;
  readonly camera: Properties;
  /** Null while nothing is animated. */
  readonly animation: Animation | null;
}

export const EMPTY_SCENE: SceneDocument = {
  shapes: [],
  lights: [],
  groups: [],
  environment: {},
  camera: {},
  animation: null,
};

/** The group of what a scene gets with its first object: ground, light, camera. */
export const STAGE = "stage";

/** Whether it is what the things of a stage stand on, a ground as far as one sees. */
export function isStageGround({ id, group }: SceneObject): boolean {
  return id === "stage_ground" && group === STAGE;
}

/** Reads the scene of a welcome; its form is the server's promise, lists it leaves out are empty. */
export function readScene(file: Record<string, unknown>): SceneDocument {
  const read = { ...EMPTY_SCENE, ...file } as SceneDocument;
  const { shapes, lights, groups, environment, camera, animation } = read;
  return { shapes, lights, groups, environment, camera, animation };
}

/** The scene after a `scene_changed`. What it says of kinds this page does not know is left out. */
export function applyChanges(scene: SceneDocument, changes: readonly SceneChange[]): SceneDocument {
  const of = (kind: SceneChange["kind"]) => changes.filter((change) => change.kind === kind);
  return {
    shapes: applyListChanges(scene.shapes, of("shape")),
    lights: applyListChanges(scene.lights, of("light")),
    groups: applyListChanges(scene.groups, of("group")),
    environment: applyWholeChange(scene.environment, of("environment")),
    camera: applyWholeChange(scene.camera, of("camera")),
    animation: applyWholeChange(scene.animation, of("animation")),
  };
}

/** Removes what is gone or moved, replaces what stays, then inserts what has an index, in order. */
function applyListChanges<T extends { id: string }>(
  list: readonly T[],
  changes: readonly SceneChange[],
): readonly T[] {
  if (changes.length === 0) return list;
  const gone = new Set<string | null>();
  const replaced = new Map<string | null, T>();
  const placed: { index: number; entry: T; moved: boolean }[] = [];
  for (const change of changes) {
    const { op, id, after, index } = change;
    if (op === "remove") gone.add(id);
    else if (index === undefined) replaced.set(id, after as T);
    else {
      gone.add(id);
      placed.push({ index, entry: after as T, moved: isOfOrderOnly(change) });
    }
  }
  const next = list.filter((entry) => !gone.has(entry.id)).map((entry) => replaced.get(entry.id) ?? entry);
  // What only moved in the list stays the same object.
  const same = new Map(list.map((entry) => [entry.id, entry]));
  for (const { index, entry, moved } of placed) next.splice(index, 0, (moved && same.get(entry.id)) || entry);
  return next;
}

/** Whether an object is as it was, and only its list has another order. */
export function isOfOrderOnly({ op, before, after, index }: SceneChange): boolean {
  return op === "update" && index !== undefined && JSON.stringify(before) === JSON.stringify(after);
}

function applyWholeChange<T>(whole: T, changes: readonly SceneChange[]): T {
  const last = changes.at(-1);
  return last === undefined ? whole : (last.after as T);
}

/** The groups that are listed or carried by an object. */
export function groupIds(scene: SceneDocument): Set<string> {
  const ids = new Set(scene.groups.map((group) => group.id));
  for (const { group } of [...scene.shapes, ...scene.lights]) if (group !== undefined) ids.add(group);
  return ids;
}

/** All ids that are taken. */
export function usedIds(scene: SceneDocument): Set<string> {
  const ids = groupIds(scene);
  for (const { id } of [...scene.shapes, ...scene.lights]) ids.add(id);
  return ids;
}
