import { thingsOf } from "../chat/things";
import { targetsOf } from "../document/edits";
import { keyOf } from "../document/state";
import { selectedMembers } from "../document/subject";
import type { ServerMessage } from "../protocol";
import { colorOf, nameOf, othersOf } from "./people";
import type { StudioState } from "./state";
import { addToast } from "./toasts";

type SceneChanged = Extract<ServerMessage, { type: "scene_changed" }>;

/** So many things are named. */
const MAX_NAMED = 2;

/**
 * Marks what somebody else has changed, and says so where it is what this page's user has selected: of two edits of one
 * thing the last one counts. `before` and `after` are the states around the change.
 */
export function tellOthersEdit(before: StudioState, after: StudioState, event: SceneChanged): StudioState {
  if (event.by !== "user" || event.for_branch) return after;
  if (after.document.pending.length < before.document.pending.length) return after;
  if (before.ownSteps > 0) return { ...after, ownSteps: before.ownSteps - 1 };
  const author = authorOf(before);
  if (author === null) return after;
  const { marks } = after.document;
  const changed = event.changes.filter((change) => change.op !== "remove").map(keyOf);
  const told: StudioState = {
    ...after,
    document: { ...after.document, marks: { ...author, keys: new Set(changed), serial: marks.serial + 1 } },
  };
  const text = sentence(before, event, author.by);
  return text === null ? told : addToast(told, text, "note");
}

/** Who else can have edited; null where nobody is here who may. */
function authorOf({ people }: StudioState): { by: string; color: string | null } | null {
  const editors = othersOf(people).filter(({ can_edit }) => can_edit);
  const [only] = editors;
  if (only === undefined) return null;
  const isKnown = editors.length === 1 && people?.more === 0;
  return isKnown ? { by: nameOf(only), color: colorOf(only) } : { by: "somebody else", color: null };
}

/** What has become of what is selected here; null where that was left alone. */
function sentence({ document }: StudioState, { changes }: SceneChanged, by: string): string | null {
  const { scene, selection, preview } = document;
  const members = selectedMembers(scene, selection).map(({ object }) => object.id);
  const selected = new Set([...selection, ...members]);
  const touching = changes.filter((change) => selected.has(keyOf(change)));
  if (touching.length === 0) return null;
  const names = thingsOf(touching).map(({ name }) => name);
  if (names.length === 0) return null;
  const more = names.length - MAX_NAMED;
  const listed = names.slice(0, MAX_NAMED).join(", ") + (more > 0 ? ` and ${more} more` : "");
  const verb = touching.every(({ op }) => op === "remove") ? "deleted" : "changed";
  const who = by.charAt(0).toUpperCase() + by.slice(1);
  const touched = new Set(touching.map(keyOf));
  const isHeld = preview.flatMap(targetsOf).some((key) => touched.has(key));
  const end = isHeld ? ", which you are changing: the last change counts." : ", which you have selected.";
  return `${who} ${verb} ${listed}${end}`;
}
