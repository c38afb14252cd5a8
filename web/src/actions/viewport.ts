import type { Studio } from "../studio/studio";
import { SIDES, type Side } from "../view/camera-moves";
import { type GizmoMode, VIEW_MODES, type ViewMode } from "../view/modes";
import { present, showBookmark } from "../view/presenting";
import type { Action, Workbench } from "./action";

const MODES: Record<ViewMode, string> = {
  raster: "Raster",
  traced: "Traced",
  split: "Raster and traced side by side",
  wipe: "Raster and traced with a divider",
};
const GIZMOS: Record<GizmoMode, { label: string; key: string }> = {
  move: { label: "Move gizmo", key: "w" },
  rotate: { label: "Rotate gizmo", key: "e" },
  scale: { label: "Scale gizmo", key: "r" },
};

/** From where the scene is looked at, and how it is drawn. */
export function viewportActions({ studio }: Workbench): Action[] {
  const { view, viewport, editor } = studio;
  const status = view.rasterStatus.value;
  const unavailable = "reason" in status ? "the raster view is not available" : undefined;
  const nothing = editor.selection.value.length === 0 ? "nothing is selected" : undefined;
  const isPrivate = view.privateCamera.value !== null;
  return [
    ...VIEW_MODES.map(
      (mode): Action => ({
        id: `view_${mode}`,
        section: "View",
        label: `View: ${MODES[mode]}`,
        keywords: "picture mode compare",
        unavailable: mode === "traced" ? undefined : unavailable,
        run: () => view.setMode(mode),
      }),
    ),
    ...(editor.editable.value ? gizmoActions(studio, unavailable) : []),
    {
      id: "look_camera",
      section: "View",
      label: "View through the scene's camera",
      keywords: "back reset view",
      keys: [{ key: "0" }],
      run: () => view.setPrivateCamera(null),
    },
    ...(Object.keys(SIDES) as Side[]).map(
      (side): Action => ({
        id: `look_${side}`,
        section: "View",
        label: `View from: ${SIDES[side].label}`,
        keywords: "view camera side",
        keys: [{ key: SIDES[side].key }],
        run: () => viewport.viewFrom(side),
      }),
    ),
    {
      id: "frame",
      section: "View",
      label: "Frame selection or all",
      keywords: "focus zoom fit",
      keys: [{ key: "f" }],
      run: () => viewport.frameSelected(),
    },
    {
      id: "use_look",
      section: "View",
      label: "Set the scene's camera to this view",
      keywords: "set",
      unavailable: isPrivate && editor.editable.value ? undefined : "the view is the scene's camera",
      run: () => viewport.useAsSceneCamera(),
    },
    {
      id: "bookmark",
      section: "View",
      label: "Bookmark this view",
      keywords: "camera save",
      unavailable: studio.bookmarks.editable.value
        ? undefined
        : "this link is for looking only, or not connected",
      run: () => studio.bookmarks.add(viewport.currentCamera()),
    },
    {
      id: "grid",
      section: "View",
      label: view.grid.value ? "Hide the grid" : "Show the grid",
      keywords: "ground axes",
      keys: [{ key: "g" }],
      unavailable,
      run: () => view.setGrid(!view.grid.value),
    },
    {
      id: "full_screen",
      section: "View",
      label: view.fullScreen.value ? "Leave full screen" : "Full screen",
      keywords: "picture alone",
      keys: [{ key: "f", shift: true }],
      run: () => view.toggleFullScreen(),
    },
    {
      id: "present",
      section: "View",
      label: "Present the bookmarks",
      keywords: "presentation slides show full screen",
      unavailable: studio.bookmarks.list.value.length === 0 ? "there are no bookmarks" : undefined,
      run: () => void present(studio),
    },
    ...([1, -1] as const).map(
      (step): Action => ({
        id: step === 1 ? "next_bookmark" : "previous_bookmark",
        section: "View",
        label: step === 1 ? "Next bookmark" : "Previous bookmark",
        keywords: "presentation present slide camera view",
        keys: [{ key: step === 1 ? "." : "," }],
        unavailable: studio.bookmarks.list.value.length === 0 ? "there are no bookmarks" : undefined,
        run: () => void showBookmark(studio, step),
      }),
    ),
    {
      id: "measure",
      section: "View",
      label: view.measured.value === null ? "Measure a distance" : "Stop measuring",
      keywords: "ruler tape length size",
      keys: [{ key: "m" }],
      unavailable,
      run: () => view.toggleMeasuring(),
    },
    {
      id: "isolate",
      section: "View",
      label: "Isolate selection",
      keywords: "isolate solo",
      keys: [{ key: "h", shift: true }],
      unavailable: nothing,
      run: () => viewport.isolateSelected(),
    },
  ];
}

function gizmoActions({ view }: Studio, unavailable: string | undefined): Action[] {
  return (Object.keys(GIZMOS) as GizmoMode[]).map((mode) => ({
    id: `handles_${mode}`,
    section: "Edit",
    label: GIZMOS[mode].label,
    keywords: "gizmo transform",
    keys: [{ key: GIZMOS[mode].key }],
    unavailable,
    run: () => {
      view.gizmo.value = mode;
    },
  }));
}
