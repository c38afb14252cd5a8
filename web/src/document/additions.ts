import type { EditCall, SceneChange } from "../protocol";
import { type Group, groupIds, type SceneDocument, type SceneObject } from "./scene";
import type { Triple } from "./vector";

/** The tool that adds an object of the library. The server chooses the ids of what it makes. */
const ADD_OBJECT = "add_object";

/** The call that adds an object, the middle of its underside at a point, turned about the vertical in degrees. */
export function additionCall(object: string, [x, y, z]: Triple, turn: number): EditCall {
  // Numbers that a user would type; the height is finer, so that nothing seems to float.
  const at = [rounded(x, 4), rounded(y, 5), rounded(z, 4)];
  return { name: ADD_OBJECT, args: { object, at, turn } };
}

function rounded(meters: number, digits: number): number {
  return Number(meters.toFixed(digits)) + 0;
}

/** The call that gives the first shape of an empty scene ground, lights and a camera that frames it. */
export function stageCalls({ shapes }: SceneDocument, { name }: EditCall): EditCall[] {
  return shapes.length === 0 && name !== "create_light" ? [{ name: "stage", args: {} }] : [];
}

/** The name of the object that a call adds; null for other calls. */
export function addedObject({ name, args }: EditCall): string | null {
  const { object } = args as { object?: unknown };
  return name === ADD_OBJECT && typeof object === "string" ? object : null;
}

/**
 * The id of what calls that add an object have made, by the changes of a user: the one new group, or the one new shape
 * with the object's name. Null when the changes are not theirs.
 */
export function additionIn(
  calls: readonly EditCall[],
  scene: SceneDocument,
  changes: readonly SceneChange[],
): string | null {
  const [call, ...others] = calls.filter(({ name }) => name !== "stage");
  const object = call === undefined || others.length > 0 ? null : addedObject(call);
  if (object === null) return null;
  const made = changes.filter(({ op }) => op === "create");
  const isOfStage = ({ after }: SceneChange) => (after as SceneObject | undefined)?.group === "stage";
  const shapes = made.filter(
    (change) => (change.kind === "shape" || change.kind === "light") && !isOfStage(change),
  );
  const outermost = new Set(shapes.map(({ after }) => outermostNew(after as SceneObject, scene, made)));
  const [id, ...more] = outermost;
  if (id === undefined || more.length > 0) return null;
  const isGroup = !shapes.some((shape) => shape.id === id);
  return isGroup || id.startsWith(object.replaceAll(/[ -]/g, "_")) ? id : null;
}

/** The outermost of the new groups that an object is in; itself where it is in none. */
function outermostNew(object: SceneObject, scene: SceneDocument, made: readonly SceneChange[]): string {
  const before = groupIds(scene);
  const parents = new Map(
    made.filter(({ kind }) => kind === "group").map(({ id, after }) => [id, (after as Group).parent]),
  );
  let outermost = object.id;
  for (let group: string | null = object.group ?? null; group !== null && !before.has(group); ) {
    outermost = group;
    group = parents.get(group) ?? null;
  }
  return outermost;
}
