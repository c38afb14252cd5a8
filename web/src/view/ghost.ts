import type { SceneObject } from "../document/scene";
import type { Triple } from "../document/vector";

/** An object that is shown where it would stand, and is not in the scene. */
export interface Ghost {
  /** Its shapes, as in the scene, on y = 0 around the origin; null while they are being loaded. */
  shapes: readonly SceneObject[] | null;
  /** Width, height and depth, in metres. */
  size: Triple;
  /** Where the middle of its underside is. */
  place: Triple;
  /** About the vertical, in degrees. */
  turn: number;
}
