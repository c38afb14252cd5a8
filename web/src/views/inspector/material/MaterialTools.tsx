import { useSignal } from "@preact/signals";
import type { Properties } from "../../../document/scene";
import { asProperties } from "../../../document/texture";
import { useStudio } from "../../../studio/studio";
import { Icon } from "../../common/icons";

/** Takes the material of another object, and saves this one for later. */
export function MaterialTools({ material, vary }: { material: unknown; vary: (() => void) | null }) {
  const { editor, ownMaterials, view } = useStudio();
  const saving = useSignal(false);
  const disabled = !editor.editable.value || view.rasterStatus.value.phase !== "ready";
  const sampling = view.clickTool.value === "material";
  const save = (name: string) => {
    saving.value = false;
    if (name.trim() !== "") ownMaterials.save(name.trim(), asProperties(material) as Properties);
  };
  return (
    <div class="group-tools">
      <button
        type="button"
        class="button button-small"
        aria-pressed={sampling}
        title="Click an object in the viewport to give its material to the selection"
        disabled={disabled}
        onClick={() => {
          view.clickTool.value = sampling ? null : "material";
        }}
      >
        <Icon name="pipette" />
        {sampling ? "Click an object" : "Pick from object"}
      </button>
      {vary !== null && (
        <button
          type="button"
          class="button button-small"
          title="Roughness, color and whatever else this preset is made of, to be changed"
          disabled={!editor.editable.value}
          onClick={vary}
        >
          <Icon name="sliders" />
          Vary
        </button>
      )}
      {saving.value ? (
        <input
          class="field own-material-name"
          aria-label="Name of the material"
          placeholder="Name, then Enter"
          ref={(field) => field?.focus()}
          onBlur={(event) => save(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter") event.currentTarget.blur();
            if (event.key === "Escape") {
              event.currentTarget.value = "";
              event.currentTarget.blur();
              event.stopPropagation();
            }
          }}
        />
      ) : (
        // A preset has a name already.
        typeof material !== "string" && (
          <button
            type="button"
            class="button button-small"
            title="Saved in this browser, listed under Choose a preset"
            onClick={() => {
              saving.value = true;
            }}
          >
            Save material
          </button>
        )
      )}
    </div>
  );
}
