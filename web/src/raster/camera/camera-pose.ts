import { Matrix4, type Sphere, Vector3 } from "three";
import { cameraFrame, heightening, viewFrame } from "../../document/camera";
import type { Properties } from "../../document/scene";
import { isTriple, type Triple } from "../../document/vector";
import type { ViewportCamera } from "./viewport-camera";

/** Sets a camera as the tracer's stands: same projection, same directions; false when it cannot be read. */
export function applyCameraProperties(
  camera: ViewportCamera,
  properties: Properties,
  aspect: number,
): boolean {
  const frame = viewFrame(properties, aspect);
  if (frame === null) return false;
  const [right, up, backward] = [frame.right, frame.up, frame.forward].map(
    (axis) => new Vector3(...axis),
  ) as [Vector3, Vector3, Vector3];
  backward.negate();
  camera.up.set(...orbitUp(properties, frame.forward));
  camera.position.set(...frame.center);
  camera.quaternion.setFromRotationMatrix(new Matrix4().makeBasis(right, up, backward));
  if (frame.orthographic) camera.setOrthographic(frame.halfHeight * frame.distance, aspect);
  else camera.setPerspective(frame.halfHeight, aspect);
  camera.updateMatrixWorld();
  return true;
}

/**
 * The axis for orbiting. Cameras of other programs have an up vector that tilts with them; around that the horizon
 * would roll, so one orbits around the world's y axis. An up vector along an axis of the world is meant: there may be
 * scenes in which z is up. A camera that looks along it has no other either.
 */
function orbitUp({ up }: Properties, forward: Triple): Triple {
  if (!isTriple(up)) return [0, 1, 0];
  const direction = new Vector3(...up).normalize();
  const axis = direction.toArray().map((value) => Math.round(value) + 0) as unknown as Triple;
  const isAxis = direction.distanceTo(new Vector3(...axis)) < 1e-3;
  const isAlongIt = Math.abs(direction.dot(new Vector3(...forward))) > 0.999;
  return !isAxis || isAlongIt || Math.abs(forward[1]) > 0.999 ? [0, 1, 0] : axis;
}

/** The ratio of far to near plane that 24 bits of depth can resolve. */
const DEPTH_RATIO = 20_000;

/** Fits what is drawn between near and far. */
export function setDepthRange(camera: ViewportCamera, bounds: Sphere | null): void {
  const distance = bounds === null ? 10 : camera.position.distanceTo(bounds.center);
  const radius = bounds?.radius ?? 10;
  // The grid reaches beyond what stands on it.
  camera.far = Math.max(2 * (distance + radius), 1e-3);
  camera.near = Math.max(camera.far / DEPTH_RATIO, 0.5 * (distance - radius));
  camera.updateProjectionMatrix();
}

/** The camera's place and target as the document has them, with the lens of `base`. */
export function cameraPropertiesOf(camera: ViewportCamera, target: Vector3, base: Properties): Properties {
  const properties: Properties = {
    ...base,
    center: roundPoint(camera.position),
    look_at: roundPoint(target),
    up: camera.up.toArray(),
  };
  // Nearer is not larger with an orthographic projection: there one zooms by what is seen.
  if (!camera.isOrthographic) return properties;
  const height = (camera.top - camera.bottom) / (camera.zoom * heightening(camera.aspect));
  return { ...properties, height: Number(height.toPrecision(9)) };
}

/** Whether two cameras show the same view, within rounding. */
export function isSameView(a: Properties, b: Properties): boolean {
  const places = [a.center, b.center, a.look_at, b.look_at];
  if (!places.every(isTriple)) return false;
  const [from, otherFrom, to, otherTo] = places.map((place) => new Vector3(...place)) as [
    Vector3,
    Vector3,
    Vector3,
    Vector3,
  ];
  const little = 1e-7 * (1 + from.distanceTo(to));
  if (Math.abs(orthographicHeight(a) - orthographicHeight(b)) > little) return false;
  return from.distanceTo(otherFrom) < little && to.distanceTo(otherTo) < little;
}

/** Metres from the bottom to the top of what an orthographic camera sees; 0 for others. */
function orthographicHeight(properties: Properties): number {
  const frame = cameraFrame(properties);
  return frame?.orthographic ? 2 * frame.halfHeight * frame.distance : 0;
}

/** Rounds to nine digits: more are noise in a scene file. */
function roundPoint(point: Vector3): Triple {
  return point.toArray().map((value) => Number(value.toPrecision(9)) + 0) as unknown as Triple;
}
