import type { Properties } from "../../document/scene";
import { colourOf, numberOf } from "../../document/texture";
import type { Triple } from "../../document/vector";
import type { Surface } from "./surface";

/**
 * What a surface looks like below the clear coat of its `principled` material: tinted by it, and darker and deeper in
 * colour, since light goes to and fro between both. `baseRoughness` is 1 for a matte ground. As the tracer has it in
 * `bsdf/principled/layers.rs`; OpenPBR 1.1, section 3.9.4.
 */
export function underCoat(surface: Surface, material: Properties, baseRoughness: number): Surface {
  const weight = numberOf(material.coat_weight, 0);
  if (weight === 0) return surface;
  const inside = internalReflectance(numberOf(material.coat_ior, 1.6), baseRoughness);
  const darkening = weight * numberOf(material.coat_darkening, 1);
  const tint = colourOf(material.coat_color, [1, 1, 1]);
  const seen = (base: Triple) =>
    base.map((share, channel) => {
      const darker = (1 - inside) / (1 - share * inside);
      const tinted = 1 + ((tint[channel] ?? 1) - 1) * weight;
      return share * tinted * (1 + (darker - 1) * darkening);
    }) as unknown as Triple;
  const { colour, pattern } = surface;
  return {
    ...surface,
    colour: seen(colour),
    pattern: pattern && { ...pattern, first: seen(pattern.first), second: seen(pattern.second) },
  };
}

/** The share of light from below that a coat sends back: straight on over a mirror, of all directions over a matte ground. */
function internalReflectance(ior: number, baseRoughness: number): number {
  const straight = ((ior - 1) / (ior + 1)) ** 2;
  // The mean of the Fresnel equations over all directions: Kulla and Conty 2017.
  const mean = (ior - 1) / (4.08567 + 1.00071 * ior);
  const scattered = 1 - (1 - mean) / (ior * ior);
  return straight + (scattered - straight) * baseRoughness;
}
