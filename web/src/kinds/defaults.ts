import type { Properties } from "../document/scene";
import type { EnvironmentKind, MaterialKind } from "./list";

/** What a new material starts with, by the color or texture it had before and what it may be mixed of. */
export const MATERIAL_DEFAULTS: Readonly<
  Record<MaterialKind, (colour: unknown, mixable: unknown) => unknown>
> = {
  lambertian: (albedo) => ({ type: "lambertian", albedo }),
  metal: (albedo) => ({ type: "metal", albedo, fuzz: 0.1 }),
  dielectric: () => ({ type: "dielectric", refractive_index: 1.5 }),
  emissive: () => ({ type: "emissive", emission: [5, 5, 5] }),
  principled: (base_color) => ({ type: "principled", base_color }),
  mix: (_, first) => ({ type: "mix", first, second: "rust", weight: 0.5 }),
  preset: () => "gold",
};

/** What a new environment starts with; null for what has to be uploaded. */
export const ENVIRONMENT_DEFAULTS: Readonly<Record<EnvironmentKind, Properties | null>> = {
  sky: {},
  gradient: { top_color: [0.5, 0.7, 1], bottom_color: [1, 1, 1] },
  uniform: { emission: [1, 1, 1] },
  none: {},
  image: null,
};
