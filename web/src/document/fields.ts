import { descriptionOf } from "../kinds/list";
import { isOutlineList, type PointListKind, pointListKind } from "../kinds/point-lists";
import type { PropertyInfo } from "../protocol/generated/kinds";
import type { Range, Unit } from "./numbers";
import type { Properties } from "./scene";
import { asProperties } from "./texture";
import { isTriple } from "./vector";

/** How a property is edited. */
export type Control =
  | ({ kind: "number"; unit: Unit; whenNull?: string; slider?: Slider } & Range)
  | ({ kind: "vector"; unit: Unit; axes: readonly string[] } & Range)
  /** A reflectance in linear sRGB, each channel in 0..1. */
  | { kind: "colour" }
  /** Light in linear sRGB, from 0 upwards. */
  | { kind: "emission"; unit: Unit }
  | { kind: "flag" }
  | { kind: "points" }
  /** Points of a line or an outline, which is drawn. */
  | { kind: "point_list"; list: PointListKind }
  /** Closed outlines. */
  | { kind: "outlines" }
  /** A picture on a surface: a texture of type `image`. */
  | { kind: "image" }
  /** An uploaded picture by its hash. */
  | { kind: "asset" }
  | { kind: "text" }
  /** Whatever this page does not know. */
  | { kind: "json" };

/** The part of a number's range that is worth to be slid over. */
export interface Slider {
  min: number;
  max: number;
  step: number;
}

const XYZ: readonly string[] = ["x", "y", "z"];
const POINT: Control = { kind: "vector", unit: "m", axes: XYZ };
const DIRECTION: Control = { kind: "vector", unit: "", axes: XYZ };
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
const COLOUR: Control = { kind: "colour" };
const RADIANCE: Control = { kind: "emission", unit: "W/(sr m²)" };

/** Properties of materials, the camera, the environment and fog: names mean the same wherever they stand. */
const CONTROLS: Record<string, Control> = {
  center: POINT,
  look_at: POINT,
  up: DIRECTION,
  transmission_depth: LENGTH,
  aperture: LENGTH,
  focus_distance: { ...LENGTH, whenNull: "at the target" },
  height: LENGTH,
  exposure: { kind: "number", unit: "", min: -20, max: 20, slider: { min: -5, max: 5, step: 0.1 } },
  vfov: { kind: "number", unit: "°", min: 0.1, max: 179, slider: { min: 5, max: 120, step: 1 } },
  refractive_index: REFRACTIVE_INDEX,
  specular_ior: REFRACTIVE_INDEX,
  coat_ior: REFRACTIVE_INDEX,
  thin_film_ior: REFRACTIVE_INDEX,
  fuzz: FRACTION,
  rotation: { kind: "number", unit: "°", slider: { min: -180, max: 180, step: 1 } },
  strength: { kind: "number", unit: "", min: 0, slider: { min: 0, max: 4, step: 0.05 } },
  albedo: COLOUR,
  emission: RADIANCE,
  top_color: RADIANCE,
  bottom_color: RADIANCE,
  visibility: LENGTH,
  anisotropy: {
    kind: "number",
    unit: "",
    min: -0.95,
    max: 0.95,
    slider: { min: -0.95, max: 0.95, step: 0.01 },
  },
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
  albedo: "Color",
  refractive_index: "IOR",
  base_color: "Color",
  base_metalness: "Metalness",
  specular_roughness: "Roughness",
  transmission_weight: "Transmission",
  coat_weight: "Coat",
  thin_film_weight: "Thin film",
  geometry_opacity: "Opacity",
  geometry_thin_walled: "Thin walled",
  emission_luminance: "Emission",
  asset: "Image",
  focus_distance: "Focus",
  exposure: "Exposure (stops)",
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

/**
 * How the property of a thing of some type is edited: as the server describes it, else by its name where that fits the
 * value, else by the value.
 */
export function controlOf(name: string, value: unknown, type: string): Control {
  const info = descriptionOf(type)?.properties.find((property) => property.name === name);
  if (info !== undefined) return controlOfProperty(info, value);
  const known = type === "fog" && name === "height" ? FOG_HEIGHT : CONTROLS[name];
  return known !== undefined && fits(known, value) ? known : controlOfValue(name, value);
}

function controlOfProperty(info: PropertyInfo, value: unknown): Control {
  const { name, role, min, max, whole = false, axes = XYZ } = info;
  const unit = (info.unit ?? "") as Unit;
  const list = pointListKind(name, value);
  if (list !== null) return { kind: "point_list", list };
  if (name === "holes" && isOutlineList(value)) return { kind: "outlines" };
  if (role === "points" && isPointList(value)) return { kind: "points" };
  if (role === "emission" && isTriple(value)) return { kind: "emission", unit };
  // Lengths are never negative.
  const least = min ?? (role === "length" || role === "scale" ? 0 : undefined);
  const range: Range = {
    ...(least !== undefined && { min: least }),
    ...(max !== undefined && { max }),
    ...(whole && { whole }),
  };
  if (typeof value === "number") return { kind: "number", unit, ...range, ...sliderOf(unit, range) };
  const isVector = Array.isArray(value) && value.length === axes.length && value.every(Number.isFinite);
  return isVector ? { kind: "vector", unit, axes, ...range } : controlOfValue(name, value);
}

/** Wide angles and whole numbers are slid over in steps of one. */
function sliderOf(unit: Unit, { min, max, whole }: Range): { slider?: Slider } {
  if (min === undefined || max === undefined) return {};
  return whole || (unit === "°" && max - min >= 180) ? { slider: { min, max, step: 1 } } : {};
}

const FOG_HEIGHT: Control = { kind: "number", unit: "m", whenNull: "above all objects" };

function fits(control: Control, value: unknown): boolean {
  switch (control.kind) {
    case "number":
      return typeof value === "number" || (control.whenNull !== undefined && value === null);
    case "colour":
      return isTriple(value) && value.every((channel) => channel >= 0 && channel <= 1);
    default:
      return isTriple(value);
  }
}

function isPointList(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.length <= MAX_POINTS && value.every(isTriple);
}

/** More points than this are a list to be pasted, not fields to be filled in. */
const MAX_POINTS = 16;

/** Names of numbers from 0 to 1, as OpenPBR forms them. */
const UNIT_RANGE = /_(weight|roughness|metalness|anisotropy|darkening|opacity)$/;

function controlOfValue(name: string, value: unknown): Control {
  if (typeof value === "number") return UNIT_RANGE.test(name) ? FRACTION : { kind: "number", unit: "" };
  if (typeof value === "boolean") return { kind: "flag" };
  if (name === "asset") return { kind: "asset" };
  if (typeof value === "string") return { kind: "text" };
  if (asProperties(value).type === "image") return { kind: "image" };
  if (!isTriple(value)) return { kind: "json" };
  return /colou?r$/.test(name) && fits(COLOUR, value) ? COLOUR : DIRECTION;
}

/** New fog for a view of some distance, in metres: far things fade, near ones do not. */
export function defaultFog(distance: number): Properties {
  return { visibility: Number((5 * distance).toPrecision(1)), color: [1, 1, 1], anisotropy: 0, height: null };
}
