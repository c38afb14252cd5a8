import { type PerspectiveCamera, Plane, Raycaster, Vector2, Vector3 } from "three";
import type { Triple } from "../../document/vector";
import type { Surfaces } from "../../view/surfaces";
import type { Markers } from "../helpers/markers";
import type { SceneObjects } from "./scene-objects";

/** What a point of the picture shows, (0, 0) its top left and (1, 1) its bottom right corner. */
export class Picking {
  constructor(
    private readonly camera: PerspectiveCamera,
    private readonly objects: SceneObjects,
    private readonly markers: Markers,
    private readonly surfaces: Surfaces,
  ) {}

  /** The object that is seen there. */
  pick(x: number, y: number, ignored: ReadonlySet<string> = new Set()): string | null {
    const mark = this.markers.at(2 * x - 1, 1 - 2 * y, this.camera);
    if (mark !== null && !ignored.has(mark)) return mark;
    const ids = this.#rayAt(x, y)
      .intersectObject(this.objects.group, true)
      .map((hit) => this.objects.idAt(hit));
    return ids.find((id) => id !== null && !ignored.has(id)) ?? null;
  }

  /** The point of a surface, or else of the ground. */
  pointAt(x: number, y: number): Triple | null {
    const { ray } = this.#rayAt(x, y);
    const hit = this.surfaces.cast(ray.origin.toArray(), ray.direction.toArray());
    if (hit !== null) return hit.point;
    return ray.intersectPlane(new Plane(new Vector3(0, 1, 0)), new Vector3())?.toArray() ?? null;
  }

  /** The point of a plane. */
  pointOn(plane: Plane, x: number, y: number): Vector3 | null {
    return this.#rayAt(x, y).ray.intersectPlane(plane, new Vector3());
  }

  get eye(): Vector3 {
    return this.camera.position;
  }

  /** The way from the eye. */
  directionAt(x: number, y: number): Vector3 {
    return this.#rayAt(x, y).ray.direction;
  }

  #rayAt(x: number, y: number): Raycaster {
    const ray = new Raycaster();
    ray.setFromCamera(new Vector2(2 * x - 1, 1 - 2 * y), this.camera);
    return ray;
  }
}
