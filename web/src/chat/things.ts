import { isOfOrderOnly } from "../document/scene";
import { keyOf } from "../document/state";
import type { SceneChange } from "../protocol";

/** The group of what a scene gets with its first object: ground, light, camera. */
export const STAGE = "stage";

/** What a person would say has changed: an object, or a group as a whole. */
export interface ChangedThing {
  /** What its selection goes by. */
  key: string;
  name: string;
  kind: SceneChange["kind"];
  op: SceneChange["op"];
}

/** An id as words: red_sphere_2 is "red sphere 2". */
export function nameOf(id: string): string {
  const words = id.replaceAll("_", " ").trim();
  return words === "" ? id : words;
}

/**
 * The things behind changes, in order: parts of one group that all came, went or changed are the group. Camera and
 * backdrop that came with a stage belong to it.
 */
export function thingsOf(all: readonly SceneChange[]): ChangedThing[] {
  const changes = all.filter((change) => !isOfOrderOnly(change));
  const parents = new Map<string, string | null>();
  for (const change of changes) {
    if (change.kind === "group" && change.id !== null) parents.set(change.id, parentOf(change, "parent"));
  }
  const outermost = (group: string): string => {
    const seen = new Set<string>();
    let at = group;
    for (let next = parents.get(at); next && !seen.has(next); next = parents.get(at)) {
      seen.add(at);
      at = next;
    }
    return at;
  };
  const wholes = changes.map((change) => {
    const group = change.kind === "group" ? change.id : parentOf(change, "group");
    return group === null ? null : outermost(group);
  });
  const parts = new Map<string, number>();
  changes.forEach((change, index) => {
    const whole = wholes[index];
    if (whole !== null && whole !== undefined && change.kind !== "group")
      parts.set(`${whole} ${change.op}`, (parts.get(`${whole} ${change.op}`) ?? 0) + 1);
  });
  const hasStage = (parts.get(`${STAGE} create`) ?? 0) > 0;
  const things = new Map<string, ChangedThing>();
  changes.forEach((change, index) => {
    const whole = wholes[index] ?? null;
    const isSetting = ["camera", "environment", "animation"].includes(change.kind);
    if (hasStage && isSetting) return;
    const isPart = whole !== null && (whole === STAGE || (parts.get(`${whole} ${change.op}`) ?? 0) > 1);
    // A group is told by its parts, where they are told.
    if (
      change.kind === "group" &&
      whole !== null &&
      [...parts.keys()].some((part) => part.startsWith(`${whole} `))
    )
      return;
    const key = isPart ? whole : keyOf(change);
    const kind = isPart ? "group" : change.kind;
    const name = isPart ? nameOf(whole) : nameOf(change.id ?? change.kind);
    if (!things.has(`${key} ${change.op}`))
      things.set(`${key} ${change.op}`, { key, name, kind, op: change.op });
  });
  return [...things.values()];
}

/** What one would look at to see changes: what came, else what was changed; no stage, camera or backdrop. */
export function keysToLookAt(changes: readonly SceneChange[]): string[] {
  const things = thingsOf(changes).filter(
    ({ key, kind }) => key !== STAGE && (kind === "shape" || kind === "group"),
  );
  const made = things.filter(({ op }) => op === "create");
  const seen = made.length > 0 ? made : things.filter(({ op }) => op === "update");
  return seen.map(({ key }) => key);
}

function parentOf(change: SceneChange, field: "group" | "parent"): string | null {
  const value = (change.after ?? change.before) as Record<string, unknown> | null | undefined;
  const group = value?.[field];
  return typeof group === "string" ? group : null;
}
