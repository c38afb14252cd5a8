import type { SceneObject } from "../../document/scene";
import { add, length, normalized, scale, type Triple } from "../../document/vector";
import { type Extent, extentOf } from "../../kinds/extents";
import { surfaceOf } from "../../kinds/surfaces";
import type { Presets } from "../materials/surface";

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
  /** Of a disc as large as it is seen to be, in metres: edges of shadows are the softer. */
  radius: number;
}

export const QUARTER_TURN = Math.PI / 2;

/** So far away, in metres, light is taken to come from one direction. */
const DISTANCE_M = 1e4;
/** Of the sun over its distance. */
const SUN_RADIUS = 0.0046;

/** A light from far away: of `irradiance` on what faces `towards` in the middle of the scene. */
export function distantLight(towards: Triple, irradiance: Triple, center: Triple): PunctualLight {
  return omnidirectionalLight(
    add(center, scale(normalized(towards), DISTANCE_M)),
    scale(irradiance, DISTANCE_M * DISTANCE_M),
    SUN_RADIUS * DISTANCE_M,
  );
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
  const seen = 2 * (a * b + b * c + c * a);
  return omnidirectionalLight(center, scale(radiance, seen), Math.sqrt(seen / Math.PI));
}

/** As strong in all directions. */
export function omnidirectionalLight(position: Triple, intensity: Triple, radius = 0): PunctualLight {
  return { position, intensity, direction: null, coneAngle: Math.PI, penumbra: 0, radius };
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
    radius: Math.sqrt(area / Math.PI),
  };
}

/** How bright a light is in all. */
export function powerOf({ intensity, coneAngle }: PunctualLight): number {
  return Math.max(...intensity) * (1 - Math.cos(coneAngle));
}
