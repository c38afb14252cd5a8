import { useComputed } from "@preact/signals";
import { useStudio } from "../../studio";

/** Told while one looks from elsewhere than the scene's camera, with the ways out. */
export function PrivateLook() {
  const studio = useStudio();
  const isPrivate = useComputed(() => studio.view.look.value !== null).value;
  const editable = useComputed(() => studio.editor.editable.value).value;
  if (!isPrivate) return null;
  return (
    <div class="private-look" data-testid="private-look">
      <span title="The scene's camera, and what others see, stay as they are">Only you see this view</span>
      {editable && (
        <button
          type="button"
          class="button button-small"
          data-testid="use-as-camera"
          title="Moves the scene's camera here, for everyone and for pictures; Ctrl+Z takes it back"
          onClick={() => studio.viewer.useLookAsCamera()}
        >
          Use as camera
        </button>
      )}
      <button
        type="button"
        class="button button-small"
        data-testid="back-to-camera"
        title="Back to the scene's camera (0)"
        onClick={() => studio.view.lookThrough(null)}
      >
        Back to camera
      </button>
    </div>
  );
}
