import { type CameraFrame, type PicturePoint, rayThrough, viewFrame } from "../document/camera";
import { type Box, type CameraView, contains, isInView, movedBox, overlap } from "../document/placement";
import {
  add,
  cross,
  dot,
  isTriple,
  normalized,
  rotatedAxes,
  scale,
  subtract,
  type Triple,
} from "../document/vector";
import type { SurfaceHit, Surfaces } from "../view/surfaces";

/** An object as it is to stand. */
export interface Standing {
  /** Width, height and depth, in meters. */
  size: Triple;
  /** About the vertical, in degrees. */
  turn: number;
}

/** What is steeper does not carry. */
const MIN_SUPPORT_NORMAL_Y = 0.5;
/** A support is at least this many times as wide as what is added on it by a click: the same things are not stacked. */
const MIN_SUPPORT_RATIO = 1.2;
/** The ground is looked for this many times as far away as the point looked at; beyond it is near the horizon. */
const MAX_GROUND_DISTANCE = 4;
/** A ray goes on this far behind what it met, and a thing that stands on something does not meet it, in metres. */
const SKIN_M = 1e-4;
/** Past so many surfaces in a row, a ray gives up. */
const MAX_SURFACES = 16;

/**
 * Where an object stands when it is put on what the picture shows at a point, (0, 0) its top left and (1, 1) its
 * bottom right corner: on the surface there; in front of a wall; else on the ground.
 */
export function placeUnderPointer(
  surfaces: Surfaces,
  view: CameraView,
  point: PicturePoint,
  object: Standing,
): Triple {
  const frame = viewFrame(view.camera, view.aspect);
  if (frame === null) return placeLookedAt(view);
  const { origin, direction } = rayThrough(frame, view.aspect, point);
  const hit = surfaces.cast(origin, direction);
  return hit === null ? onGround(frame, origin, direction) : onSurface(surfaces, hit, object);
}

/**
 * Where an object stands that is added without pointing: on what is in the middle of the picture, unless that is smaller
 * than the object, and beside what stands there.
 */
export function placeInView(surfaces: Surfaces, view: CameraView, object: Standing): Triple {
  const frame = viewFrame(view.camera, view.aspect);
  if (frame === null) return placeLookedAt(view);
  const start = middleOfView(surfaces, frame, view, object);
  const box = boxOf(object);
  const blocks = surfaces.boxes().filter((block) => !contains(block, frame.center));
  const isFree = (place: Triple) => !blocks.some((block) => overlap(block, movedBox(box, place), SKIN_M));
  const isSeen = (place: Triple) => isInView(view, movedBox(box, place));
  const places = steps(frame, object).map((way) => supportBelow(surfaces, add(start, way)));
  // What is left of a table is better than the floor beside it.
  const level = places.filter((place) => Math.abs(place[1] - start[1]) < SKIN_M);
  return [start, ...level, ...places].find((place) => isFree(place) && isSeen(place)) ?? start;
}

/** How far an object is turned so that it faces the camera, in degrees, in quarter turns: rooms have right angles. */
export function turnTowardsCamera({ camera }: CameraView): number {
  if (!isTriple(camera.center) || !isTriple(camera.look_at)) return 0;
  const [x, , z] = subtract(camera.center, camera.look_at);
  const quarters = Math.round(Math.atan2(x, z) / (Math.PI / 2));
  return (360 + 90 * quarters) % 360;
}

function middleOfView(surfaces: Surfaces, frame: CameraFrame, view: CameraView, object: Standing): Triple {
  const { origin, direction } = rayThrough(frame, view.aspect, { x: 0.5, y: 0.5 });
  let from = origin;
  for (let passed = 0; passed < MAX_SURFACES; passed += 1) {
    const hit = surfaces.cast(from, direction);
    if (hit === null) break;
    if (carries(hit, object) || contains(hit.box, frame.center)) return onSurface(surfaces, hit, object);
    from = add(hit.point, scale(direction, SKIN_M));
  }
  return onGround(frame, origin, direction);
}

/** Whether a surface belongs to something larger than what is to stand on it, or in front of it. */
function carries({ normal, box: { min, max } }: SurfaceHit, { size: [width, , depth] }: Standing): boolean {
  const [shorter, longer] = sorted(max[0] - min[0], max[2] - min[2]);
  const [ownShorter, ownLonger] = sorted(width, depth);
  const isTop = normal[1] >= MIN_SUPPORT_NORMAL_Y;
  return longer >= MIN_SUPPORT_RATIO * ownLonger && (!isTop || shorter >= MIN_SUPPORT_RATIO * ownShorter);
}

function sorted(a: number, b: number): readonly [number, number] {
  return a < b ? [a, b] : [b, a];
}

function onSurface(surfaces: Surfaces, { point, normal }: SurfaceHit, object: Standing): Triple {
  if (normal[1] >= MIN_SUPPORT_NORMAL_Y) return point;
  const level: Triple = [normal[0], 0, normal[2]];
  const away = Math.hypot(...level) < SKIN_M ? level : normalized(level);
  const off = add(point, scale(normal, 2 * SKIN_M));
  return supportBelow(surfaces, add(off, scale(away, reachAlong(away, object))));
}

/** The first surface below a point that carries; else the ground. */
function supportBelow(surfaces: Surfaces, [x, y, z]: Triple): Triple {
  let from = y + SKIN_M;
  for (let passed = 0; passed < MAX_SURFACES; passed += 1) {
    const hit = surfaces.cast([x, from, z], [0, -1, 0]);
    if (hit === null) break;
    if (hit.normal[1] >= MIN_SUPPORT_NORMAL_Y) return [x, hit.point[1], z];
    from = hit.point[1] - SKIN_M;
  }
  return [x, Math.min(0, y), z];
}

/** Where a ray meets the ground; one that does not, stands on it as far away as the point looked at. */
function onGround(frame: CameraFrame, origin: Triple, direction: Triple): Triple {
  const distance = -origin[1] / direction[1];
  const isNear = distance > 0 && distance <= MAX_GROUND_DISTANCE * frame.distance;
  const [x, , z] = add(origin, scale(direction, isNear ? distance : frame.distance));
  return [x, 0, z];
}

function placeLookedAt({ camera }: CameraView): Triple {
  const [x, , z] = isTriple(camera.look_at) ? camera.look_at : [0, 0, 0];
  return [x, 0, z];
}

/** How far an object reaches from its middle in a level direction. */
function reachAlong(direction: Triple, { size: [width, , depth], turn }: Standing): number {
  const [x, , z] = rotatedAxes([0, turn, 0]);
  return 0.5 * (width * Math.abs(dot(direction, x)) + depth * Math.abs(dot(direction, z)));
}

/** The box around an object that stands on the origin. */
function boxOf(object: Standing): Box {
  const [x, z] = [reachAlong([1, 0, 0], object), reachAlong([0, 0, 1], object)];
  return { min: [-x, 0, -z], max: [x, object.size[1], z] };
}

/** Steps to the right and left, in turn, in rows one behind the other and in front. */
const COLUMNS = [0, 1, -1, 2, -2, 3, -3];
const ROWS = [0, 1, -1, 2];

function steps({ right, forward }: CameraFrame, object: Standing): Triple[] {
  const aside = levelled(right);
  const across = cross([0, 1, 0], aside);
  const behind = dot(across, forward) < 0 ? scale(across, -1) : across;
  const step = (direction: Triple) => scale(direction, 2.2 * reachAlong(direction, object));
  return ROWS.flatMap((row) =>
    COLUMNS.map((column) => add(scale(step(aside), column), scale(step(behind), row))),
  );
}

function levelled([x, , z]: Triple): Triple {
  return Math.hypot(x, z) < SKIN_M ? [1, 0, 0] : normalized([x, 0, z]);
}
