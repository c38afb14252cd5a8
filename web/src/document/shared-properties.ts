import { controlOf } from "./fields";
import { materialKind, materialProperties } from "./materials";
import type { Properties } from "./scene";
import type { Member } from "./subject";

/** A property that several things have. */
export interface SharedProperty {
  path: readonly string[];
  /** Of the first of them. */
  value: unknown;
  /** Whether they differ in it. */
  mixed: boolean;
  /** Of the first of them. */
  type: string;
}

/** What can be given to several things at once; a place or a direction cannot. */
const SHARED_CONTROLS = ["number", "colour", "emission", "flag"];

/** The properties that all members have, those of their materials last. */
export function sharedProperties(members: readonly Member[]): SharedProperty[] {
  const [first] = members;
  if (first === undefined) return [];
  const { type } = first.object;
  const own = sharedBy(
    members.map(({ object }) => object.properties),
    type,
    [],
  );
  const materials = members.map(({ object }) => object.properties.material);
  if (new Set(materials.map(materialKind)).size > 1) return own;
  return [...own, ...sharedBy(materials.map(materialProperties), "material", ["material"])];
}

/** The kind of material all members have; "" when they differ, null when one can have none. */
export function sharedMaterialKind(members: readonly Member[]): string | null {
  if (members.length === 0 || members.some(({ kind }) => kind !== "shape")) return null;
  const kinds = new Set(members.map(({ object }) => materialKind(object.properties.material)));
  const [only] = kinds;
  return kinds.size === 1 ? (only ?? "") : "";
}

function sharedBy(all: readonly Properties[], type: string, path: readonly string[]): SharedProperty[] {
  const [first = {}, ...others] = all;
  return Object.entries(first).flatMap(([name, value]) => {
    const { kind } = controlOf(name, value, type);
    const isShared =
      SHARED_CONTROLS.includes(kind) &&
      others.every((each) => name in each && controlOf(name, each[name], type).kind === kind);
    if (!isShared) return [];
    const mixed = others.some((each) => JSON.stringify(each[name]) !== JSON.stringify(value));
    return [{ path: [...path, name], value, mixed, type }];
  });
}
