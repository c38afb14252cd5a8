import type { EnvironmentKind, MaterialKind } from "./list";

export const MATERIAL_LABELS: Readonly<Record<MaterialKind, string>> = {
  lambertian: "Matte",
  metal: "Metal",
  dielectric: "Glass",
  emissive: "Emissive",
  principled: "Principled",
  mix: "Mix",
  preset: "Preset",
};

export const ENVIRONMENT_LABELS: Readonly<Record<EnvironmentKind, string>> = {
  sky: "Physical sky",
  gradient: "Gradient",
  uniform: "Uniform",
  none: "None",
  image: "Image",
};
