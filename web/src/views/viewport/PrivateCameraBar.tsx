import { useComputed } from "@preact/signals";
import { useStudio } from "../../studio/studio";

/** Shown while the viewport has a camera of its own, with the ways back to the scene's. */
export function PrivateCameraBar() {
  const studio = useStudio();
  const isPrivate = useComputed(() => studio.view.privateCamera.value !== null).value;
  const editable = useComputed(() => studio.editor.editable.value).value;
  if (!isPrivate) return null;
  return (
    <div class="view-note" data-testid="private-camera">
      <span title="The scene's camera and what others see do not change">Only you see this view</span>
      {editable && (
        <button
          type="button"
          class="button button-small"
          data-testid="use-as-camera"
          title="Moves the scene's camera here for everyone; undo with Ctrl+Z"
          onClick={() => studio.viewport.useAsSceneCamera()}
        >
          Set as scene camera
        </button>
      )}
      <button
        type="button"
        class="button button-small"
        data-testid="back-to-camera"
        title="Back to the scene's camera (0)"
        onClick={() => studio.view.setPrivateCamera(null)}
      >
        Back to camera
      </button>
    </div>
  );
}
