import type { SceneObject } from "../document/scene";
import { isTriple, type Triple } from "../document/vector";
import { punctualLightOf } from "./light-sources";
import { frameOf, withDefaults } from "./list";

/** Where a light without a visible surface is marked, and where it shines to; null for all around. */
export interface LightMarker {
  position: Triple;
  direction: Triple | null;
}

/** Whether the camera does not see the surface of a light. */
export function isHiddenFromCamera(light: Pick<SceneObject, "properties">): boolean {
  return light.properties.visible_to_camera === false;
}

/** The marker of a light; null for those that have an area and are drawn themselves. */
export function markerOf(light: Pick<SceneObject, "type" | "properties">): LightMarker | null {
  if (frameOf(light.type) !== "point") {
    const source = isHiddenFromCamera(light) ? punctualLightOf(light) : null;
    return source === null ? null : { position: source.position, direction: source.direction };
  }
  const { center, direction, cutoff_angle } = withDefaults(light);
  if (!isTriple(center)) return null;
  const isAllAround = typeof cutoff_angle === "number" && cutoff_angle >= 180;
  return { position: center, direction: isTriple(direction) && !isAllAround ? direction : null };
}
