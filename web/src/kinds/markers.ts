import type { Properties } from "../document/scene";
import { isTriple, type Triple } from "../document/vector";
import { DIRECTIONAL_LIGHT_CENTER } from "./extents";
import type { LightKind } from "./list";

/** Where a light without an area is marked, and where it shines to; null for all around. */
export interface LightMarker {
  position: Triple;
  direction: Triple | null;
}

type MarkerOf = (properties: Properties) => LightMarker | null;

/** The marker of each kind of light; null for those that have an area and are drawn themselves. */
export const LIGHT_MARKERS: Readonly<Record<LightKind, MarkerOf | null>> = {
  point_spot_light: ({ center, direction, cutoff_angle }) => {
    const isSpot = isTriple(direction) && typeof cutoff_angle === "number" && cutoff_angle < 180;
    return isTriple(center) ? { position: center, direction: isSpot ? direction : null } : null;
  },
  area_quad_light: null,
  disc_spot_light: null,
  area_sphere_light: null,
  area_disc_spot_light: null,
  directional_light: ({ center = DIRECTIONAL_LIGHT_CENTER, direction }) =>
    isTriple(center) ? { position: center, direction: isTriple(direction) ? direction : null } : null,
};
