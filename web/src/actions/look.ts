import type { Studio } from "../studio";
import { SIDES, type Side } from "../view/commands";
import { type GizmoMode, VIEW_MODES, type ViewMode } from "../view/modes";
import type { Action, Workbench } from "./action";

const MODES: Record<ViewMode, string> = {
  raster: "Raster",
  traced: "Traced",
  split: "Raster and traced side by side",
  wipe: "Raster and traced with a line between them",
};
const HANDLES: Record<GizmoMode, { label: string; key: string }> = {
  move: { label: "Move by handles", key: "w" },
  rotate: { label: "Rotate by handles", key: "e" },
  scale: { label: "Scale by handles", key: "r" },
};

/** From where the scene is looked at, and how it is drawn. */
export function lookActions({ studio }: Workbench): Action[] {
  const { view, viewer, editor } = studio;
  const status = view.raster.value;
  const unavailable = "reason" in status ? "there is no raster view" : undefined;
  const nothing = editor.selection.value.length === 0 ? "nothing is selected" : undefined;
  const isPrivate = view.look.value !== null;
  return [
    ...VIEW_MODES.map(
      (mode): Action => ({
        id: `view_${mode}`,
        section: "View",
        label: `View: ${MODES[mode]}`,
        words: "picture mode compare",
        unavailable: mode === "traced" ? undefined : unavailable,
        run: () => view.setMode(mode),
      }),
    ),
    ...(editor.editable.value ? handleActions(studio, unavailable) : []),
    {
      id: "look_camera",
      section: "View",
      label: "Look through the scene's camera",
      words: "back reset view",
      keys: [{ key: "0" }],
      run: () => view.lookThrough(null),
    },
    ...(Object.keys(SIDES) as Side[]).map(
      (side): Action => ({
        id: `look_${side}`,
        section: "View",
        label: `Look from: ${SIDES[side].label}`,
        words: "view camera side",
        keys: [{ key: SIDES[side].key }],
        run: () => viewer.lookFrom(side),
      }),
    ),
    {
      id: "frame",
      section: "View",
      label: "Frame what is selected, or everything",
      words: "focus zoom fit",
      keys: [{ key: "f" }],
      run: () => viewer.frameSelected(),
    },
    {
      id: "use_look",
      section: "View",
      label: "Use this view as the scene's camera",
      words: "set",
      unavailable: isPrivate && editor.editable.value ? undefined : "the view is the camera's",
      run: () => viewer.useLookAsCamera(),
    },
    {
      id: "bookmark",
      section: "View",
      label: "Keep this view as a bookmark",
      words: "camera save",
      run: () => studio.bookmarks.add(viewer.currentCamera()),
    },
    {
      id: "grid",
      section: "View",
      label: view.grid.value ? "Hide the grid" : "Show the grid",
      words: "ground axes",
      keys: [{ key: "g" }],
      unavailable,
      run: () => view.setGrid(!view.grid.value),
    },
    {
      id: "isolate",
      section: "View",
      label: "Hide all but what is selected",
      words: "isolate solo",
      keys: [{ key: "h", shift: true }],
      unavailable: nothing,
      run: () => viewer.isolateSelected(),
    },
  ];
}

function handleActions({ view }: Studio, unavailable: string | undefined): Action[] {
  return (Object.keys(HANDLES) as GizmoMode[]).map((mode) => ({
    id: `handles_${mode}`,
    section: "Edit",
    label: HANDLES[mode].label,
    words: "gizmo transform",
    keys: [{ key: HANDLES[mode].key }],
    unavailable,
    run: () => {
      view.gizmo.value = mode;
    },
  }));
}
