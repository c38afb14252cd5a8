import { extentOf } from "../kinds/extents";
import { cornersOf } from "./bounds";
import { cameraFrame } from "./camera";
import type { CameraView } from "./placement";
import { isStageGround, type SceneDocument } from "./scene";
import { add, isTriple, length, normalized, scale, subtract, type Triple } from "./vector";

/** As `spatial/src/stage/fit.rs` has them: from what is shown to the camera, and how much that sees in degrees. */
export const TO_CAMERA: Triple = [0.5110602, 0.4539905, 0.7298698];
export const VFOV = 30;
/** How far the camera may step back for one new thing. */
const STEP_BACK = 2.2;

/** The room a new thing gets, of its size. */
const ROOM = 1.25;

/** Where a new thing goes whose stage makes room for it. */
export interface StagedPlace {
  position: Triple;
  /** Half the width of a new thing: it is as large as those that are there. */
  size: number;
  /** The same with some room around, so that boxes stand clear of each other from where stages are seen. */
  room: number;
  /** What the camera sees once it has stepped back. */
  view: CameraView;
}

/** Null where no stage follows what is added, or nothing tells how large things are. */
export function stagedPlace(scene: SceneDocument, { camera, aspect }: CameraView): StagedPlace | null {
  const frame = cameraFrame(camera);
  const { center, look_at: target, vfov } = camera;
  if (camera !== scene.camera || frame === null || !isTriple(center) || !isTriple(target)) return null;
  const way = subtract(center, target);
  const isOfStage = vfov === VFOV && length(subtract(normalized(way), TO_CAMERA)) < 1e-3;
  if (!isOfStage || !scene.shapes.some(isStageGround)) return null;
  // Floors and walls do not tell how large a thing is.
  const limit = frame.distance * frame.halfHeight;
  const sizes = scene.shapes
    .filter(({ group }) => group === undefined)
    .map(halfSizeOf)
    .filter((size) => size > 0.02 * limit && size < limit)
    .sort((a, b) => a - b);
  const size = sizes[sizes.length >> 1];
  if (size === undefined) return null;
  const away = add(target, scale(way, STEP_BACK));
  return { position: target, size, room: ROOM * size, view: { camera: { ...camera, center: away }, aspect } };
}

/** Half of the longest side of the box around a shape; 0 where only the server knows it. */
function halfSizeOf(shape: SceneDocument["shapes"][number]): number {
  const extent = extentOf(shape);
  if (extent === null) return 0;
  const corners = cornersOf(extent);
  const sides = [0, 1, 2].map((axis) => {
    const along = corners.map((corner) => corner[axis] ?? 0);
    return Math.max(...along) - Math.min(...along);
  });
  return 0.5 * Math.max(...sides);
}
