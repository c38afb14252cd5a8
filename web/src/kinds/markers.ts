import type { SceneObject } from "../document/scene";
import { isTriple, type Triple } from "../document/vector";
import { frameOf, withDefaults } from "./list";

/** Where a light without an area is marked, and where it shines to; null for all around. */
export interface LightMarker {
  position: Triple;
  direction: Triple | null;
}

/** The marker of a light; null for those that have an area and are drawn themselves. */
export function markerOf(light: Pick<SceneObject, "type" | "properties">): LightMarker | null {
  if (frameOf(light.type) !== "point") return null;
  const { center, direction, cutoff_angle } = withDefaults(light);
  if (!isTriple(center)) return null;
  const isAllAround = typeof cutoff_angle === "number" && cutoff_angle >= 180;
  return { position: center, direction: isTriple(direction) && !isAllAround ? direction : null };
}
