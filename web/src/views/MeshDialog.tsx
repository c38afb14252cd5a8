import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { isTriple, subtract } from "../document/vector";
import type { PendingMesh } from "../files/file-opener";
import { meshPreviewScene } from "../files/mesh-preview";
import { type MeshPlacing, type UploadedAsset, upright } from "../files/scene-files";
import { useStudio } from "../studio/studio";
import { Dialog } from "./common/Dialog";

const UNITS = [
  { name: "Millimeters", meters: 0.001 },
  { name: "Centimeters", meters: 0.01 },
  { name: "Inches", meters: 0.0254 },
  { name: "Meters", meters: 1 },
  { name: "Half as high as the view", meters: null },
] as const;

/** Asks for what an STL file does not say: which way is up, and in which unit it is. */
export function MeshDialog() {
  const { fileOpener } = useStudio();
  const pending = fileOpener.pendingMesh.value;
  return pending === null ? null : <PlacingForm pending={pending} />;
}

function PlacingForm({ pending: { name, asset } }: { pending: PendingMesh }) {
  const { fileOpener } = useStudio();
  const up = useSignal<MeshPlacing["up"]>("z");
  const unit = useSignal(0);
  const meters = UNITS[unit.value]?.meters ?? null;
  const size = asset.bounds === undefined ? null : sizeOf(upright(asset.bounds, up.value), meters);
  const add = (event: SubmitEvent) => {
    event.preventDefault();
    fileOpener.placeMesh({ up: up.value, meters });
  };
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
      <form class="mesh-form" onSubmit={add}>
        <MeshPreview asset={asset} up={up.value} />
        <label>
          <span>Unit</span>
          <select
            class="select-input"
            autofocus
            value={unit.value}
            onChange={(event) => {
              unit.value = Number(event.currentTarget.value);
            }}
          >
            {UNITS.map((each, index) => (
              <option key={each.name} value={index}>
                {each.name}
              </option>
            ))}
          </select>
        </label>
        <label>
          <span>Up</span>
          <select
            class="select-input"
            value={up.value}
            onChange={(event) => {
              up.value = event.currentTarget.value === "y" ? "y" : "z";
            }}
          >
            <option value="z">Z, as in CAD and 3D printing</option>
            <option value="y">Y, as in this scene</option>
          </select>
        </label>
        {size !== null && (
          <p class="muted numeric" role="status" data-testid="mesh-size">
            {size}
          </p>
        )}
        <button type="submit" class="button button-primary">
          Add
        </button>
      </form>
    </Dialog>
  );
}

const PREVIEW = { width: 320, height: 240, samples: 8, denoise: "builtin" } as const;

/** The mesh as it will stand; nothing where the server cannot show it. */
function MeshPreview({ asset, up }: { asset: UploadedAsset; up: MeshPlacing["up"] }) {
  const { api, state } = useStudio();
  const sessionId = state.value.session?.id;
  const address = useSignal<string | null>(null);
  useEffect(() => {
    const scene = meshPreviewScene(asset, up);
    if (scene === null || sessionId === undefined) return;
    const abort = new AbortController();
    let made: string | null = null;
    api.renderPicture(sessionId, { scene }, "png", PREVIEW, abort.signal).then(
      (picture) => {
        if (abort.signal.aborted) return;
        made = URL.createObjectURL(picture);
        address.value = made;
      },
      () => {},
    );
    return () => {
      abort.abort();
      if (made !== null) URL.revokeObjectURL(made);
    };
  }, [api, sessionId, asset, up, address]);
  return (
    <div class="mesh-preview">
      {address.value !== null && <img src={address.value} alt="The mesh" data-testid="mesh-preview" />}
    </div>
  );
}

/** Width, height and depth in words. */
function sizeOf({ min, max }: { min: unknown; max: unknown }, meters: number | null): string | null {
  if (!isTriple(min) || !isTriple(max)) return null;
  const sides = subtract(max, min);
  if (meters === null) return "Scaled to the view";
  return `${sides.map((side) => lengthText(side * meters)).join(" × ")} (width × height × depth)`;
}

function lengthText(meters: number): string {
  if (meters >= 1) return `${Number(meters.toPrecision(3))} m`;
  return meters >= 0.01
    ? `${Number((100 * meters).toPrecision(3))} cm`
    : `${Number((1000 * meters).toPrecision(3))} mm`;
}
