import { effect } from "@preact/signals";
import type { RefObject } from "preact";
import { selectedMembers } from "../../document/subject";
import type { Stage, StageHost } from "../../raster/stage";
import type { Studio } from "../../studio";

/** Where the pictures are. */
export interface Frames {
  traced: RefObject<HTMLElement | null>;
  raster: RefObject<HTMLElement | null>;
  /** Whether the raster covers the traced picture where both are in one place. */
  covers: { readonly value: boolean };
}

const NO_WEBGL = "This browser offers no WebGL, so the scene is shown as it is traced.";
const LOST =
  "The graphics driver has dropped the raster view; the traced picture stands in until it is back.";

const PANORAMA =
  "A panoramic camera sees all around, which only the traced picture shows. Look through another kind of camera for the raster view.";

/** What the stage tells goes to the editor and into the view's state. */
export function hostOf(studio: Studio): StageHost {
  const { editor, view } = studio;
  const moving = (active: boolean) => {
    view.moving.value = active;
  };
  return {
    looked: (camera) => {
      view.look.value = camera;
    },
    orbiting: moving,
    dragging: moving,
    preview: (calls) => editor.preview(calls),
    commit: (calls) => void editor.edit(calls),
    loadTriangles: (shapeId) => studio.triangles(shapeId),
    addressOfImage: (asset) => studio.api.assetAddress(asset),
  };
}

/** Keeps the stage as the page's state says, until it is stopped. */
export function runStage(
  studio: Studio,
  stage: Stage,
  canvas: HTMLCanvasElement,
  frames: Frames,
): () => void {
  const { view, viewer } = studio;
  view.raster.value = stage.draws ? { phase: "ready" } : { phase: "missing", reason: NO_WEBGL };
  view.stage.value = stage;
  const listening = new AbortController();
  const { signal } = listening;
  const onLost = (event: Event) => {
    // Otherwise it does not come back.
    event.preventDefault();
    view.raster.value = { phase: "lost", reason: LOST };
  };
  const onRestored = () => {
    view.raster.value = { phase: "ready" };
    stage.redraw();
  };
  canvas.addEventListener("webglcontextlost", onLost, { signal });
  canvas.addEventListener("webglcontextrestored", onRestored, { signal });
  const onKey = ({ key, type }: KeyboardEvent) => {
    if (key === "Control") view.snapKeyHeld.value = type === "keydown";
  };
  window.addEventListener("keydown", onKey, { signal });
  window.addEventListener("keyup", onKey, { signal });
  window.addEventListener("blur", () => onKey(new KeyboardEvent("keyup", { key: "Control" })), { signal });
  const sizes = new ResizeObserver(() => stage.resize(canvas.clientWidth, canvas.clientHeight));
  sizes.observe(canvas);
  const suit = effect(() => {
    const isPanorama = viewer.currentCamera().projection === "panoramic";
    const { phase } = view.raster.value;
    if (isPanorama && phase === "ready") view.raster.value = { phase: "unsuited", reason: PANORAMA };
    else if (!isPanorama && phase === "unsuited") view.raster.value = { phase: "ready" };
  });
  const effects = [suit, ...followState(studio, stage, frames)];
  return () => {
    for (const stop of effects) stop();
    listening.abort();
    sizes.disconnect();
    view.stage.value = null;
    stage.dispose();
  };
}

function followState(studio: Studio, stage: Stage, { traced, raster, covers }: Frames): (() => void)[] {
  const { editor, view } = studio;
  const showScene = () => {
    const scene = editor.scene.value;
    const look = view.look.value;
    stage.show({
      scene,
      camera: look ?? scene.camera,
      hidden: view.hidden.value,
      grid: view.grid.value,
      aspect: view.aspect.value,
      isPrivate: look !== null,
    });
  };
  const showHandles = () => {
    const editable = editor.editable.value;
    const hidden = view.hidden.value;
    const members =
      editable && view.raster.value.phase !== "unsuited"
        ? selectedMembers(editor.scene.value, editor.selection.value).filter(
            ({ object }) => !hidden.has(object.id),
          )
        : [];
    stage.showHandles({
      members,
      mode: view.gizmo.value,
      snapping: view.snapping.value !== view.snapKeyHeld.value,
    });
  };
  const expose = () => {
    const mode = view.shownMode.value;
    const isHidden = view.raster.value.phase === "unsuited" || (mode === "traced" && !covers.value);
    const opacity = isHidden ? 0 : 1;
    const wiped = view.kept.chosen.value === null ? view.divider.value : 0;
    stage.expose({ opacity, width: mode === "wipe" ? wiped : 1 });
  };
  const connect = () => {
    const mode = view.shownMode.value;
    const order = mode === "traced" ? [traced] : mode === "split" ? [raster, traced] : [raster];
    stage.connect(order.map(({ current }) => current).filter((element) => element !== null));
  };
  return [showScene, showHandles, expose, connect].map((each) => effect(each));
}
