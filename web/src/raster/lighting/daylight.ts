import type { Properties } from "../../document/scene";
import { scale, type Triple } from "../../document/vector";
import type { Sky } from "../environment/sky";

/** A day's sky as rasters draw it: two colours, and the sun as light from far away. */
export interface Daylight extends Sky {
  /** Towards the sun, of length 1; below the horizon its height is negative. */
  sun: Triple;
  /** Irradiance on what faces the sun, in W/m^2, linear sRGB; null when it has set. */
  sunlight: Triple | null;
}

const TILT = (23.44 * Math.PI) / 180;

/** As `scene` has it: north is -z, east +x. */
export function sunDirection(properties: Properties): Triple {
  const number = (name: string, otherwise: number) => {
    const value = properties[name];
    return typeof value === "number" ? value : otherwise;
  };
  const radians = (degrees: number) => (Math.PI / 180) * degrees;
  const declination = -TILT * Math.cos(((2 * Math.PI) / 365) * (number("day", 172) + 10));
  const hour = radians(15 * (number("time", 10) - 12));
  const latitude = radians(number("latitude", 45));
  const turn = radians(number("sky_rotation", 0));
  const [up, across] = [Math.sin(declination), Math.cos(declination)];
  const height = Math.sin(latitude) * up + Math.cos(latitude) * across * Math.cos(hour);
  const north = Math.cos(latitude) * up - Math.sin(latitude) * across * Math.cos(hour);
  const east = -across * Math.sin(hour);
  return [
    north * Math.sin(turn) + east * Math.cos(turn),
    height,
    -(north * Math.cos(turn) - east * Math.sin(turn)),
  ];
}

/**
 * About what the tracer's sky of a clear day shows at these heights of the sun: overhead, at the horizon, and of a white
 * level surface what the sun alone makes of it.
 */
const OVERHEAD = { low: [0.09, 0.115, 0.2], high: [0.028, 0.055, 0.127] } as const;
const HORIZON = { low: [0.6, 0.6, 0.52], high: [0.14, 0.245, 0.37] } as const;
const SUNLIT = { low: [0.2, 0.07, 0.02], high: [0.9, 0.82, 0.7] } as const;
/** Below this height the sun shines along the ground: what faces it would get too much. */
const MIN_SUN_HEIGHT = 0.15;

/** Of an environment `sky`. */
export function daylight(properties: Properties): Daylight {
  const strength = typeof properties.strength === "number" ? properties.strength : 1;
  const sun = sunDirection(properties);
  const height = Math.max(0, sun[1]);
  // After sunset it gets dark within an hour or so.
  const dusk = strength * Math.min(1, Math.max(0.08, 1 + 6 * sun[1]));
  const overhead = interpolate(OVERHEAD, Math.min(1, 5 * height));
  const horizon = interpolate(HORIZON, Math.sqrt(height));
  // Halfway between top and bottom lies the horizon.
  const bottom = horizon.map((part, at) => Math.max(0, 2 * part - (overhead[at] ?? 0))) as unknown as Triple;
  const sunlit = scale(
    interpolate(SUNLIT, Math.sqrt(height)),
    (strength * Math.PI) / Math.max(MIN_SUN_HEIGHT, height),
  );
  return {
    top: scale(overhead, dusk),
    bottom: scale(bottom, dusk),
    sun,
    sunlight: sun[1] > 0 ? sunlit : null,
  };
}

function interpolate({ low, high }: { low: Triple; high: Triple }, share: number): Triple {
  return low.map((part, at) => part + share * ((high[at] ?? 0) - part)) as unknown as Triple;
}
