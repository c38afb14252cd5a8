import {
  type Box3,
  type InstancedMesh,
  type Intersection,
  Matrix3,
  Matrix4,
  Raycaster,
  Vector3,
} from "three";
import type { Box } from "../../document/placement";
import type { Triple } from "../../document/vector";
import type { SurfaceHit, Surfaces } from "../../view/surfaces";
import type { SceneObjects } from "./scene-objects";

/** The surfaces of what is drawn. */
export class DrawnSurfaces implements Surfaces {
  constructor(private readonly objects: SceneObjects) {}

  cast(origin: Triple, direction: Triple, ignored?: ReadonlySet<string>): SurfaceHit | null {
    const ray = new Raycaster(new Vector3(...origin), new Vector3(...direction).normalize());
    const hits = ray.intersectObject(this.objects.group, true);
    const hit = hits.find((each) => !ignored?.has(this.objects.idAt(each) ?? ""));
    const id = hit === undefined ? null : this.objects.idAt(hit);
    if (hit === undefined || id === null) return null;
    const normal = worldNormal(hit);
    if (normal.dot(ray.ray.direction) > 0) normal.negate();
    return { point: hit.point.toArray(), normal: normal.toArray(), box: boxOf(this.objects.boxOf([id])) };
  }

  /** How high the ground below a point is, the lowest top side there; null where nothing is below. */
  groundBelow(point: Triple): number | null {
    const hits = new Raycaster(new Vector3(...point), DOWN).intersectObject(this.objects.group, true);
    const ground = hits.findLast((hit) => worldNormal(hit).y > 0 || this.#isFlat(hit));
    return ground?.point.y ?? null;
  }

  /** What is flat and level has two top sides, whatever its normal. */
  #isFlat(hit: Intersection): boolean {
    const id = this.objects.idAt(hit);
    if (id === null) return false;
    const { min, max } = this.objects.boxOf([id]);
    return max.y - min.y < 1e-6;
  }

  boxes(): readonly Box[] {
    return this.objects.ids.map((id) => boxOf(this.objects.boxOf([id])));
  }
}

const DOWN = new Vector3(0, -1, 0);

/** Where a box is held up, as shares of its width and depth: its middle, and a little within its corners. */
const SUPPORT_POINTS = [
  [0.5, 0.5],
  [0.05, 0.05],
  [0.05, 0.95],
  [0.95, 0.05],
  [0.95, 0.95],
] as const;

/** How high the surfaces below a box reach, seen from the height `from`; the ground where there is none. */
export function heightBelow(
  surfaces: Surfaces,
  { min, max }: Box,
  from: number,
  ignored: ReadonlySet<string>,
): number {
  const heights = SUPPORT_POINTS.map(([u, v]) => {
    const x = min[0] + u * (max[0] - min[0]);
    const z = min[2] + v * (max[2] - min[2]);
    return surfaces.cast([x, from, z], [0, -1, 0], ignored)?.point[1] ?? 0;
  });
  return Math.max(...heights);
}

function boxOf({ min, max }: Box3): Box {
  return { min: min.toArray(), max: max.toArray() };
}

/** The normal of the triangle that a ray met. */
function worldNormal({ face, object, instanceId }: Intersection): Vector3 {
  const instance = new Matrix4();
  if (instanceId !== undefined) (object as InstancedMesh).getMatrixAt(instanceId, instance);
  const toWorld = instance.premultiply(object.matrixWorld);
  const normal = face?.normal ?? new Vector3(0, 1, 0);
  return normal.clone().applyMatrix3(new Matrix3().getNormalMatrix(toWorld)).normalize();
}
