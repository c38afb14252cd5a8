import type { Properties, SceneObject } from "../document/scene";
import { type Frame, type KindInfo, LIGHTS, SHAPES } from "../protocol/generated/kinds";

export type ShapeKind = (typeof SHAPES)[number]["kind"];
export type LightKind = (typeof LIGHTS)[number]["kind"];

/**
 * The kinds of materials and environments that this page knows, as `docs/protocol.md` lists them; those of shapes and
 * lights are generated. The other files of this folder are tables about kinds. A scene may hold kinds that are newer
 * than the page; what asks a table has to say what then.
 */
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

const OBJECT_KINDS: ReadonlyMap<unknown, KindInfo> = new Map(
  [...SHAPES, ...LIGHTS].map((info: KindInfo) => [info.kind, info]),
);

/** What the server says of a kind of shape or light; undefined for a kind that is newer than this page. */
export function descriptionOf(kind: unknown): KindInfo | undefined {
  return OBJECT_KINDS.get(kind);
}

/** By which properties the place and the extent of an object are told. */
export function frameOf(kind: unknown): Frame {
  return descriptionOf(kind)?.frame ?? "unknown";
}

export function isLightKind(kind: string): boolean {
  return LIGHTS.some((light) => light.kind === kind);
}

/** All properties of an object, also those that it leaves out. */
export function withDefaults({ type, properties }: Pick<SceneObject, "type" | "properties">): Properties {
  const known = descriptionOf(type)?.properties ?? [];
  const defaults = known.flatMap(({ name, default: value }) => (value == null ? [] : [[name, value]]));
  return { ...Object.fromEntries(defaults), ...properties };
}

/** What a table says of a kind; undefined for a kind that it does not have. */
export function entryOf<Entry>(
  table: Readonly<Record<string, Entry | undefined>>,
  kind: unknown,
): Entry | undefined {
  return typeof kind === "string" && Object.hasOwn(table, kind) ? table[kind] : undefined;
}
