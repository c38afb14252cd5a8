import type { EditCall, SceneChange } from "../protocol";
import { type AnimationUpdate, animationAfter } from "./motion/animation";
import { groupIds, type Properties, type SceneDocument, type SceneObject } from "./scene";
import { ANIMATION_KEY, CAMERA_KEY, ENVIRONMENT_KEY } from "./subject";
import { reordered } from "./tree/order";

/** The arguments of the tools that change the scene, as far as this page uses them. */
interface CallArguments {
  id?: string;
  type?: string;
  properties?: Properties;
  group?: string;
  /** Of `group`: what is put into it; of `reorder`: what moves. */
  ids?: readonly string[];
  /** Of `reorder`. */
  before?: string;
  updates?: { id?: string; type?: string; properties?: Properties; group?: string | null };
}

/**
 * The scene as it will be when the server accepts the calls: what is shown until it answers. A call that does
 * not fit changes nothing here; the server says why.
 */
export function applyCalls(scene: SceneDocument, calls: readonly EditCall[]): SceneDocument {
  return calls.reduce(applyCall, scene);
}

function applyCall(scene: SceneDocument, { name, args }: EditCall): SceneDocument {
  const given = args as CallArguments;
  switch (name) {
    case "create_shape":
      return { ...scene, shapes: [...scene.shapes, args as SceneObject] };
    case "create_light":
      return { ...scene, lights: [...scene.lights, args as SceneObject] };
    case "update_shape":
      return { ...scene, shapes: updated(scene.shapes, given) };
    case "update_light":
      return { ...scene, lights: updated(scene.lights, given) };
    case "remove_shape":
      return { ...scene, shapes: scene.shapes.filter((shape) => shape.id !== given.id) };
    case "remove_light":
      return { ...scene, lights: scene.lights.filter((light) => light.id !== given.id) };
    case "set_camera":
      return { ...scene, camera: merged(scene.camera, args as Properties, true) };
    case "set_environment_lighting":
      return { ...scene, environment: args as Properties };
    case "set_animation":
      return { ...scene, animation: animationAfter(scene.animation, args as AnimationUpdate) };
    case "group":
      return grouped(scene, given.id ?? "", new Set(given.ids));
    case "ungroup":
      return ungrouped(scene, given.id ?? "");
    case "reorder":
      return reordered(scene, given.ids ?? [], given.before);
    default:
      return scene;
  }
}

function updated(list: readonly SceneObject[], { id, updates = {} }: CallArguments): readonly SceneObject[] {
  return list.map((object) => {
    if (object.id !== id) return object;
    const { group: before, ...rest } = object;
    const group = updates.group === undefined ? before : updates.group;
    return {
      ...rest,
      id: updates.id ?? object.id,
      type: updates.type ?? object.type,
      properties: merged(object.properties, updates.properties ?? {}, false),
      ...(group != null && { group }),
    };
  });
}

/** Objects are put into the group, groups become parts of it; it is listed when it is new. */
function grouped(scene: SceneDocument, id: string, ids: ReadonlySet<string>): SceneDocument {
  const put = (object: SceneObject) => (ids.has(object.id) ? { ...object, group: id } : object);
  const inner = [...groupIds(scene)].filter((group) => ids.has(group));
  const others = scene.groups.filter((group) => !ids.has(group.id));
  const isNew = !groupIds(scene).has(id);
  return {
    ...scene,
    shapes: scene.shapes.map(put),
    lights: scene.lights.map(put),
    groups: [
      ...others,
      ...(isNew ? [{ id, parent: null }] : []),
      ...inner.map((group) => ({ id: group, parent: id })),
    ],
  };
}

/** What was in the group is in its parent, if it had one. */
function ungrouped(scene: SceneDocument, id: string): SceneDocument {
  const parent = scene.groups.find((group) => group.id === id)?.parent ?? null;
  const free = (object: SceneObject) => {
    if (object.group !== id) return object;
    const { group: _, ...rest } = object;
    return parent === null ? rest : { ...rest, group: parent };
  };
  return {
    ...scene,
    shapes: scene.shapes.map(free),
    lights: scene.lights.map(free),
    groups: scene.groups
      .filter((group) => group.id !== id)
      .map((group) => (group.parent === id ? { ...group, parent } : group)),
  };
}

/** Null goes back to the default: the camera spells that out as null, others leave it to the server. */
function merged(properties: Properties, updates: Properties, keepNull: boolean): Properties {
  const all = Object.entries({ ...properties, ...updates });
  return Object.fromEntries(keepNull ? all : all.filter(([, value]) => value !== null));
}

/** The keys of the things a call is about, under their old and new names. */
export function targetsOf({ name, args }: EditCall): string[] {
  if (name === "set_camera") return [CAMERA_KEY];
  if (name === "set_animation") return [ANIMATION_KEY];
  if (name === "set_environment_lighting") return [ENVIRONMENT_KEY];
  if (name === "stage") return ["stage_ground", "stage_key_light", "stage_fill_light"];
  const { id, updates, ids = [] } = args as CallArguments;
  return [id, updates?.id, ...ids].filter((key) => key !== undefined);
}

/** The keys of objects and groups that differ between two scenes. */
export function changedKeys(before: SceneDocument, after: SceneDocument): string[] {
  const keys = new Set<string>();
  for (const list of ["shapes", "lights", "groups"] as const) {
    const [old, now] = [new Set<unknown>(before[list]), new Set<unknown>(after[list])];
    for (const entry of before[list]) if (!now.has(entry)) keys.add(entry.id);
    for (const entry of after[list]) if (!old.has(entry)) keys.add(entry.id);
  }
  return [...keys];
}

/** Old and new name, when the calls give something another one. */
export function renamingsOf(calls: readonly EditCall[]): Map<string, string> {
  const renamings = new Map<string, string>();
  for (const { args } of calls) {
    const { id, updates } = args as CallArguments;
    if (id !== undefined && updates?.id !== undefined) renamings.set(id, updates.id);
  }
  return renamings;
}

/** Old and new name of those among `keys` that changes tell as gone and as new, the same but for the name. */
export function renamingsIn(changes: readonly SceneChange[], keys: readonly string[]): Map<string, string> {
  const renamings = new Map<string, string>();
  const gone = changes.filter(({ op, id }) => op === "remove" && id !== null && keys.includes(id));
  if (gone.length === 0) return renamings;
  const made = new Map<string, string>();
  for (const { op, kind, id, after } of changes) {
    if (op === "create" && id !== null) made.set(`${kind} ${withoutId(after)}`, id);
  }
  for (const { kind, id, before } of gone) {
    const name = made.get(`${kind} ${withoutId(before)}`);
    if (id !== null && name !== undefined) renamings.set(id, name);
  }
  return renamings;
}

function withoutId(object: unknown): string {
  return JSON.stringify({ ...(object as object), id: null });
}
