import { useComputed } from "@preact/signals";
import { projectedEdge, viewFrame } from "../../document/camera";
import { length, subtract } from "../../document/vector";
import { useStudio } from "../../studio/studio";

/** What is measured, as a line over the picture. */
export function MeasuredLine() {
  const studio = useStudio();
  const { view } = studio;
  const camera = useComputed(() => studio.viewport.currentCamera()).value;
  const [from, to = from] = view.measured.value ?? [];
  const frame = viewFrame(camera, view.aspect.value);
  if (frame === null || from === undefined || to === undefined) return null;
  const edge = projectedEdge(frame, view.aspect.value, from, to);
  if (edge === null) return null;
  const [a, b] = edge.map(({ x, y }) => `${x.toFixed(5)} ${y.toFixed(5)}`);
  const d = `M${a}L${b}`;
  return (
    <svg
      class="selection-outline measured-line"
      viewBox="0 0 1 1"
      preserveAspectRatio="none"
      aria-hidden="true"
      data-testid="measured-line"
    >
      <path class="outline-halo" d={d} />
      <path class="outline-line" d={d} />
      <path class="measured-ends" d={`M${a}h0M${b}h0`} />
    </svg>
  );
}

/** What to do next, or how far it is. */
export function MeasureNote() {
  const { view } = useStudio();
  const points = view.measured.value;
  if (points === null) return null;
  const [from, to] = points;
  return (
    <div class="view-note" role="status" data-testid="measure">
      {from === undefined ? (
        <span>Measure: click the first point</span>
      ) : to === undefined ? (
        <span>Click the second point</span>
      ) : (
        <>
          <strong class="numeric">{meters(length(subtract(to, from)))}</strong>
          <span class="numeric muted">
            {subtract(to, from)
              .map((way, axis) => `${"xyz"[axis]} ${meters(Math.abs(way))}`)
              .join(" · ")}
          </span>
        </>
      )}
      <button
        type="button"
        class="button button-small"
        onClick={() => {
          view.measured.value = null;
        }}
      >
        Done
      </button>
    </div>
  );
}

function meters(distance: number): string {
  return distance < 1 ? `${(100 * distance).toFixed(1)} cm` : `${distance.toFixed(2)} m`;
}
