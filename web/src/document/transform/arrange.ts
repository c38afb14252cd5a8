import { type Extent, extentOf } from "../../kinds/extents";
import type { EditCall } from "../../protocol";
import type { PivotMode } from "../../view/modes";
import { cornersOf } from "../bounds";
import type { Box } from "../placement";
import type { SceneDocument } from "../scene";
import { type Member, selectedMembers, subjectOf } from "../subject";
import { add, rotatedAxes, scale, subtract, type Triple } from "../vector";
import { IDENTITY } from "./transform";
import { transformCalls } from "./transform-calls";

export const AXES = ["x", "y", "z"] as const;
export type Axis = (typeof AXES)[number];

/** What of the boxes around things agrees. */
export const EDGES_OF_BOXES = ["min", "center", "max"] as const;
export type BoxEdge = (typeof EDGES_OF_BOXES)[number];

/** What is edited of several things at once: where their middle is, how far they turn about it, how much they grow. */
export interface RelativeTransform {
  /** In metres; the middle of the box around all. */
  position?: Triple;
  /** Degrees about the world's axes. */
  rotation?: Triple;
  factor?: number;
}

/** The box around things; `drawnBox` knows those whose size the document does not tell. Null where nothing is known. */
export function boxAround(
  members: readonly Member[],
  drawnBox: (ids: readonly string[]) => Box | null,
): Box | null {
  const boxes = members.flatMap(({ object }) => {
    const extent = extentOf(object);
    const box = extent === null ? drawnBox([object.id]) : boxOfExtent(extent);
    return box === null ? [] : [box];
  });
  const pick = (choose: (...values: number[]) => number, corner: "min" | "max") =>
    AXES.map((_, axis) => choose(...boxes.map((box) => box[corner][axis] ?? 0))) as unknown as Triple;
  return boxes.length === 0 ? null : { min: pick(Math.min, "min"), max: pick(Math.max, "max") };
}

function boxOfExtent(extent: Extent): Box {
  const corners = cornersOf(extent);
  const pick = (choose: (...values: number[]) => number) =>
    AXES.map((_, axis) => choose(...corners.map((corner) => corner[axis] ?? 0))) as unknown as Triple;
  return { min: pick(Math.min), max: pick(Math.max) };
}

/** What is outlined of a selection: the box of each object as it is turned, and one around each group. */
export function outlinedExtents(
  scene: SceneDocument,
  keys: readonly string[],
  drawnBox: (ids: readonly string[]) => Box | null,
): Extent[] {
  return keys.flatMap((key) => {
    const subject = subjectOf(scene, key);
    if (subject === null || !("object" in subject || "members" in subject)) return [];
    if ("object" in subject) return extentOf(subject.object) ?? [];
    const box = boxAround(subject.members, drawnBox);
    return box === null ? [] : [extentOfBox(box)];
  });
}

function extentOfBox(box: Box): Extent {
  const [x, y, z] = scale(subtract(box.max, box.min), 0.5);
  const half: Extent["half"] = [
    [x, 0, 0],
    [0, y, 0],
    [0, 0, z],
  ];
  return { center: middleOf(box), half };
}

export function middleOf({ min, max }: Box): Triple {
  return scale(add(min, max), 0.5);
}

/** A gap that nobody sees: a part of the height, and a little for what is flat. In meters. */
const MAX_GAP_FRACTION = 0.02;
const MIN_GAP = 0.002;

/** What stands on something is scaled about the middle of its underside, so that it stays there; null for what does not stand. */
export function undersideOf(box: Box, heightBelow: number): Triple | null {
  const { min, max } = box;
  const isStanding = Math.abs(min[1] - heightBelow) <= MAX_GAP_FRACTION * (max[1] - min[1]) + MIN_GAP;
  const [x, , z] = middleOf(box);
  return isStanding ? [x, min[1], z] : null;
}

/** The calls that move, turn and scale things as one: from `pivot` to a position, and about it. */
export function relativeCalls(
  members: readonly Member[],
  pivot: Triple,
  { position, rotation, factor = 1 }: RelativeTransform,
): EditCall[] {
  return transformCalls(members, {
    ...IDENTITY,
    pivot,
    factor,
    ...(rotation !== undefined && { axes: rotatedAxes(rotation) }),
    ...(position !== undefined && { translation: subtract(position, pivot) }),
  });
}

/**
 * What several selected things turn and grow about, if that was chosen: the middle of what was selected last, or the
 * origin. Null is the middle of all, as for one thing.
 */
export function chosenPivot(
  scene: SceneDocument,
  selection: readonly string[],
  mode: PivotMode,
  drawnBox: (ids: readonly string[]) => Box | null,
): Triple | null {
  const last = selection.at(-1);
  if (selection.length < 2 || last === undefined || mode === "center") return null;
  if (mode === "world") return [0, 0, 0];
  const box = boxAround(selectedMembers(scene, [last]), drawnBox);
  return box === null ? null : middleOf(box);
}

/** Puts each thing onto what is below it, or else onto y = 0: the server knows exactly how low each reaches. */
export function dropCall(ids: readonly string[]): EditCall {
  return { name: "drop", args: { ids: [...ids] } };
}

/** Moves things along an axis until their boxes agree with the first one's. */
export function alignCall(ids: readonly string[], axis: Axis, edge: BoxEdge): EditCall {
  return { name: "align", args: { ids: [...ids], axis, edge } };
}

/** Makes the gaps between things equal; the first and the last along the axis stay. */
export function distributeCall(ids: readonly string[], axis: Axis): EditCall {
  return { name: "distribute", args: { ids: [...ids], axis } };
}
