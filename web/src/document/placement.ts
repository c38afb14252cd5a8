import { type Extent, extentOf } from "../kinds/extents";
import { descriptionOf } from "../kinds/list";
import { cornersOf } from "./bounds";
import { cameraFrame, project, viewFrame } from "./camera";
import type { Properties, SceneDocument } from "./scene";
import { add, dot, length, normalized, scale, subtract, type Triple } from "./vector";

/** The camera of a view and its aspect ratio. */
export interface CameraView {
  camera: Properties;
  /** Width over height of the picture. */
  aspect: number;
}

/** How far towards the point looked at a new thing stands: before what is there, in full view. */
const DISTANCE_FRACTION = 0.7;
/** Its radius, as a share of the height the camera sees there. */
const SIZE_FRACTION = 0.12;
const ORIGIN: Triple = [0, 0, 0];

/** Where new things go before they are put on anything, and what is right in the picture. All in metres. */
export interface SpawnPoint {
  position: Triple;
  right: Triple;
  /** Half the width of a new thing. */
  size: number;
  /** How high the picture is there. */
  visibleHeight: number;
}

export function spawnPoint({ camera }: CameraView): SpawnPoint {
  const frame = cameraFrame(camera);
  const away = DISTANCE_FRACTION * (frame?.distance ?? 1);
  const visibleHeight = 2 * away * (frame?.halfHeight ?? 1);
  const size = Number((SIZE_FRACTION * visibleHeight).toPrecision(1));
  const position = frame === null ? ORIGIN : add(frame.center, scale(frame.forward, away));
  return { position, right: frame?.right ?? [1, 0, 0], size, visibleHeight };
}

/** A box along the axes of the world. */
export interface Box {
  min: Triple;
  max: Triple;
}

/** Steps to the right, in turn to both sides: things made in a row stand in a row. */
const COLUMNS = [0, 1, -1, 2, -2, 3, -3];
/** Rows, each behind the one before. */
const ROWS = [0, 1, 2];
/** So much of it, each way, has to be in the picture. */
const VISIBLE_FRACTION = 0.95;
/** Of what is round only the middle carries. */
const ROUND_SUPPORT_FRACTION = 0.6;
/** A support is at least this many times as wide as what stands on it, so that new objects are not stacked. */
const MIN_SUPPORT_RATIO = 1.5;

/**
 * How far to move a thing that was made at `inFront`, so that it stands on what is there, clear of others and in
 * the picture; where that cannot be, it hovers in the picture.
 */
export function offsetToFreePlace(
  scene: SceneDocument,
  cameraView: CameraView,
  made: Extent,
  size = spawnPoint(cameraView).size,
): Triple {
  const { right } = spawnPoint(cameraView);
  const box = boxOf(made);
  const frame = cameraFrame(cameraView.camera);
  const obstacles = scene.shapes
    .map((shape) => ({ type: shape.type, extent: extentOf(shape) }))
    .flatMap(({ type, extent }) => (extent === null ? [] : [{ type, box: boxOf(extent) }]))
    // Rooms and skies are around the camera, too.
    .filter((each) => frame === null || !contains(each.box, frame.center));
  const lights = scene.lights.flatMap((light) => {
    const extent = extentOf(light);
    return extent === null ? [] : [boxOf(extent)];
  });
  const blocks = [...obstacles.map((each) => each.box), ...lights];
  const isFree = (way: Triple) => !blocks.some((block) => overlap(block, movedBox(box, way), 0.02 * size));
  const isGood = (way: Triple) => isInView(cameraView, movedBox(box, way)) && isFree(way);
  const steps = ROWS.flatMap((row) => COLUMNS.map((column) => [column, row] as const));
  const behind = horizontalDirection(frame?.forward ?? [0, 0, -1]);
  const hovering = steps.map(([column, row]) =>
    add(scale(right, 2.2 * size * column), scale(behind, 2.2 * size * row)),
  );
  const standing = hovering.map((way): Triple => [way[0], heightAt(way), way[2]]);
  return [...standing, ...hovering].find(isGood) ?? hovering.find(isFree) ?? ORIGIN;

  /** How far up from where it was made it stands. */
  function heightAt(way: Triple): number {
    const moved = movedBox(box, way);
    const [x, , z] = middleOf(moved);
    const under = obstacles.filter(({ type, box: { min, max } }) => {
      const share = descriptionOf(type)?.flat_top ? 1 : ROUND_SUPPORT_FRACTION;
      const isUnder = (axis: 0 | 2, at: number) =>
        max[axis] - min[axis] >= MIN_SUPPORT_RATIO * (box.max[axis] - box.min[axis]) &&
        Math.abs(at - 0.5 * (min[axis] + max[axis])) <= 0.5 * share * (max[axis] - min[axis]);
      return min[1] < moved.max[1] && isUnder(0, x) && isUnder(2, z);
    });
    const top = Math.max(...under.map((each) => each.box.max[1]));
    const isFlat = box.max[1] - box.min[1] < 1e-9;
    // Two surfaces in one place would flicker.
    const support = Number.isFinite(top) ? top + (isFlat ? 0.02 * size : 0) : 0;
    return support - box.min[1];
  }
}

/** A direction along the ground; of one straight up or down, away from z. */
function horizontalDirection([x, , z]: Triple): Triple {
  return length([x, 0, z]) < 1e-6 ? [0, 0, -1] : normalized([x, 0, z]);
}

export function boxOf(extent: Extent): Box {
  const corners = cornersOf(extent);
  const along = (pick: (...values: number[]) => number) =>
    [0, 1, 2].map((axis) => pick(...corners.map((corner) => corner[axis] as number))) as unknown as Triple;
  return { min: along(Math.min), max: along(Math.max) };
}

export function movedBox({ min, max }: Box, way: Triple): Box {
  return { min: add(min, way), max: add(max, way) };
}

function middleOf({ min, max }: Box): Triple {
  return scale(add(min, max), 0.5);
}

export function contains({ min, max }: Box, point: Triple): boolean {
  return point.every((value, axis) => value >= (min[axis] as number) && value <= (max[axis] as number));
}

/** Whether two boxes share more than a skin of some thickness, in metres. */
export function overlap(a: Box, b: Box, skin: number): boolean {
  return a.min.every(
    (low, axis) =>
      low < (b.max[axis] as number) - skin && (a.max[axis] as number) > (b.min[axis] as number) + skin,
  );
}

/** Whether most of a box is in the picture; with a camera that has no framing, anything is. */
export function isInView({ camera, aspect }: CameraView, { min, max }: Box): boolean {
  const frame = viewFrame(camera, aspect);
  if (frame === null) return true;
  const half = scale(subtract(max, min), 0.5 * VISIBLE_FRACTION);
  const extent: Extent = {
    center: middleOf({ min, max }),
    half: [
      [half[0], 0, 0],
      [0, half[1], 0],
      [0, 0, half[2]],
    ],
  };
  return cornersOf(extent).every((corner) => {
    if (dot(subtract(corner, frame.center), frame.forward) <= 0) return false;
    const { x, y } = project(frame, aspect, corner);
    return x > 0.02 && x < 0.98 && y > 0.02 && y < 0.98;
  });
}
