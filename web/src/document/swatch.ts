import { splitEmission, toHex } from "./colour";
import type { SceneObject } from "./scene";
import { asProperties, colourOf } from "./texture";
import { isTriple } from "./vector";

/** The colour by which one knows an object, as screens show it: of a texture the mean, of light without its strength. */
export function swatchOf({ properties }: Pick<SceneObject, "properties">): string | null {
  const { material, emission } = properties;
  const { albedo, base_color, emission: glow } = asProperties(material);
  const light = emission ?? glow;
  if (isTriple(light)) return toHex(splitEmission(light).colour);
  const colour = albedo ?? base_color;
  return isTriple(colour) || typeof asProperties(colour).type === "string" ? toHex(colourOf(colour)) : null;
}
