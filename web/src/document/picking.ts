import { isStageGround, type SceneDocument, STAGE } from "./scene";
import { parentOf } from "./tree/grouping";
import { groupPath, toggled } from "./tree/tree";

/**
 * What a click on an object means: the outermost group it is in; once that is selected, what is inside, down to the
 * object itself. Beside something that is selected inside a group, what is on the same level.
 */
export function pickedKey(scene: SceneDocument, selection: readonly string[], id: string): string {
  const steps = stepsTo(scene, id);
  const active = selection.at(-1);
  if (active === undefined) return steps[0] ?? id;
  const at = steps.indexOf(active);
  if (at !== -1) return steps[at + 1] ?? id;
  const around = parentOf(scene, active);
  const level = around === null ? -1 : steps.indexOf(around);
  return steps[level + 1] ?? id;
}

/**
 * What a pointer is on: the ground of a stage reaches as far as one sees, and is beside all. Once the stage is selected,
 * in the outliner, it is an object as others are.
 */
export function pointedId(
  scene: SceneDocument,
  selection: readonly string[],
  id: string | null,
): string | null {
  const isGround = scene.shapes.some((shape) => shape.id === id && isStageGround(shape));
  return isGround && !selection.includes(STAGE) && !selection.includes(id ?? "") ? null : id;
}

/** The selection after a click on an object, or beside all; `extend` puts in and takes out. */
export function selectionAfterClick(
  scene: SceneDocument,
  selection: readonly string[],
  id: string | null,
  extend: boolean,
): readonly string[] {
  const pointed = pointedId(scene, selection, id);
  if (pointed === null) return extend ? selection : [];
  if (!extend) return [pickedKey(scene, selection, pointed)];
  // What is selected is taken out as it was put in.
  const selected = stepsTo(scene, pointed).find((step) => selection.includes(step));
  return toggled(selection, selected ?? pickedKey(scene, selection, pointed));
}

/** From the outermost group around an object to the object itself. */
function stepsTo(scene: SceneDocument, id: string): string[] {
  const group = [...scene.shapes, ...scene.lights].find((object) => object.id === id)?.group;
  return group === undefined ? [id] : [...groupPath(scene, group).reverse(), id];
}
