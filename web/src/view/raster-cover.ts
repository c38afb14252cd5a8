import { computed, effect, type ReadonlySignal, signal } from "@preact/signals";
import type { Studio } from "../studio/studio";

/**
 * Whether the raster covers the traced picture: from the moment that something is moved here, until a traced picture
 * of all that has come. What others change is shown when it is traced.
 */
export function rasterCover(studio: Studio): { covers: ReadonlySignal<boolean>; stop: () => void } {
  const { editor, state, view } = studio;
  const covers = signal(true);
  const stop = effect(() => {
    const { pending, preview, cameraRevision } = editor.document.value;
    const { shown, revision } = state.value;
    // What cannot be drawn covers nothing.
    if (view.rasterStatus.value.phase === "unsuited") {
      covers.value = false;
      return;
    }
    const { heldTime, playing, preview: dragged } = studio.playback;
    const moves = playing.value || dragged.value.length > 0;
    const isElsewhere =
      studio.traced.shownCamera.value !== view.privateCamera.value ||
      studio.traced.shownTime.value !== heldTime.value;
    const isOld = shown === null || (view.privateCamera.value === null && shown.revision < cameraRevision);
    if (moves || view.moving.value || pending.length > 0 || preview.length > 0 || isElsewhere || isOld) {
      covers.value = true;
    } else if (shown.revision >= revision) covers.value = false;
  });
  return { covers: computed(() => covers.value), stop };
}
