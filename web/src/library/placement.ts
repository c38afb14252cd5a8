import { type CameraFrame, type PicturePoint, project, rayThrough, viewFrame } from "../document/camera";
import { type Box, type CameraView, contains, isInView, movedBox, overlap } from "../document/placement";
import {
  add,
  cross,
  dot,
  isTriple,
  length,
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
/** What is seen smaller is a speck, as a share of the picture's height. */
const MIN_SEEN_SIZE = 0.015;
/** Of four points of an object so many are not behind something else. */
const MIN_CLEAR_POINTS = 3;
/** A table is higher than this above what is below it, as a share of how far one looks. */
const MIN_RAISED = 0.03;
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
 * than the object, and beside or in front of what stands there, where it is seen.
 */
export function placeInView(surfaces: Surfaces, view: CameraView, object: Standing): Triple {
  const frame = viewFrame(view.camera, view.aspect);
  if (frame === null) return placeLookedAt(view);
  const start = middleOfView(surfaces, frame, view, object);
  const places = [...steps(frame, object), ...stepsNearer(frame, start, object)].map((way) =>
    supportBelow(surfaces, add(start, way)),
  );
  // What is left of a table is better than the floor beside it.
  const level = places.filter((place) => isLevel(place, start));
  const isFree = freePlaces(surfaces, frame, object);
  const free = [start, ...level, ...places].filter(isFree);
  return free.find((place) => isClear(surfaces, view, object, place)) ?? free[0] ?? start;
}

/**
 * Where a new shape stands on a table: on what is selected, or else on what the middle of the picture shows, where that
 * carries it, is higher than the ground and has room that is seen; else null.
 */
export function placeOnTable(
  surfaces: Surfaces,
  view: CameraView,
  object: Standing,
  selected: Box | null,
): Triple | null {
  const frame = viewFrame(view.camera, view.aspect);
  if (frame === null) return null;
  const starts = [
    selected === null ? null : onTopOf(surfaces, selected, object),
    onWhatIsLookedAt(surfaces, frame, view, object),
  ];
  const isFree = freePlaces(surfaces, frame, object);
  for (const start of starts) {
    if (start === null || !isRaised(surfaces, start, frame)) continue;
    const around = steps(frame, object).map((way) => supportBelow(surfaces, add(start, way)));
    const places = [start, ...around.filter((place) => isLevel(place, start))];
    const found = places.find((place) => isFree(place) && isClear(surfaces, view, object, place));
    if (found !== undefined) return found;
  }
  return null;
}

/** Whether an object at a place is in the picture, large enough to be told from a speck and not behind something. */
export function isSeen(surfaces: Surfaces, view: CameraView, object: Standing, place: Triple): boolean {
  const frame = viewFrame(view.camera, view.aspect);
  if (frame === null) return true;
  const shown = pointsOf(movedBox(boxOf(object), place), frame.right).map((point) =>
    project(frame, view.aspect, point),
  );
  const extent = (axis: "x" | "y") =>
    Math.max(...shown.map((each) => each[axis])) - Math.min(...shown.map((each) => each[axis]));
  const size = Math.max(view.aspect * extent("x"), extent("y"));
  return size >= MIN_SEEN_SIZE && isClear(surfaces, view, object, place);
}

/** Whether an object at a place is in the picture and not behind something. */
function isClear(surfaces: Surfaces, view: CameraView, object: Standing, place: Triple): boolean {
  const frame = viewFrame(view.camera, view.aspect);
  const box = movedBox(boxOf(object), place);
  if (frame === null || !isInView(view, box)) return frame === null;
  const clear = pointsOf(box, frame.right).filter((point) => {
    const { origin, direction } = rayThrough(frame, view.aspect, project(frame, view.aspect, point));
    const hit = surfaces.cast(origin, direction);
    // What is met may be the object itself, once it is there.
    return hit === null || isBeyond(origin, hit.point, point) || contains(grown(box), hit.point);
  });
  return clear.length >= MIN_CLEAR_POINTS;
}

/** The middle of a box, what is above it, and what is right and left of it in the picture. */
function pointsOf({ min, max }: Box, right: Triple): Triple[] {
  const middle = scale(add(min, max), 0.5);
  const half = 0.35 * Math.hypot(max[0] - min[0], max[2] - min[2]);
  const up: Triple = [0, 0.4 * (max[1] - min[1]), 0];
  return [middle, add(middle, up), add(middle, scale(right, half)), add(middle, scale(right, -half))];
}

function isBeyond(origin: Triple, met: Triple, point: Triple): boolean {
  return length(subtract(met, origin)) > length(subtract(point, origin));
}

function grown({ min, max }: Box): Box {
  const skin: Triple = [SKIN_M, SKIN_M, SKIN_M];
  return { min: subtract(min, skin), max: add(max, skin) };
}

/** Tells whether an object would stand in nothing else. */
function freePlaces(surfaces: Surfaces, frame: CameraFrame, object: Standing): (place: Triple) => boolean {
  const box = boxOf(object);
  const blocks = surfaces.boxes().filter((block) => !contains(block, frame.center));
  return (place) => !blocks.some((block) => overlap(block, movedBox(box, place), SKIN_M));
}

function isLevel(place: Triple, start: Triple): boolean {
  return Math.abs(place[1] - start[1]) < SKIN_M;
}

/** The top of a box, where it carries; null where it does not. */
function onTopOf(surfaces: Surfaces, { min, max }: Box, object: Standing): Triple | null {
  const [x, , z] = scale(add(min, max), 0.5);
  const hit = surfaces.cast([x, max[1] + SKIN_M, z], [0, -1, 0]);
  return hit !== null &&
    hit.point[1] >= min[1] &&
    carries(hit, object) &&
    hit.normal[1] >= MIN_SUPPORT_NORMAL_Y
    ? hit.point
    : null;
}

/** Whether what is stood on is higher than the ground below it. */
function isRaised(surfaces: Surfaces, [x, y, z]: Triple, frame: CameraFrame): boolean {
  let ground = Math.min(0, y);
  let from = y - SKIN_M;
  for (let passed = 0; passed < MAX_SURFACES; passed += 1) {
    const hit = surfaces.cast([x, from, z], [0, -1, 0]);
    if (hit === null) break;
    ground = hit.point[1];
    from = ground - SKIN_M;
  }
  return y - ground > MIN_RAISED * frame.distance;
}

/** How far an object is turned so that it faces the camera, in degrees, in quarter turns: rooms have right angles. */
export function turnTowardsCamera({ camera }: CameraView): number {
  if (!isTriple(camera.center) || !isTriple(camera.look_at)) return 0;
  const [x, , z] = subtract(camera.center, camera.look_at);
  const quarters = Math.round(Math.atan2(x, z) / (Math.PI / 2));
  return (360 + 90 * quarters) % 360;
}

function middleOfView(surfaces: Surfaces, frame: CameraFrame, view: CameraView, object: Standing): Triple {
  const { origin, direction } = rayThrough(frame, view.aspect, MIDDLE);
  return onWhatIsLookedAt(surfaces, frame, view, object) ?? onGround(frame, origin, direction);
}

const MIDDLE: PicturePoint = { x: 0.5, y: 0.5 };

/** On the first thing in the middle of the picture that carries; null where there is none. */
function onWhatIsLookedAt(
  surfaces: Surfaces,
  frame: CameraFrame,
  view: CameraView,
  object: Standing,
): Triple | null {
  const { origin, direction } = rayThrough(frame, view.aspect, MIDDLE);
  let from = origin;
  for (let passed = 0; passed < MAX_SURFACES; passed += 1) {
    const hit = surfaces.cast(from, direction);
    if (hit === null) return null;
    if (carries(hit, object) || contains(hit.box, frame.center)) return onSurface(surfaces, hit, object);
    from = add(hit.point, scale(direction, SKIN_M));
  }
  return null;
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

/** How far towards the camera one goes to get out from behind what is large. */
const NEARER = [0.15, 0.3, 0.45, 0.6];

function stepsNearer(frame: CameraFrame, start: Triple, object: Standing): Triple[] {
  const [x, , z] = subtract(frame.center, start);
  const aside = levelled(frame.right);
  const step = 2.2 * reachAlong(aside, object);
  return NEARER.flatMap((share) =>
    [0, 1, -1, 2, -2].map((column) => add(scale([x, 0, z], share), scale(aside, step * column))),
  );
}

function levelled([x, , z]: Triple): Triple {
  return Math.hypot(x, z) < SKIN_M ? [1, 0, 0] : normalized([x, 0, z]);
}
