import type { Properties, SceneObject } from "../document/scene";
import { cross, isTriple, length, normalized, scale, type Triple } from "../document/vector";
import {
  distantLight,
  omnidirectionalLight,
  type PunctualLight,
  planarLight,
  QUARTER_TURN,
} from "../raster/lighting/punctual-lights";
import { extentOf } from "./extents";
import { entryOf, type LightKind } from "./list";

/** `sceneCenter` is where a light from far away has its irradiance. */
type SourceOf = (properties: Properties, emission: Triple, sceneCenter: Triple) => PunctualLight | null;

/** Each kind of light as a punctual light at its middle. */
export const LIGHT_SOURCES: Readonly<Record<LightKind, SourceOf>> = {
  point_spot_light: pointLight,
  area_quad_light: quadLight,
  disc_spot_light: discLight,
  area_sphere_light: ({ center, radius }, emission) =>
    isTriple(center) && typeof radius === "number"
      ? omnidirectionalLight(center, scale(emission, Math.PI * radius * radius))
      : null,
  area_disc_spot_light: discLight,
  directional_light: ({ direction }, emission, sceneCenter) =>
    isTriple(direction) ? distantLight(scale(direction, -1), emission, sceneCenter) : null,
};

/** A light of the document as a punctual light; null for kinds that are newer than this page. */
export function punctualLightOf(
  { type, properties }: SceneObject,
  sceneCenter: Triple = [0, 0, 0],
): PunctualLight | null {
  const { emission } = properties;
  if (!isTriple(emission)) return null;
  return entryOf(LIGHT_SOURCES, type)?.(properties, emission, sceneCenter) ?? null;
}

function quadLight(properties: Properties, emission: Triple): PunctualLight | null {
  const { u, v } = properties;
  const extent = extentOf({ type: "area_quad_light", properties });
  if (extent === null || !isTriple(u) || !isTriple(v)) return null;
  const normal = cross(u, v);
  return planarLight(extent.center, normal, emission, length(normal), QUARTER_TURN);
}

function discLight(
  { center, normal, radius, cutoff_angle }: Properties,
  emission: Triple,
): PunctualLight | null {
  if (!isTriple(center) || !isTriple(normal) || typeof radius !== "number") return null;
  const coneAngle = typeof cutoff_angle === "number" ? radians(cutoff_angle) : QUARTER_TURN;
  return planarLight(center, normal, emission, Math.PI * radius * radius, coneAngle);
}

function pointLight(properties: Properties, intensity: Triple): PunctualLight | null {
  const { center, direction, cutoff_angle, falloff_exponent } = properties;
  if (!isTriple(center)) return null;
  const coneAngle = typeof cutoff_angle === "number" ? radians(cutoff_angle) : Math.PI;
  if (coneAngle > QUARTER_TURN || !isTriple(direction)) return omnidirectionalLight(center, intensity);
  const fades = typeof falloff_exponent === "number" && falloff_exponent > 0;
  return {
    position: center,
    intensity,
    direction: normalized(direction),
    coneAngle,
    penumbra: fades ? 1 : 0.05,
  };
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}
