import { useSignal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { loadPart } from "../../../loading";
import { useStudio } from "../../../studio/studio";
import { Dialog } from "../../common/Dialog";
import { Icon } from "../../common/icons";
import { OwnMaterialList } from "./OwnMaterialList";
import type * as Grid from "./PresetGrid";

interface PresetPickerProps {
  /** The name of the present one. */
  present: string | null;
  /** With the name of a preset, or a material of the user's own. */
  onChoose: (material: unknown) => void;
}

/** Ready-made materials, chosen by how they look. What they look like is fetched when it is asked for. */
export function PresetPicker({ present, onChoose }: PresetPickerProps) {
  const { editor } = useStudio();
  const open = useSignal(false);
  return (
    <>
      <button
        type="button"
        class="button button-small preset-button"
        data-testid="presets"
        disabled={!editor.editable.value}
        onClick={() => {
          open.value = true;
        }}
      >
        <Icon name="sphere" />
        Choose a preset…
      </button>
      {open.value && (
        <PresetDialog
          present={present}
          onChoose={(material) => {
            open.value = false;
            if (material !== null) onChoose(material);
          }}
        />
      )}
    </>
  );
}

interface PresetDialogProps {
  present: string | null;
  /** With null nothing was chosen. */
  onChoose: (material: unknown) => void;
}

function PresetDialog({ present, onChoose }: PresetDialogProps) {
  const [words, setWords] = useState("");
  const [grid, setGrid] = useState<typeof Grid | null>(null);
  const [failure, setFailure] = useState(false);
  useEffect(() => {
    const closed = new AbortController();
    loadPart(() => import("./PresetGrid"), closed.signal).then(setGrid, () => setFailure(true));
    return () => closed.abort();
  }, []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.isComposing || words.trim() === "") return;
    event.preventDefault();
    const [first] = grid?.findPresets(words) ?? [];
    if (first !== undefined) onChoose(first.name);
  };
  return (
    <Dialog label="Materials" class="presets" testId="preset-dialog" onClose={() => onChoose(null)}>
      <input
        type="search"
        class="palette-field"
        aria-label="Find a material"
        placeholder="gold, oak, glass…"
        autocomplete="off"
        value={words}
        onInput={(event) => setWords(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <OwnMaterialList words={words} onChoose={onChoose} />
      {grid === null ? (
        <p class="palette-none muted" role="status">
          {failure ? "The presets could not be loaded. Check the connection." : "Loading presets…"}
        </p>
      ) : (
        <grid.PresetGrid words={words} present={present} onChoose={onChoose} />
      )}
    </Dialog>
  );
}
