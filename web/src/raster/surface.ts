import type { Properties } from "../document/scene";
import { add, isTriple, scale, type Triple } from "../document/vector";

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
}

/** The materials that have a name, by their names. */
export type Presets = ReadonlyMap<string, Properties>;

const GREY: Triple = [0.5, 0.5, 0.5];
export const DARK: Surface = { kind: "dark", colour: [0, 0, 0], roughness: 1, metalness: 0 };

/** What a material of the document looks like; a kind that is newer than this page is grey. */
export function surfaceOf(material: unknown, presets: Presets): Surface {
  if (typeof material === "string") return named(material, presets);
  const properties = asProperties(material);
  const { type, name } = properties;
  switch (type) {
    case "metal":
      return glossy(colourOf(properties.albedo), numberOf(properties.fuzz, 0), 1);
    case "dielectric":
      return { kind: "glass", colour: [1, 1, 1], roughness: 0, metalness: 0 };
    case "emissive":
      return glow(colourOf(properties.emission, [1, 1, 1]));
    case "principled":
      return principled(properties);
    case "preset":
      return typeof name === "string" ? named(name, presets) : matte(GREY);
    default:
      return matte(colourOf(properties.albedo ?? properties.base_color ?? properties.color));
  }
}

/** What shines with a radiance. */
export function glow(radiance: Triple): Surface {
  return { kind: "glow", colour: radiance, roughness: 1, metalness: 0 };
}

function named(name: string, presets: Presets): Surface {
  const preset = presets.get(name);
  return preset === undefined ? matte(GREY) : surfaceOf(preset, presets);
}

function matte(colour: Triple): Surface {
  return { kind: "matte", colour, roughness: 1, metalness: 0 };
}

function glossy(colour: Triple, roughness: number, metalness: number): Surface {
  return { kind: "glossy", colour, roughness, metalness };
}

/** Light beats glass, glass beats gloss: rasters show one of them. */
function principled(properties: Properties): Surface {
  const luminance = numberOf(properties.emission_luminance, 0);
  const emitted = scale(colourOf(properties.emission_color, [1, 1, 1]), luminance);
  if (Math.max(...emitted) > 0.2) return glow(emitted);
  const roughness = numberOf(properties.specular_roughness, 0.3);
  const opacity = numberOf(properties.geometry_opacity, 1);
  if (numberOf(properties.transmission_weight, 0) > 0.5 || opacity < 0.5) {
    const colour = colourOf(properties.transmission_color, [1, 1, 1]);
    return { kind: "glass", colour, roughness, metalness: 0 };
  }
  const colour = scale(colourOf(properties.base_color, [0.8, 0.8, 0.8]), numberOf(properties.base_weight, 1));
  const metalness = numberOf(properties.base_metalness, 0);
  const coat = numberOf(properties.coat_weight, 0);
  const shown = coat > 0.5 ? Math.min(roughness, numberOf(properties.coat_roughness, 0)) : roughness;
  const shines = metalness > 0 || (shown < 0.6 && numberOf(properties.specular_weight, 1) > 0.1);
  return shines ? glossy(colour, shown, metalness) : matte(colour);
}

function asProperties(value: unknown): Properties {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Properties) : {};
}

/** Of a texture the mean of what it mixes. */
function numberOf(value: unknown, otherwise: number): number {
  if (typeof value === "number" && Number.isFinite(value)) return value;
  const { first, second } = asProperties(value);
  return first === undefined && second === undefined
    ? otherwise
    : 0.5 * (numberOf(first, otherwise) + numberOf(second, otherwise));
}

/** Of a texture about the mean of what it mixes: rasters show no patterns. */
function colourOf(value: unknown, otherwise: Triple = GREY): Triple {
  if (isTriple(value)) return value;
  const { type, first, second } = asProperties(value);
  if (typeof type !== "string") return otherwise;
  const mix = MIXED[type] ?? { first: [0, 0, 0], second: [1, 1, 1], share: 0.5 };
  return add(
    scale(colourOf(first, mix.first), 1 - mix.share),
    scale(colourOf(second, mix.second), mix.share),
  );
}

interface Mix {
  first: Triple;
  second: Triple;
  /** How much of the surface is the second. */
  share: number;
}

const TWO_TONE: Mix = { first: [0.8, 0.8, 0.8], second: [0.05, 0.05, 0.05], share: 0.5 };
/** What textures mix that do not say: the server's own defaults. */
const MIXED: Readonly<Record<string, Mix>> = {
  checker: TWO_TONE,
  stripes: TWO_TONE,
  brick: { first: [0.36, 0.1, 0.06], second: [0.55, 0.52, 0.47], share: 0.2 },
  wood: { first: [0.45, 0.25, 0.11], second: [0.2, 0.088, 0.03], share: 0.4 },
  marble: { first: [0.85, 0.84, 0.82], second: [0.16, 0.17, 0.19], share: 0.15 },
};
