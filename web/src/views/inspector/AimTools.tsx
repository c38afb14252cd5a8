import type { Member } from "../../document/subject";
import { canAim } from "../../document/transform/aim";
import { useStudio } from "../../studio/studio";
import { Icon } from "../common/icons";

/** Turns a light to what is clicked next. */
export function AimTools({ light }: { light: Member }) {
  const { editor, view } = useStudio();
  if (!canAim(light)) return null;
  const aiming = view.clickTool.value === "aim";
  return (
    <div class="group-tools">
      <button
        type="button"
        class="button button-small"
        aria-pressed={aiming}
        title="Click a point in the viewport to turn the light to it"
        disabled={!editor.editable.value || view.rasterStatus.value.phase !== "ready"}
        onClick={() => {
          view.clickTool.value = aiming ? null : "aim";
        }}
      >
        <Icon name="crosshair" />
        {aiming ? "Click a point" : "Aim at…"}
      </button>
    </div>
  );
}
