import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { isTriple, subtract } from "../document/vector";
import { type FileContent, importPicture } from "../files/import-picture";
import { type MeshPlacing, upright } from "../files/scene-files";
import { useStudio } from "../studio/studio";

/** A unit that a file may be in; null is scaled to the view. */
export interface Unit {
  name: string;
  meters: number | null;
}

export const UNITS = [
  { name: "Millimeters", meters: 0.001 },
  { name: "Centimeters", meters: 0.01 },
  { name: "Inches", meters: 0.0254 },
  { name: "Meters", meters: 1 },
] as const satisfies readonly Unit[];

interface PlacingFieldsProps {
  /** What the file holds; null while it is not known yet. */
  content: FileContent | null;
  placing: Signal<MeshPlacing>;
  units: readonly Unit[];
  /** Whether the fields have the focus when the question comes. */
  isFirst: boolean;
}

/** What a file does not say: its unit and which way is up, with a picture of what it holds. */
export function PlacingFields({ content, placing, units, isFirst }: PlacingFieldsProps) {
  const { up, meters } = placing.value;
  const size = content === null ? null : sizeOf(upright(content.bounds, up), meters);
  return (
    <>
      <Picture content={content} up={up} />
      <label>
        <span>Unit</span>
        <select
          class="select-input"
          autofocus={isFirst}
          value={units.findIndex((unit) => unit.meters === meters)}
          onChange={(event) => {
            const unit = units[Number(event.currentTarget.value)];
            if (unit !== undefined) placing.value = { ...placing.value, meters: unit.meters };
          }}
        >
          {units.map(({ name }, index) => (
            <option key={name} value={index}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span>Up</span>
        <select
          class="select-input"
          value={up}
          onChange={(event) => {
            placing.value = { ...placing.value, up: event.currentTarget.value === "y" ? "y" : "z" };
          }}
        >
          <option value="z">Z, as in CAD and 3D printing</option>
          <option value="y">Y, as in this scene</option>
        </select>
      </label>
      <p class="muted numeric placing-size" role="status" data-testid="placing-size">
        {content === null ? "Reading the file…" : size}
      </p>
    </>
  );
}

const PICTURE = { width: 320, height: 240, samples: 8, denoise: "builtin" } as const;

/** What the file holds as it will stand; nothing where the server cannot show it. */
function Picture({ content, up }: { content: FileContent | null; up: MeshPlacing["up"] }) {
  const { api, state } = useStudio();
  const sessionId = state.value.session?.id;
  const address = useSignal<string | null>(null);
  const scene = useMemo(() => (content === null ? null : importPicture(content, up)), [content, up]);
  useEffect(() => {
    if (scene === null || sessionId === undefined) return;
    const abort = new AbortController();
    let made: string | null = null;
    api.renderPicture(sessionId, { scene }, "png", PICTURE, abort.signal).then(
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
  }, [api, sessionId, scene, address]);
  return (
    <div class="import-picture">
      {address.value !== null && (
        <img src={address.value} alt="What the file holds" data-testid="import-picture" />
      )}
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
