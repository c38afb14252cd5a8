import type { Properties } from "../document/scene";
import { asProperties, colourOf, numberOf } from "../document/texture";
import { add, scale } from "../document/vector";
import { underCoat } from "../raster/materials/coat";
import {
  emissive,
  GREY,
  glass,
  glossy,
  matte,
  type Presets,
  type Surface,
} from "../raster/materials/surface";
import { entryOf, type MaterialKind } from "./list";

/** What each kind of material looks like in the raster view. */
export const SURFACES: Readonly<Record<MaterialKind, (properties: Properties, presets: Presets) => Surface>> =
  {
    lambertian: ({ albedo }) => matte(albedo),
    metal: ({ albedo, fuzz }) => glossy(albedo, numberOf(fuzz, 0), 1),
    dielectric: () => glass([1, 1, 1], 0),
    emissive: ({ emission }) => emissive(colourOf(emission, [1, 1, 1])),
    principled,
    mix: mixed,
    preset: ({ name }, presets) => (typeof name === "string" ? named(name, presets) : matte(GREY)),
  };

/** What a material of the document looks like; of kinds that are newer than this page only the colour is known. */
export function surfaceOf(material: unknown, presets: Presets): Surface {
  if (typeof material === "string") return named(material, presets);
  const properties = asProperties(material);
  const surface = entryOf(SURFACES, properties.type)?.(properties, presets);
  return surface ?? matte(properties.albedo ?? properties.base_color ?? properties.color);
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

/** Light beats glass, glass beats gloss: rasters show one of them. */
function principled(properties: Properties): Surface {
  const luminance = numberOf(properties.emission_luminance, 0);
  const emitted = scale(colourOf(properties.emission_color, [1, 1, 1]), luminance);
  if (Math.max(...emitted) > 0.2) return emissive(emitted);
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
  return underCoat(surface, properties, 1 + (roughness - 1) * metalness);
}
