import type { Properties } from "../document/scene";
import { add, scale, type Triple } from "../document/vector";
import { belowCoat } from "./coat";
import { asProperties, colourOf, numberOf, type Pattern, patternOf } from "./texture";

/** What a material looks like, as far as rasters show it. */
export interface Surface {
  /** `glow` shines without being lit; `glass` shows what is behind it; `dark` is the back of a light. */
  kind: "matte" | "glossy" | "glass" | "glow" | "dark";
  /** Linear sRGB: reflectance, or of what glows its radiance. */
  colour: Triple;
  /** 0 is a mirror, 1 has no highlight. */
  roughness: number;
  /** 0 for paint and plastics, 1 for metals. */
  metalness: number;
  /** By which the colour varies; `colour` is then about its mean. */
  pattern: Pattern | null;
}

/** The materials that have a name, by their names. */
export type Presets = ReadonlyMap<string, Properties>;

const GREY: Triple = [0.5, 0.5, 0.5];
export const DARK: Surface = { kind: "dark", colour: [0, 0, 0], roughness: 1, metalness: 0, pattern: null };

/** What a material of the document looks like; a kind that is newer than this page is grey. */
export function surfaceOf(material: unknown, presets: Presets): Surface {
  if (typeof material === "string") return named(material, presets);
  const properties = asProperties(material);
  const { type, name } = properties;
  switch (type) {
    case "metal":
      return glossy(properties.albedo, numberOf(properties.fuzz, 0), 1);
    case "dielectric":
      return glass([1, 1, 1], 0);
    case "emissive":
      return glow(colourOf(properties.emission, [1, 1, 1]));
    case "principled":
      return principled(properties);
    case "mix":
      return mixed(properties, presets);
    case "preset":
      return typeof name === "string" ? named(name, presets) : matte(GREY);
    default:
      return matte(properties.albedo ?? properties.base_color ?? properties.color);
  }
}

/** What shines with a radiance. */
export function glow(radiance: Triple): Surface {
  return { kind: "glow", colour: radiance, roughness: 1, metalness: 0, pattern: null };
}

function named(name: string, presets: Presets): Surface {
  const preset = presets.get(name);
  return preset === undefined ? matte(GREY) : surfaceOf(preset, presets);
}

/** The larger part, in the colour of both; glass stays clear. */
function mixed({ first, second, weight }: Properties, presets: Presets): Surface {
  const share = Math.min(Math.max(numberOf(weight, 0.5), 0), 1);
  const parts = [surfaceOf(first, presets), surfaceOf(second, presets)] as const;
  const larger = parts[share > 0.5 ? 1 : 0];
  if (parts.some(({ kind }) => kind === "glass")) return larger;
  const between = (a: number, b: number) => a + (b - a) * share;
  return {
    kind: larger.kind,
    colour: add(scale(parts[0].colour, 1 - share), scale(parts[1].colour, share)),
    roughness: between(parts[0].roughness, parts[1].roughness),
    metalness: between(parts[0].metalness, parts[1].metalness),
    pattern: null,
  };
}

/** `colour` is a colour or a texture, of which `strength` is reflected. */
function matte(colour: unknown, strength = 1): Surface {
  return { kind: "matte", ...coloured(colour, strength), roughness: 1, metalness: 0 };
}

function glossy(colour: unknown, roughness: number, metalness: number, strength = 1): Surface {
  return { kind: "glossy", ...coloured(colour, strength), roughness, metalness };
}

function glass(colour: Triple, roughness: number): Surface {
  return { kind: "glass", colour, roughness, metalness: 0, pattern: null };
}

function coloured(colour: unknown, strength: number): Pick<Surface, "colour" | "pattern"> {
  return { colour: scale(colourOf(colour), strength), pattern: patternOf(colour, strength) };
}

/** Light beats glass, glass beats gloss: rasters show one of them. */
function principled(properties: Properties): Surface {
  const luminance = numberOf(properties.emission_luminance, 0);
  const emitted = scale(colourOf(properties.emission_color, [1, 1, 1]), luminance);
  if (Math.max(...emitted) > 0.2) return glow(emitted);
  const roughness = numberOf(properties.specular_roughness, 0.3);
  const opacity = numberOf(properties.geometry_opacity, 1);
  if (numberOf(properties.transmission_weight, 0) > 0.5 || opacity < 0.5) {
    return glass(colourOf(properties.transmission_color, [1, 1, 1]), roughness);
  }
  const colour = properties.base_color ?? [0.8, 0.8, 0.8];
  const strength = numberOf(properties.base_weight, 1);
  const metalness = numberOf(properties.base_metalness, 0);
  const coat = numberOf(properties.coat_weight, 0);
  const shown = coat > 0.5 ? Math.min(roughness, numberOf(properties.coat_roughness, 0)) : roughness;
  const shines = metalness > 0 || (shown < 0.6 && numberOf(properties.specular_weight, 1) > 0.1);
  const surface = shines ? glossy(colour, shown, metalness, strength) : matte(colour, strength);
  return belowCoat(surface, properties, 1 + (roughness - 1) * metalness);
}
