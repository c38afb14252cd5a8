import type { Unit } from "../document/numbers";
import type { LightKind } from "./list";

/** What the emission of each kind of light is: radiant intensity, radiance or irradiance. */
export const EMISSION_UNITS: Readonly<Record<LightKind, Unit>> = {
  point_spot_light: "W/sr",
  area_quad_light: "W/(sr m²)",
  disc_spot_light: "W/(sr m²)",
  area_sphere_light: "W/(sr m²)",
  area_disc_spot_light: "W/(sr m²)",
  directional_light: "W/m²",
};
