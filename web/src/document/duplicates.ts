import { extentOf } from "../kinds/extents";
import type { EditCall } from "../protocol";
import { cornersOf } from "./bounds";
import { project, viewFrame } from "./camera";
import { freeId } from "./free-id";
import type { CameraView } from "./placement";
import { type SceneDocument, type SceneObject, usedIds } from "./scene";
import type { Member } from "./subject";
import { changedProperties, IDENTITY, type Transform } from "./transform/transform";
import { add, dot, subtract, type Triple } from "./vector";

/** How far a copy stands beside an object of unknown size, in metres. */
const DEFAULT_OFFSET_M = 0.5;

/** How far a copy stands aside that would leave the picture beside what it is of, as a share of the width. */
const STEP_ASIDE = 0.1;

/**
 * The calls that make a copy of each object beside it, along x, by the width of all of them; where that is not in the
 * picture, a little aside. Copies of what is in `groups`, which are copied whole, make groups of their own.
 */
export function duplicateCalls(
  scene: SceneDocument,
  members: readonly Member[],
  groups: ReadonlySet<string> = new Set(),
  view: CameraView | null = null,
): EditCall[] {
  const taken = usedIds(scene);
  const newGroups = new Map<string | undefined, string>();
  for (const group of groups) {
    const id = freeId(group, taken);
    taken.add(id);
    newGroups.set(group, id);
  }
  return besides(members, view).map((object, index) => {
    const id = freeId(object.id, taken);
    taken.add(id);
    const group = newGroups.get(object.group) ?? object.group;
    return {
      name: `create_${members[index]?.kind ?? "shape"}`,
      args: { ...object, id, ...(group !== undefined && { group }) },
    };
  });
}

/** The objects as they stand along x beside where they are, clear of all of them as long as that is in the picture. */
export function besides(members: readonly Member[], view: CameraView | null = null): SceneObject[] {
  const width = totalWidth(members);
  const beside: Triple = [width, 0, 0];
  const little = Number((STEP_ASIDE * width).toPrecision(2));
  const isSeen = view === null || isInPicture(members, beside, view);
  const aside: Transform = { ...IDENTITY, translation: isSeen ? beside : [little, 0, little] };
  return members.map(({ object }) => ({
    ...object,
    properties: { ...object.properties, ...changedProperties(object, aside) },
  }));
}

/** Whether all of some objects is seen after a move. */
function isInPicture(members: readonly Member[], way: Triple, { camera, aspect }: CameraView): boolean {
  const frame = viewFrame(camera, aspect);
  if (frame === null) return true;
  const corners = members.flatMap(({ object }) => {
    const extent = extentOf(object);
    return extent === null ? [] : cornersOf(extent).map((corner) => add(corner, way));
  });
  return corners.every((corner) => {
    if (dot(subtract(corner, frame.center), frame.forward) <= 0) return false;
    const { x, y } = project(frame, aspect, corner);
    return x >= 0 && x <= 1 && y >= 0 && y <= 1;
  });
}

/** From the lowest to the highest x, and a tenth of that as a gap. */
function totalWidth(members: readonly Member[]): number {
  const across = members.flatMap(({ object }) => {
    const extent = extentOf(object);
    return extent === null ? [] : cornersOf(extent).map(([x]) => x);
  });
  const width =
    across.reduce((most, x) => Math.max(most, x), -Infinity) -
    across.reduce((least, x) => Math.min(least, x), Infinity);
  return width > 0 ? Number((1.1 * width).toPrecision(3)) : DEFAULT_OFFSET_M;
}
