import type { Box } from "../document/placement";
import type { Triple } from "../document/vector";

/** Where a ray meets the scene. */
export interface SurfaceHit {
  point: Triple;
  /** Of length 1, towards where the ray comes from. */
  normal: Triple;
  /** The box around the object that it meets. */
  box: Box;
}

/** The scene as rays and boxes find it. */
export interface Surfaces {
  /** The first surface from a point in a direction, those of some objects left out. */
  cast(origin: Triple, direction: Triple, ignored?: ReadonlySet<string>): SurfaceHit | null;
  /** The boxes around all objects. */
  boxes(): readonly Box[];
}

/** A scene of which nothing is known: there is only the ground. */
export const BARE_GROUND: Surfaces = { cast: () => null, boxes: () => [] };
