import { MATERIAL_DEFAULTS } from "../kinds/defaults";
import type { MaterialKind } from "../kinds/list";
import type { Properties } from "./scene";
import { isTriple } from "./vector";

/** OpenPBR 1.1's values for what a principled material leaves out: the server tells what differs from them. */
const PRINCIPLED: Properties = {
  base_color: [0.8, 0.8, 0.8],
  base_metalness: 0,
  specular_roughness: 0.3,
  base_weight: 1,
  transmission_weight: 0,
  transmission_color: [1, 1, 1],
  transmission_depth: 0,
  specular_weight: 1,
  specular_color: [1, 1, 1],
  specular_roughness_anisotropy: 0,
  specular_ior: 1.5,
  coat_weight: 0,
  coat_color: [1, 1, 1],
  coat_roughness: 0,
  coat_ior: 1.6,
  coat_darkening: 1,
  fuzz_weight: 0,
  fuzz_color: [1, 1, 1],
  fuzz_roughness: 0.5,
  emission_luminance: 0,
  emission_color: [1, 1, 1],
  thin_film_weight: 0,
  thin_film_thickness: 0.5,
  thin_film_ior: 1.4,
  geometry_opacity: 1,
  geometry_thin_walled: false,
};

/** Layers by their weights: where one has none, the rest of it cannot be seen. */
const LAYERS: Readonly<Record<string, readonly string[]>> = {
  transmission_weight: ["transmission_color", "transmission_depth"],
  coat_weight: ["coat_color", "coat_roughness", "coat_ior", "coat_darkening"],
  fuzz_weight: ["fuzz_color", "fuzz_roughness"],
  emission_luminance: ["emission_color"],
  thin_film_weight: ["thin_film_thickness", "thin_film_ior"],
};

/** What a material is called whose value is a text: the name of a preset. */
export function materialKind(material: unknown): string {
  if (typeof material === "string") return "preset";
  const { type } = propertiesOf(material);
  return typeof type === "string" ? type : "";
}

/** The properties of a material with those it leaves out, without its type. */
export function materialProperties(material: unknown): Properties {
  const { type, ...properties } = propertiesOf(material);
  return type === "principled" ? { ...PRINCIPLED, ...properties } : properties;
}

/** The properties of a material that show in the picture. */
export function visibleProperties(material: unknown): Properties {
  const all = materialProperties(material);
  if (materialKind(material) !== "principled") return all;
  const unseen = Object.entries(LAYERS).flatMap(([weight, layer]) => (all[weight] === 0 ? layer : []));
  // Light that goes through meets no paint.
  if (all.transmission_weight === 1 && all.base_metalness === 0) unseen.push("base_color", "base_weight");
  return Object.fromEntries(Object.entries(all).filter(([name]) => !unseen.includes(name)));
}

/**
 * What a material of the kind starts with; the color or the texture of the present one is kept. One that is of the
 * kind already stays as it is: so a preset becomes what it is made of, to be edited.
 */
export function defaultMaterial(kind: MaterialKind, present: unknown): unknown {
  if (materialKind(present) === kind) return present;
  const { albedo, base_color } = propertiesOf(present);
  const isColor = (value: unknown) => isTriple(value) || typeof propertiesOf(value).type === "string";
  const colour = [albedo, base_color].find(isColor) ?? [0.8, 0.8, 0.8];
  return MATERIAL_DEFAULTS[kind](colour, MIXABLE.has(materialKind(present)) ? present : "steel");
}

/** A material with a picture as its color; what has no color becomes matte. `present` is no preset's name. */
export function materialWithImage(present: unknown, asset: string): Properties {
  const properties = propertiesOf(present);
  const { type } = properties;
  const image = { type: "image", asset };
  if (type === "principled") return { ...properties, base_color: image };
  if (type === "lambertian" || type === "metal") return { ...properties, albedo: image };
  return { type: "lambertian", albedo: image };
}

/** What a mix may be made of for sure: glowing parts and two clear ones are refused. */
const MIXABLE: ReadonlySet<string> = new Set(["lambertian", "metal"]);

function propertiesOf(material: unknown): Properties {
  const isObject = typeof material === "object" && material !== null && !Array.isArray(material);
  return isObject ? (material as Properties) : {};
}
