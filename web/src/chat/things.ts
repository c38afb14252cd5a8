import { isOfOrderOnly, STAGE } from "../document/scene";
import { keyOf } from "../document/state";
import type { SceneChange } from "../protocol";

/** What a person would say has changed: an object, or a group as a whole. */
export interface ChangedThing {
  /** What its selection goes by. */
  key: string;
  name: string;
  kind: SceneChange["kind"];
  op: SceneChange["op"];
  /** Said behind the name. */
  note?: string;
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
  const { changes, renamed } = withRenames(all.filter((change) => !isOfOrderOnly(change)));
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
    const before = renamed.get(change);
    const now = isPart ? nameOf(whole) : nameOf(change.id ?? change.kind);
    const name = before === undefined || isPart ? now : `${nameOf(before)} → ${now}`;
    if (things.has(`${key} ${change.op}`)) return;
    const isLessStage = whole === STAGE && change.op === "remove";
    things.set(`${key} ${change.op}`, {
      key,
      name: isLessStage ? stagePart(changes) : name,
      kind,
      op: change.op,
      ...(isLessStage && { note: "removed" }),
    });
  });
  // What has come is told once, whatever was done with it then.
  return [...things.values()].filter(({ key, op }) => op !== "update" || !things.has(`${key} create`));
}

/** What of a stage was taken away. */
function stagePart(changes: readonly SceneChange[]): string {
  const gone = changes.filter((change) => change.op === "remove" && parentOf(change, "group") === STAGE);
  const kinds = new Set(gone.map(({ kind }) => kind));
  if (kinds.size !== 1) return "stage";
  return kinds.has("light") ? "studio lights" : "stage ground";
}

/** What went under one name and came under another is one change; with the name before of each. */
function withRenames(all: readonly SceneChange[]): {
  changes: SceneChange[];
  renamed: Map<SceneChange, string>;
} {
  const gone = all.filter(({ op, kind }) => op === "remove" && kind !== "group");
  const renamed = new Map<SceneChange, string>();
  if (gone.length === 0) return { changes: [...all], renamed };
  const contents = new Map(gone.map((change) => [contentOf(change.kind, change.before), change]));
  const left = new Set<SceneChange>();
  const changes = all.map((change) => {
    const before = change.op === "create" ? contents.get(contentOf(change.kind, change.after)) : undefined;
    if (before === undefined || before.id === null || left.has(before)) return change;
    left.add(before);
    const update: SceneChange = { ...change, op: "update", before: before.before };
    renamed.set(update, before.id);
    return update;
  });
  return { changes: changes.filter((change) => !left.has(change)), renamed };
}

/** All of an object but its name. */
function contentOf(kind: SceneChange["kind"], object: unknown): string {
  return JSON.stringify([kind, { ...(object as object), id: undefined }]);
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
