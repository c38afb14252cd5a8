import type { EditCall, SceneChange } from "../protocol";
import type { Properties, SceneDocument, SceneObject } from "./scene";
import { CAMERA_KEY, ENVIRONMENT_KEY } from "./subject";

/** The arguments of the tools that change the scene, as far as this page uses them. */
interface CallArguments {
  id?: string;
  type?: string;
  properties?: Properties;
  group?: string;
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

/** Null goes back to the default: the camera spells that out as null, others leave it to the server. */
function merged(properties: Properties, updates: Properties, keepNull: boolean): Properties {
  const all = Object.entries({ ...properties, ...updates });
  return Object.fromEntries(keepNull ? all : all.filter(([, value]) => value !== null));
}

/** The keys of the things a call is about, under their old and new names. */
export function targetsOf({ name, args }: EditCall): string[] {
  if (name === "set_camera") return [CAMERA_KEY];
  if (name === "set_environment_lighting") return [ENVIRONMENT_KEY];
  const { id, updates } = args as CallArguments;
  return [id, updates?.id].filter((key) => key !== undefined);
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
    if (op === "create" && id !== null) made.set(`${kind} ${unnamed(after)}`, id);
  }
  for (const { kind, id, before } of gone) {
    const name = made.get(`${kind} ${unnamed(before)}`);
    if (id !== null && name !== undefined) renamings.set(id, name);
  }
  return renamings;
}

function unnamed(object: unknown): string {
  return JSON.stringify({ ...(object as object), id: null });
}
