/**
 * The kinds of objects, materials and environments that this page knows, as `docs/protocol.md` lists them. Each
 * other file of this folder is one table about them: a kind that is added here has to be added to each table before
 * the page compiles. A scene may hold kinds that are newer than the page; what asks a table has to say what then.
 */
export const SHAPE_KINDS = [
  "sphere",
  "box",
  "quad",
  "disc",
  "cylinder",
  "cone",
  "torus",
  "capsule",
  "triangle",
  "ellipsoid",
  "rounded_box",
  "tube",
  "lathe",
  "extrusion",
  "text",
  "height_field",
  "mesh",
] as const;
export type ShapeKind = (typeof SHAPE_KINDS)[number];

export const LIGHT_KINDS = [
  "point_spot_light",
  "area_quad_light",
  "disc_spot_light",
  "area_sphere_light",
  "area_disc_spot_light",
  "directional_light",
] as const;
export type LightKind = (typeof LIGHT_KINDS)[number];

export type ObjectKind = ShapeKind | LightKind;

export const MATERIAL_KINDS = [
  "lambertian",
  "metal",
  "dielectric",
  "emissive",
  "principled",
  "mix",
  "preset",
] as const;
export type MaterialKind = (typeof MATERIAL_KINDS)[number];

export const ENVIRONMENT_KINDS = ["sky", "gradient", "uniform", "none", "image"] as const;
export type EnvironmentKind = (typeof ENVIRONMENT_KINDS)[number];

/** What a table says of a kind; undefined for a kind that is newer than this page. */
export function entryOf<Entry>(table: Readonly<Record<string, Entry>>, kind: unknown): Entry | undefined {
  return typeof kind === "string" && Object.hasOwn(table, kind) ? table[kind] : undefined;
}

export function isLightKind(kind: string): kind is LightKind {
  return (LIGHT_KINDS as readonly string[]).includes(kind);
}
