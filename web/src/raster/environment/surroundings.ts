import type { Texture } from "three";
import type { Properties } from "../../document/scene";
import { scale, type Triple } from "../../document/vector";
import { skyOf } from "../../kinds/skies";
import { daylight } from "../lighting/daylight";
import type { Panorama } from "./panorama";
import type { Sky } from "./sky";

/** What is around the scene, as it is drawn. */
export interface Surroundings {
  sky: Sky;
  /** Towards the sun, and what falls on what faces it; null without one. */
  sun: { towards: Triple; irradiance: Triple } | null;
  /** A picture all around; null for the sky alone. */
  picture: EnvironmentPicture | null;
}

export interface EnvironmentPicture {
  texture: Texture;
  strength: number;
  /** Counter-clockwise seen from above, in radians. */
  turn: number;
}

/** The asset of a panorama that an environment shows; null for none. */
export function panoramaAssetOf({ type, asset }: Properties): string | null {
  return type === "image" && typeof asset === "string" ? asset : null;
}

/** `panorama`: what its asset shows, once it is there. */
export function surroundingsOf(environment: Properties, panorama: Panorama | null): Surroundings {
  if (panorama !== null) return panoramic(environment, panorama);
  const { sun, sunlight } =
    environment.type === "sky" ? daylight(environment) : { sun: null, sunlight: null };
  return {
    sky: skyOf(environment),
    sun: sun === null || sunlight === null ? null : { towards: sun, irradiance: sunlight },
    picture: null,
  };
}

function panoramic({ strength: given, rotation }: Properties, { texture, sky, sun }: Panorama): Surroundings {
  const strength = typeof given === "number" ? given : 1;
  const turn = (Math.PI / 180) * (typeof rotation === "number" ? rotation : 0);
  return {
    sky: { top: scale(sky.top, strength), bottom: scale(sky.bottom, strength) },
    sun:
      sun === null
        ? null
        : { towards: turned(sun.direction, turn), irradiance: scale(sun.irradiance, strength) },
    picture: { texture, strength, turn },
  };
}

/** About the vertical, counter-clockwise seen from above. */
export function turned([x, y, z]: Triple, angle: number): Triple {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return [cos * x + sin * z, y, cos * z - sin * x];
}
