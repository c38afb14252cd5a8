import { effect } from "@preact/signals";
import type { RefObject } from "preact";
import { selectedMembers } from "../../document/subject";
import { chosenPivot } from "../../document/transform/arrange";
import type { RasterView, RasterViewHost } from "../../raster/raster-view";
import type { Studio } from "../../studio/studio";

/** Where the pictures are. */
export interface Frames {
  traced: RefObject<HTMLElement | null>;
  raster: RefObject<HTMLElement | null>;
  /** Whether the raster covers the traced picture where both are in one place. */
  covers: { readonly value: boolean };
}

const NO_WEBGL = "WebGL is not available, so only the path-traced view is shown.";
const CONTEXT_LOST = "The WebGL context was lost. The path-traced view is shown until it is restored.";

const PANORAMA =
  "A panoramic camera is shown in the path-traced view only. Use another projection for the raster view.";

/** Connects the raster view's callbacks to the editor and the view's state. */
export function rasterViewHost(studio: Studio): RasterViewHost {
  const { editor, keyframes, playback, view } = studio;
  const moving = (active: boolean) => {
    view.moving.value = active;
  };
  return {
    cameraChanged: (camera) => {
      view.privateCamera.value = camera;
    },
    orbiting: moving,
    dragging: moving,
    preview: (calls) => {
      if (keyframes.keysDrags) playback.preview.value = calls;
      else editor.preview(calls);
    },
    commit: (calls) => {
      if (keyframes.keysDrags) keyframes.keepDrag(calls);
      else editor.edit(calls);
    },
    whenSettled: () => editor.whenSettled(),
    knows: (shape) => !playback.active.value || editor.scene.value.shapes.includes(shape),
    loadMesh: (shapeId) => studio.shapeMesh(shapeId),
    imageUrl: (asset) => studio.api.assetUrl(asset),
  };
}

/** Keeps the raster view up to date with the page's state, until it is stopped. */
export function runRasterView(
  studio: Studio,
  rasterView: RasterView,
  canvas: HTMLCanvasElement,
  frames: Frames,
): () => void {
  const { view, viewport } = studio;
  view.rasterStatus.value = rasterView.hasWebGl ? { phase: "ready" } : { phase: "missing", reason: NO_WEBGL };
  view.rasterView.value = rasterView;
  const listening = new AbortController();
  const { signal } = listening;
  const onLost = (event: Event) => {
    // Otherwise it does not come back.
    event.preventDefault();
    view.rasterStatus.value = { phase: "lost", reason: CONTEXT_LOST };
  };
  const onRestored = () => {
    view.rasterStatus.value = { phase: "ready" };
    rasterView.redraw();
  };
  canvas.addEventListener("webglcontextlost", onLost, { signal });
  canvas.addEventListener("webglcontextrestored", onRestored, { signal });
  const onKey = ({ key, type }: KeyboardEvent) => {
    if (key === "Control") view.snapKeyHeld.value = type === "keydown";
  };
  window.addEventListener("keydown", onKey, { signal });
  window.addEventListener("keyup", onKey, { signal });
  window.addEventListener("blur", () => onKey(new KeyboardEvent("keyup", { key: "Control" })), { signal });
  const sizes = new ResizeObserver(() => rasterView.resize(canvas.clientWidth, canvas.clientHeight));
  sizes.observe(canvas);
  const stopProjection = effect(() => {
    const isPanorama = viewport.currentCamera().projection === "panoramic";
    const { phase } = view.rasterStatus.value;
    if (isPanorama && phase === "ready") view.rasterStatus.value = { phase: "unsuited", reason: PANORAMA };
    else if (!isPanorama && phase === "unsuited") view.rasterStatus.value = { phase: "ready" };
  });
  const effects = [stopProjection, ...followState(studio, rasterView, frames)];
  return () => {
    for (const stop of effects) stop();
    listening.abort();
    sizes.disconnect();
    view.rasterView.value = null;
    rasterView.dispose();
  };
}

function followState(
  studio: Studio,
  rasterView: RasterView,
  { traced, raster, covers }: Frames,
): (() => void)[] {
  const { editor, playback, view } = studio;
  const showScene = () => {
    const scene = playback.scene.value;
    const look = view.privateCamera.value;
    rasterView.show({
      scene,
      camera: look ?? scene.camera,
      hidden: view.hidden.value,
      grid: view.grid.value && !view.presenting.value && !playback.playing.value,
      aspect: view.aspect.value,
      isPrivate: look !== null,
      isPlaying: playback.playing.value,
    });
  };
  const showHandles = () => {
    const editable = editor.editable.value;
    const hidden = view.hidden.value;
    const locked = view.locked.value;
    const scene = playback.scene.value;
    const members =
      editable &&
      !playback.playing.value &&
      view.measured.value === null &&
      view.rasterStatus.value.phase !== "unsuited"
        ? selectedMembers(scene, editor.selection.value).filter(
            ({ object }) => !hidden.has(object.id) && !locked.has(object.id),
          )
        : [];
    const box = (ids: readonly string[]) => rasterView.boxOf(ids);
    rasterView.showGizmo(
      {
        members,
        // At a time of the animation a drag makes a key of the place.
        mode: playback.heldTime.value === null ? view.gizmo.value : "move",
        surfaceSnapping: view.surfaceSnapping.value,
        snapping: view.snapping.value !== view.snapKeyHeld.value,
      },
      chosenPivot(scene, editor.selection.value, view.pivot.value, box),
    );
  };
  const showGhost = () => rasterView.showGhost(view.ghost.value);
  const expose = () => {
    const mode = view.shownMode.value;
    const isHidden = view.rasterStatus.value.phase === "unsuited" || (mode === "traced" && !covers.value);
    const opacity = isHidden ? 0 : 1;
    const wiped = view.savedRenders.sides.left.value === null ? view.divider.value : 0;
    rasterView.setVisibility({ opacity, width: mode === "wipe" ? wiped : 1 });
  };
  const connect = () => {
    const mode = view.shownMode.value;
    const order = mode === "traced" ? [traced] : mode === "split" ? [raster, traced] : [raster];
    rasterView.connect(order.map(({ current }) => current).filter((element) => element !== null));
  };
  return [showScene, showHandles, showGhost, expose, connect].map((each) => effect(each));
}
