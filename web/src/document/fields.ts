import { EMISSION_UNITS } from "../kinds/emission-units";
import { entryOf } from "../kinds/list";
import type { Range, Unit } from "./numbers";
import type { Properties } from "./scene";
import { isTriple } from "./vector";

type Axes = readonly [string, string, string];

/** How a property is edited. */
export type Control =
  | ({ kind: "number"; unit: Unit; whenNull?: string; slider?: Slider } & Range)
  | ({ kind: "vector"; unit: Unit; axes: Axes } & Range)
  /** A reflectance in linear sRGB, each channel in 0..1. */
  | { kind: "colour" }
  /** Light in linear sRGB, from 0 upwards. */
  | { kind: "emission"; unit: Unit }
  | { kind: "flag" }
  | { kind: "points" }
  | { kind: "text" }
  /** Whatever this page does not know. */
  | { kind: "json" };

/** The part of a number's range that is worth to be slid over. */
export interface Slider {
  min: number;
  max: number;
  step: number;
}

const XYZ: Axes = ["x", "y", "z"];
const POINT: Control = { kind: "vector", unit: "m", axes: XYZ };
const DIRECTION: Control = { kind: "vector", unit: "", axes: XYZ };
const ANGLES: Control = { kind: "vector", unit: "°", axes: XYZ };
const LENGTH: Control = { kind: "number", unit: "m", min: 0 };
const FRACTION: Control = {
  kind: "number",
  unit: "",
  min: 0,
  max: 1,
  slider: { min: 0, max: 1, step: 0.01 },
};
/** From air to diamond; the field takes what is beyond. */
const REFRACTIVE_INDEX: Control = {
  kind: "number",
  unit: "",
  min: 1,
  max: 100,
  slider: { min: 1, max: 2.5, step: 0.01 },
};
const ANGLE: Control = { kind: "number", unit: "°" };
const COLOUR: Control = { kind: "colour" };
const RADIANCE: Control = { kind: "emission", unit: "W/(sr m²)" };

/** Names mean the same wherever they stand. */
const CONTROLS: Record<string, Control> = {
  center: POINT,
  corner: POINT,
  base_center: POINT,
  top_center: POINT,
  look_at: POINT,
  start: POINT,
  end: POINT,
  translation: POINT,
  u: POINT,
  v: POINT,
  up: DIRECTION,
  normal: DIRECTION,
  direction: DIRECTION,
  rotation: ANGLES,
  dimensions: { kind: "vector", unit: "m", axes: ["w", "h", "d"], min: 0 },
  radius: LENGTH,
  base_radius: LENGTH,
  top_radius: LENGTH,
  thickness: LENGTH,
  depth: LENGTH,
  size: LENGTH,
  feature_size: LENGTH,
  transmission_depth: LENGTH,
  aperture: LENGTH,
  focus_distance: { ...LENGTH, whenNull: "at the target" },
  height: LENGTH,
  vfov: { kind: "number", unit: "°", min: 0.1, max: 179, slider: { min: 5, max: 120, step: 1 } },
  cutoff_angle: { kind: "number", unit: "°", min: 0, max: 180, slider: { min: 0, max: 180, step: 1 } },
  angular_diameter: { kind: "number", unit: "°", min: 0.05, max: 90 },
  start_angle: ANGLE,
  end_angle: ANGLE,
  falloff_exponent: { kind: "number", unit: "", min: 0 },
  refractive_index: REFRACTIVE_INDEX,
  specular_ior: REFRACTIVE_INDEX,
  coat_ior: REFRACTIVE_INDEX,
  thin_film_ior: REFRACTIVE_INDEX,
  fuzz: FRACTION,
  albedo: COLOUR,
  emission: RADIANCE,
  top_color: RADIANCE,
  bottom_color: RADIANCE,
  radii: { kind: "vector", unit: "m", axes: XYZ, min: 0 },
  visibility: LENGTH,
  anisotropy: {
    kind: "number",
    unit: "",
    min: -0.95,
    max: 0.95,
    slider: { min: -0.95, max: 0.95, step: 0.01 },
  },
  vertices: { kind: "points" },
  points: { kind: "points" },
};

/** Words for names that do not say it well by themselves. */
const LABELS: Record<string, string> = {
  vfov: "View angle",
  dimensions: "Size",
  look_at: "Target",
  u: "Edge u",
  v: "Edge v",
  top_color: "Sky",
  bottom_color: "Ground",
  base_center: "Base",
  top_center: "Top",
  translation: "Place",
  cutoff_angle: "Cone",
  falloff_exponent: "Falloff",
  fuzz: "Roughness",
  refractive_index: "Refraction",
  focus_distance: "Focus",
  specular_roughness_anisotropy: "Anisotropy",
  specular_ior: "Specular IOR",
  coat_ior: "Coat IOR",
  thin_film_ior: "Thin film IOR",
};

/** `base_radius` becomes `Base radius`. */
export function labelOf(name: string): string {
  const words = LABELS[name] ?? name.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** How the property of a thing of some type is edited: by its name where it fits the value, else by the value. */
export function controlOf(name: string, value: unknown, type: string): Control {
  const known = specialControl(name, type) ?? CONTROLS[name];
  return known !== undefined && fits(known, value) ? known : controlOfValue(name, value);
}

/** Names that mean something else on things of one type. */
function specialControl(name: string, type: string): Control | null {
  if (type === "fog" && name === "height") return FOG_HEIGHT;
  const unit = name === "emission" ? entryOf(EMISSION_UNITS, type) : undefined;
  return unit === undefined ? null : { kind: "emission", unit };
}

const FOG_HEIGHT: Control = { kind: "number", unit: "m", whenNull: "above all objects" };

function fits(control: Control, value: unknown): boolean {
  switch (control.kind) {
    case "number":
      return typeof value === "number" || (control.whenNull !== undefined && value === null);
    case "points":
      return Array.isArray(value) && value.length > 0 && value.length <= MAX_POINTS && value.every(isTriple);
    case "colour":
      return isTriple(value) && value.every((channel) => channel >= 0 && channel <= 1);
    default:
      return isTriple(value);
  }
}

/** More points than this are a list to be pasted, not fields to be filled in. */
const MAX_POINTS = 16;

/** Names of numbers from 0 to 1, as OpenPBR forms them. */
const UNIT_RANGE = /_(weight|roughness|metalness|anisotropy|darkening|opacity)$/;

function controlOfValue(name: string, value: unknown): Control {
  if (typeof value === "number") return UNIT_RANGE.test(name) ? FRACTION : { kind: "number", unit: "" };
  if (typeof value === "boolean") return { kind: "flag" };
  if (typeof value === "string") return { kind: "text" };
  if (!isTriple(value)) return { kind: "json" };
  return /colou?r$/.test(name) && fits(COLOUR, value) ? COLOUR : DIRECTION;
}

/** New fog for a view of some distance, in metres: far things fade, near ones do not. */
export function defaultFog(distance: number): Properties {
  return { visibility: Number((5 * distance).toPrecision(1)), color: [1, 1, 1], anisotropy: 0, height: null };
}
