import { useStudio } from "../../studio/studio";
import { Icon } from "../common/icons";

/** Lets the camera be sharp at what is clicked next. */
export function FocusTool({ hasBlur }: { hasBlur: boolean }) {
  const { editor, view } = useStudio();
  const focusing = view.clickTool.value === "focus";
  return (
    <div class="group-tools">
      <button
        type="button"
        class="button button-small"
        data-testid="focus-tool"
        aria-pressed={focusing}
        title="Click a point in the viewport that shall be sharp"
        disabled={!hasBlur || !editor.editable.value || view.rasterStatus.value.phase !== "ready"}
        onClick={() => {
          view.clickTool.value = focusing ? null : "focus";
        }}
      >
        <Icon name="crosshair" />
        {focusing ? "Click a point" : "Focus on…"}
      </button>
      {!hasBlur && <p class="focus-hint">Everything is sharp: set an f-number, such as 2.8, first.</p>}
    </div>
  );
}
