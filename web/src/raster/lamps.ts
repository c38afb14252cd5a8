import { extentOf } from "../document/bounds";
import type { Properties, SceneObject } from "../document/scene";
import { add, cross, isTriple, length, normalized, scale, type Triple } from "../document/vector";
import { daylight } from "./daylight";
import { type Presets, surfaceOf } from "./surface";

/** Light from a point, as rasters know it. */
export interface Lamp {
  place: Triple;
  /** Intensity in W/sr, linear sRGB: along `direction`, where there is one. */
  intensity: Triple;
  /** Where it shines to; null for all around. */
  direction: Triple | null;
  /** Half the angle of its cone, at most 90 degrees, in radians. */
  cone: number;
  /** How much of the cone fades out, from 0 to 1. */
  softness: number;
}

const HALF_TURN = Math.PI / 2;

/** So far away, in metres, light is taken to come from one direction. */
const FAR = 1e4;

/** Light from far away, as lamps know it: of `irradiance` on what faces `towards` in the middle of the scene. */
export function farLamp(towards: Triple, irradiance: Triple, center: Triple): Lamp {
  return allAround(add(center, scale(normalized(towards), FAR)), scale(irradiance, FAR * FAR));
}

/** The sun of an environment, where there is one. */
export function lampOfSky(environment: Properties, center: Triple): Lamp | null {
  if (environment.type !== "sky") return null;
  const { sun, sunlight } = daylight(environment);
  return sunlight === null ? null : farLamp(sun, sunlight, center);
}

/** A light as a lamp at its middle; null when it is none that this page knows. `center` is the scene's. */
export function lampOf({ type, properties }: SceneObject, center: Triple = [0, 0, 0]): Lamp | null {
  const { emission, radius } = properties;
  if (!isTriple(emission)) return null;
  switch (type) {
    case "point_spot_light":
      return pointLamp(properties, emission);
    case "area_quad_light": {
      const { u, v } = properties;
      const extent = extentOf({ type, properties });
      if (extent === null || !isTriple(u) || !isTriple(v)) return null;
      const normal = cross(u, v);
      return flatLamp(extent.center, normal, emission, length(normal), HALF_TURN);
    }
    case "disc_spot_light":
    case "area_disc_spot_light": {
      const { center, normal, cutoff_angle } = properties;
      if (!isTriple(center) || !isTriple(normal) || typeof radius !== "number") return null;
      const cone = typeof cutoff_angle === "number" ? radians(cutoff_angle) : HALF_TURN;
      return flatLamp(center, normal, emission, Math.PI * radius * radius, cone);
    }
    case "directional_light": {
      const { direction } = properties;
      return isTriple(direction) ? farLamp(scale(direction, -1), emission, center) : null;
    }
    case "area_sphere_light": {
      const { center } = properties;
      if (!isTriple(center) || typeof radius !== "number") return null;
      return allAround(center, scale(emission, Math.PI * radius * radius));
    }
    default:
      return null;
  }
}

/** A shape that glows as a lamp at its middle, as strong as a ball of its size; null for others. */
export function lampOfShape(shape: SceneObject, presets: Presets): Lamp | null {
  const { kind, colour } = surfaceOf(shape.properties.material, presets);
  const extent = kind === "glow" ? extentOf(shape) : null;
  if (extent === null) return null;
  const [a, b, c] = extent.half.map(length) as unknown as Triple;
  // A quarter of the surface of a convex body is what one sees of it, on average.
  return allAround(extent.center, scale(colour, 2 * (a * b + b * c + c * a)));
}

function pointLamp(properties: Properties, intensity: Triple): Lamp | null {
  const { center, direction, cutoff_angle, falloff_exponent } = properties;
  if (!isTriple(center)) return null;
  const cone = typeof cutoff_angle === "number" ? radians(cutoff_angle) : Math.PI;
  if (cone > HALF_TURN || !isTriple(direction)) return allAround(center, intensity);
  const fades = typeof falloff_exponent === "number" && falloff_exponent > 0;
  return { place: center, intensity, direction: normalized(direction), cone, softness: fades ? 1 : 0.05 };
}

function allAround(place: Triple, intensity: Triple): Lamp {
  return { place, intensity, direction: null, cone: Math.PI, softness: 0 };
}

/** Of what is flat one sees the less the more it is turned away. */
function flatLamp(place: Triple, normal: Triple, radiance: Triple, area: number, cone: number): Lamp {
  const intensity = scale(radiance, area);
  return { place, intensity, direction: normalized(normal), cone: Math.min(cone, HALF_TURN), softness: 1 };
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}

/** How bright a lamp is in all. */
export function powerOf({ intensity, cone }: Lamp): number {
  return Math.max(...intensity) * (1 - Math.cos(cone));
}
