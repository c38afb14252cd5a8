import type { Box } from "../../document/placement";
import type { Member } from "../../document/subject";
import { boxAround, middleOf, undersideOf } from "../../document/transform/arrange";
import { isTriple, type Triple } from "../../document/vector";
import type { GizmoMode } from "../../view/modes";

/** What is drawn. */
export interface DrawnBoxes {
  boxOf(ids: readonly string[]): Box | null;
  /** How high the surfaces below a box reach, those of some objects left out. */
  heightBelow(box: Box, ignored: ReadonlySet<string>): number;
}

/**
 * Around what selected things turn and grow: a mesh around its own origin, anything else around its middle, several
 * things around theirs, or around what is `chosen`. What stands grows from where it stands.
 */
export function pivotOf(
  members: readonly Member[],
  mode: GizmoMode,
  chosen: Triple | null,
  drawn: DrawnBoxes,
): Triple | null {
  if (chosen !== null && mode !== "move") return chosen;
  const [only] = members;
  const ids = members.map(({ object }) => object.id);
  const box = drawn.boxOf(ids) ?? boxAround(members, () => null);
  const underside =
    mode === "scale" && box !== null ? undersideOf(box, drawn.heightBelow(box, new Set(ids))) : null;
  if (underside !== null) return underside;
  const { translation } = only?.object.properties ?? {};
  if (members.length === 1 && isTriple(translation)) return translation;
  return box === null ? null : middleOf(box);
}
