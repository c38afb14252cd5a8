import type { Properties, SceneObject } from "../../document/scene";
import { add, length, normalized, scale, type Triple } from "../../document/vector";
import { type Extent, extentOf } from "../../kinds/extents";
import { surfaceOf } from "../../kinds/surfaces";
import type { Presets } from "../materials/surface";
import { daylight } from "./daylight";

/** A light that shines from one point, in the sense of KHR_lights_punctual. */
export interface PunctualLight {
  position: Triple;
  /** Intensity in W/sr, linear sRGB: along `direction`, where there is one. */
  intensity: Triple;
  /** Where it shines to; null for all around. */
  direction: Triple | null;
  /** Half the angle of its cone, at most 90 degrees, in radians. */
  coneAngle: number;
  /** How much of the cone fades out, from 0 to 1. */
  penumbra: number;
}

export const QUARTER_TURN = Math.PI / 2;

/** So far away, in metres, light is taken to come from one direction. */
const DISTANCE_M = 1e4;

/** A light from far away: of `irradiance` on what faces `towards` in the middle of the scene. */
export function distantLight(towards: Triple, irradiance: Triple, center: Triple): PunctualLight {
  return omnidirectionalLight(
    add(center, scale(normalized(towards), DISTANCE_M)),
    scale(irradiance, DISTANCE_M * DISTANCE_M),
  );
}

/** The sun of an environment, where there is one. */
export function sunOf(environment: Properties, center: Triple): PunctualLight | null {
  if (environment.type !== "sky") return null;
  const { sun, sunlight } = daylight(environment);
  return sunlight === null ? null : distantLight(sun, sunlight, center);
}

/** An emissive shape as a light at its middle, as strong as a ball of its size; null for others. */
export function punctualLightOfShape(shape: SceneObject, presets: Presets): PunctualLight | null {
  const { kind, colour } = surfaceOf(shape.properties.material, presets);
  const extent = kind === "emissive" ? extentOf(shape) : null;
  return extent === null ? null : lightOfExtent(extent, colour);
}

/** As strong as a convex body of some size: a quarter of its surface is what one sees of it, on average. */
export function lightOfExtent({ center, half }: Extent, radiance: Triple): PunctualLight {
  const [a, b, c] = half.map(length) as unknown as Triple;
  return omnidirectionalLight(center, scale(radiance, 2 * (a * b + b * c + c * a)));
}

/** As strong in all directions. */
export function omnidirectionalLight(position: Triple, intensity: Triple): PunctualLight {
  return { position, intensity, direction: null, coneAngle: Math.PI, penumbra: 0 };
}

/** Of what is flat one sees the less the more it is turned away. */
export function planarLight(
  position: Triple,
  normal: Triple,
  radiance: Triple,
  area: number,
  coneAngle: number,
): PunctualLight {
  const intensity = scale(radiance, area);
  return {
    position,
    intensity,
    direction: normalized(normal),
    coneAngle: Math.min(coneAngle, QUARTER_TURN),
    penumbra: 1,
  };
}

/** How bright a light is in all. */
export function powerOf({ intensity, coneAngle }: PunctualLight): number {
  return Math.max(...intensity) * (1 - Math.cos(coneAngle));
}
