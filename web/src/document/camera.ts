import type { Properties } from "./scene";
import { add, cross, dot, isTriple, length, normalized, scale, subtract, type Triple } from "./vector";

/** How the camera stands, as the tracer has it. */
export interface CameraFrame {
  center: Triple;
  right: Triple;
  up: Triple;
  forward: Triple;
  /** Half the height of the picture at distance 1; with an orthographic projection, that at the target over its distance. */
  halfHeight: number;
  /** Whether what is farther away is as large. */
  orthographic: boolean;
  /** From the camera to the point it looks at, in metres. */
  distance: number;
}

/** A place in the picture: (0, 0) is its top left, (1, 1) its bottom right corner. */
export interface PicturePoint {
  x: number;
  y: number;
}

/** What is nearer to the camera's plane than this, in metres, is cut off. */
const NEAR = 1e-3;

/** Null for a camera this page cannot read, and for one that looks all around. */
export function cameraFrame(camera: Properties): CameraFrame | null {
  const { center, look_at, up, vfov, projection, height } = camera;
  if (!isTriple(center) || !isTriple(look_at) || !isTriple(up) || typeof vfov !== "number") return null;
  if (projection === "panoramic") return null;
  const way = subtract(look_at, center);
  const forward = normalized(way);
  const right = rightOf(forward, normalized(up));
  const distance = length(way);
  const orthographic = projection === "orthographic";
  const halfHeight =
    orthographic && typeof height === "number"
      ? (0.5 * height) / distance
      : Math.tan((0.5 * vfov * Math.PI) / 180);
  return { center, right, up: cross(right, forward), forward, halfHeight, orthographic, distance };
}

/**
 * The shape, as width over height, that pictures are composed for: a narrower one shows as much from side to side, and
 * more above and below. The server is told (`fit_aspect`).
 */
export const COMPOSED_ASPECT = 4 / 3;

/** How many times as much a picture of a shape shows from top to bottom as its camera tells. */
export function heightening(aspect: number): number {
  return Math.max(1, COMPOSED_ASPECT / aspect);
}

/** How the camera of a picture of a shape stands, which is width over height. */
export function viewFrame(camera: Properties, aspect: number): CameraFrame | null {
  const frame = cameraFrame(camera);
  return frame && { ...frame, halfHeight: frame.halfHeight * heightening(aspect) };
}

/** Looking along `up`, the picture stands as if the camera had tilted there from a level look along -z. */
function rightOf(forward: Triple, up: Triple): Triple {
  const right = cross(forward, up);
  if (length(right) > 1e-6) return normalized(right);
  const level: Triple = Math.abs(up[0]) > 0.9 ? [0, 1, 0] : [1, 0, 0];
  return normalized(subtract(level, scale(up, dot(level, up))));
}

/**
 * Where the picture, `aspect` times as wide as high, shows the edge from `a` to `b`; null when the edge is
 * behind the camera. The part behind it is cut off. Looks through the middle of the lens.
 */
export function projectedEdge(
  frame: CameraFrame,
  aspect: number,
  a: Triple,
  b: Triple,
): [PicturePoint, PicturePoint] | null {
  const [from, to] = [depth(frame, a), depth(frame, b)];
  if (from < NEAR && to < NEAR) return null;
  const cut = scale(subtract(b, a), (NEAR - from) / (to - from));
  const crossing: Triple = [a[0] + cut[0], a[1] + cut[1], a[2] + cut[2]];
  return [
    project(frame, aspect, from < NEAR ? crossing : a),
    project(frame, aspect, to < NEAR ? crossing : b),
  ];
}

/** Where the picture shows a point in front of the camera. */
export function project(frame: CameraFrame, aspect: number, point: Triple): PicturePoint {
  const way = subtract(point, frame.center);
  const reach = frame.halfHeight * (frame.orthographic ? frame.distance : dot(way, frame.forward));
  return {
    x: 0.5 * (1 + dot(way, frame.right) / (aspect * reach)),
    y: 0.5 * (1 - dot(way, frame.up) / reach),
  };
}

/** The ray that the picture shows at a point: from the camera, in a direction of length 1. */
export function rayThrough(
  frame: CameraFrame,
  aspect: number,
  { x, y }: PicturePoint,
): { origin: Triple; direction: Triple } {
  const reach = frame.halfHeight * (frame.orthographic ? frame.distance : 1);
  const aside = add(scale(frame.right, aspect * reach * (2 * x - 1)), scale(frame.up, reach * (1 - 2 * y)));
  return frame.orthographic
    ? { origin: add(frame.center, aside), direction: frame.forward }
    : { origin: frame.center, direction: normalized(add(frame.forward, aside)) };
}

function depth(frame: CameraFrame, point: Triple): number {
  return dot(subtract(point, frame.center), frame.forward);
}

/** Half the height of the frame of 35 mm film, 36 x 24 mm: what focal lengths are told for. */
const HALF_FRAME_MM = 12;

/** The focal length in millimeters of the lens that sees as much from top to bottom, on 35 mm film. */
export function focalLength(viewAngle: number): number {
  return HALF_FRAME_MM / Math.tan((0.5 * viewAngle * Math.PI) / 180);
}

/** The angle in degrees that a lens sees from top to bottom, on 35 mm film. */
export function viewAngle(focalLength: number): number {
  return Number(((360 / Math.PI) * Math.atan(HALF_FRAME_MM / focalLength)).toFixed(3));
}

/** The f-number of a lens of a diameter in meters; null for a pinhole. */
export function fNumber(viewAngle: number, aperture: number): number | null {
  return aperture > 0 ? focalLength(viewAngle) / (1000 * aperture) : null;
}

/** The diameter in meters of a lens with an f-number; that of a pinhole for null. */
export function apertureOf(viewAngle: number, number: number | null): number {
  return number === null ? 0 : Number((focalLength(viewAngle) / (1000 * number)).toPrecision(4));
}

/** How far in front of a camera's lens the plane of a point is, in meters; null where it is behind. */
export function focusDistance(camera: Properties, point: Triple): number | null {
  const frame = cameraFrame(camera);
  const distance = frame === null ? 0 : depth(frame, point);
  return distance > NEAR ? Number(distance.toPrecision(4)) : null;
}

/** How far from the middle of the picture, as a share of its distance, a point may be to stay what is sharp. */
const MAX_FOCUS_SHIFT = 0.2;

/**
 * The focus distance of a camera that has moved: to the point that was sharp in the middle, or null (what it looks at)
 * where that is not near the middle any more. Undefined where none is set.
 */
export function movedFocus(before: Properties, after: Properties): number | null | undefined {
  const distance = before.focus_distance;
  const [from, to] = [cameraFrame(before), cameraFrame(after)];
  if (typeof distance !== "number" || from === null || to === null) return undefined;
  const way = subtract(add(from.center, scale(from.forward, distance)), to.center);
  const ahead = dot(way, to.forward);
  const aside = length(subtract(way, scale(to.forward, ahead)));
  return ahead > 0 && aside < MAX_FOCUS_SHIFT * ahead ? Number(ahead.toPrecision(4)) : null;
}

/** A camera of one's own that looks through the lens of the scene's: sharp is what is sharp there, or what it looks at. */
export function focusedLike(scene: Properties, own: Properties): Properties {
  return own.aperture === scene.aperture ? { ...own, focus_distance: movedFocus(scene, own) ?? null } : own;
}
