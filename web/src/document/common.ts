import { controlOf } from "./fields";
import { kindOf, shownProperties } from "./materials";
import type { Properties } from "./scene";
import type { Member } from "./subject";

/** A property that several things have. */
export interface CommonProperty {
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
export function commonProperties(members: readonly Member[]): CommonProperty[] {
  const [first] = members;
  if (first === undefined) return [];
  const { type } = first.object;
  const own = common(
    members.map(({ object }) => object.properties),
    type,
    [],
  );
  const materials = members.map(({ object }) => object.properties.material);
  if (new Set(materials.map(kindOf)).size > 1) return own;
  return [...own, ...common(materials.map(shownProperties), type, ["material"])];
}

/** The kind of material all members have; "" when they differ, null when one can have none. */
export function commonMaterialKind(members: readonly Member[]): string | null {
  if (members.length === 0 || members.some(({ kind }) => kind !== "shape")) return null;
  const kinds = new Set(members.map(({ object }) => kindOf(object.properties.material)));
  const [only] = kinds;
  return kinds.size === 1 ? (only ?? "") : "";
}

function common(all: readonly Properties[], type: string, path: readonly string[]): CommonProperty[] {
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
