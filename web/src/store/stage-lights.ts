import { freeId } from "../document/free-id";
import { type SceneObject, STAGE, usedIds } from "../document/scene";
import type { EditCall, SceneChange, SessionEvent } from "../protocol";
import type { StudioState } from "./state";
import { addToast } from "./toasts";

type SceneChanged = Extract<SessionEvent, { type: "scene_changed" }>;

/**
 * A stage's lights give way to the first light of this page's user: that is told, with a button that makes them lights
 * like any other. `before` and `after` are the states around the change.
 */
export function tellStageLights(
  before: StudioState,
  after: StudioState,
  { by, history, changes }: SceneChanged,
): StudioState {
  const isOwn = by === "user" && after.document.pending.length < before.document.pending.length;
  if (!isOwn || history !== undefined) return after;
  const gone = changes.flatMap(removedStageLight);
  const hasCome = changes.some(({ kind, op }) => kind === "light" && op === "create");
  if (gone.length === 0 || !hasCome) return after;
  const taken = usedIds(after.document.scene);
  const calls = gone.map(({ id, group: _, ...light }): EditCall => {
    const free = freeId(id.replace(/^stage_/, "studio_"), taken);
    taken.add(free);
    return { name: "create_light", args: { ...light, id: free } };
  });
  const text = "The studio lights made room for your light, which is alone now.";
  return addToast(after, text, "note", { label: "Keep them, too", calls });
}

function removedStageLight({ kind, op, before }: SceneChange): SceneObject[] {
  const light = before as SceneObject | null;
  return kind === "light" && op === "remove" && light?.group === STAGE ? [light] : [];
}
