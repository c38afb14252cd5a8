import { splitEmission, toHex } from "./colour";
import type { Properties, SceneObject } from "./scene";
import { asProperties, colourOf, numberOf } from "./texture";
import { isTriple, type Triple } from "./vector";

/** Clear glass, as it is painted where there is nothing behind it. */
const GLASS = "#d5e6ee";
/** Of a principled material that says nothing else. */
const PRINCIPLED: Triple = [0.8, 0.8, 0.8];

/**
 * The colour by which one knows an object, as screens show it: of a texture the mean, of light without its strength.
 * `presetOf` knows what presets are made of.
 */
export function swatchOf(
  { properties }: Pick<SceneObject, "properties">,
  presetOf: (name: string) => Properties | undefined,
): string | null {
  const { emission, material } = properties;
  return isTriple(emission) ? toHex(splitEmission(emission).colour) : materialSwatch(material, presetOf);
}

/** Whether what it looks like is told by the name of a preset, at least in part. */
export function namesPreset(material: unknown): boolean {
  const { type, first, second } = asProperties(material);
  return (
    typeof material === "string" ||
    type === "preset" ||
    (type === "mix" && (namesPreset(first) || namesPreset(second)))
  );
}

function materialSwatch(
  material: unknown,
  presetOf: (name: string) => Properties | undefined,
): string | null {
  const { type, name, albedo, base_color, emission, first, second, weight } = asProperties(material);
  const { transmission_color, transmission_weight } = asProperties(material);
  const preset = typeof material === "string" ? material : type === "preset" ? name : null;
  if (typeof preset === "string") {
    const made = presetOf(preset);
    return made === undefined ? null : materialSwatch(made, presetOf);
  }
  if (type === "mix") return materialSwatch(numberOf(weight, 0.5) > 0.5 ? second : first, presetOf);
  if (type === "dielectric") return GLASS;
  if (isTriple(emission)) return toHex(splitEmission(emission).colour);
  if (numberOf(transmission_weight, 0) > 0.5)
    return isTriple(transmission_color) ? toHex(colourOf(transmission_color)) : GLASS;
  const colour = albedo ?? base_color ?? (type === "principled" ? PRINCIPLED : undefined);
  return isTriple(colour) || typeof asProperties(colour).type === "string" ? toHex(colourOf(colour)) : null;
}
