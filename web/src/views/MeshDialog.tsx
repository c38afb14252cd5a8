import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { PendingMesh } from "../files/file-opener";
import { contentOfMesh } from "../files/import-picture";
import { useStudio } from "../studio/studio";
import { Dialog } from "./common/Dialog";
import { PlacingFields, UNITS, type Unit } from "./PlacingFields";

const MESH_UNITS: readonly Unit[] = [...UNITS, { name: "Half as high as the view", meters: null }];

/** Asks for what a mesh file does not say: which way is up, and in which unit it is. */
export function MeshDialog() {
  const { fileOpener } = useStudio();
  const pending = fileOpener.pendingMesh.value;
  return pending === null ? null : <PlacingForm pending={pending} />;
}

function PlacingForm({ pending: { name, asset, placing: likely } }: { pending: PendingMesh }) {
  const { fileOpener } = useStudio();
  const placing = useSignal(likely);
  const content = useMemo(() => contentOfMesh(asset), [asset]);
  return (
    <Dialog
      label={`Add ${name}`}
      class="sheet import-dialog"
      testId="mesh-dialog"
      onClose={() => fileOpener.placeMesh(null)}
    >
      <header class="sheet-header">
        <h2>{name}</h2>
      </header>
      <form
        class="placing-form"
        onSubmit={(event) => {
          event.preventDefault();
          fileOpener.placeMesh(placing.value);
        }}
      >
        <PlacingFields content={content} placing={placing} units={MESH_UNITS} isFirst />
        <button type="submit" class="button button-primary">
          Add
        </button>
      </form>
    </Dialog>
  );
}
