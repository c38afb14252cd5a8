import type { Properties } from "../../document/scene";
import { colourOf, type Pattern, patternOf } from "../../document/texture";
import { scale, type Triple } from "../../document/vector";

/** What a material looks like, as far as rasters show it. */
export interface Surface {
  /** `emissive` shines without being lit; `glass` shows what is behind it; `black` is the back of a light. */
  kind: "matte" | "glossy" | "glass" | "emissive" | "black";
  /** Linear sRGB: reflectance, or of what glows its radiance. */
  colour: Triple;
  /** 0 is a mirror, 1 has no highlight. */
  roughness: number;
  /** 0 for paint and plastics, 1 for metals. */
  metalness: number;
  /** By which the colour varies; `colour` is then about its mean. */
  pattern: Pattern | null;
}

/** Light comes out of what glows and through glass. */
export function castsShadow({ kind }: Surface): boolean {
  return kind === "matte" || kind === "glossy";
}

/** The materials that have a name, by their names. */
export type Presets = ReadonlyMap<string, Properties>;

export const GREY: Triple = [0.5, 0.5, 0.5];
export const BLACK: Surface = { kind: "black", colour: [0, 0, 0], roughness: 1, metalness: 0, pattern: null };

/** What shines with a radiance. */
export function emissive(radiance: Triple): Surface {
  return { kind: "emissive", colour: radiance, roughness: 1, metalness: 0, pattern: null };
}

/** `colour` is a colour or a texture, of which `strength` is reflected. */
export function matte(colour: unknown, strength = 1): Surface {
  return { kind: "matte", ...coloured(colour, strength), roughness: 1, metalness: 0 };
}

export function glossy(colour: unknown, roughness: number, metalness: number, strength = 1): Surface {
  return { kind: "glossy", ...coloured(colour, strength), roughness, metalness };
}

export function glass(colour: Triple, roughness: number): Surface {
  return { kind: "glass", colour, roughness, metalness: 0, pattern: null };
}

function coloured(colour: unknown, strength: number): Pick<Surface, "colour" | "pattern"> {
  return { colour: scale(colourOf(colour), strength), pattern: patternOf(colour, strength) };
}
