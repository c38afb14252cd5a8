import { cameraFrame } from "../../document/camera";
import { dot, type Triple } from "../../document/vector";
import { useStudio } from "../../studio/studio";
import { SIDES, type Side } from "../../view/camera-moves";

/** The axes, where their ends are seen from, and what they are called. */
const ENDS: readonly { side: Side; axis: "x" | "y" | "z"; isPositive: boolean }[] = [
  { side: "right", axis: "x", isPositive: true },
  { side: "left", axis: "x", isPositive: false },
  { side: "top", axis: "y", isPositive: true },
  { side: "bottom", axis: "y", isPositive: false },
  { side: "front", axis: "z", isPositive: true },
  { side: "back", axis: "z", isPositive: false },
];

/** In pixels: from the middle to an end that is seen from the side. */
const RADIUS = 26;
const MIDDLE = 36;

/** How the view is turned; a click on an end of an axis looks from there. Keys and the camera menu do the same. */
export function ViewAxes() {
  const studio = useStudio();
  const camera = studio.viewport.currentCamera();
  const frame = cameraFrame(camera);
  if (frame === null) return null;
  const ends = ENDS.map((end) => {
    const way: Triple = SIDES[end.side].from;
    const [across, up] = [dot(way, frame.right), dot(way, frame.up)];
    return { ...end, x: MIDDLE + RADIUS * across, y: MIDDLE - RADIUS * up, depth: dot(way, frame.forward) };
  }).sort((a, b) => b.depth - a.depth);
  return (
    <div class="view-axes" data-testid="view-axes">
      <svg viewBox={`0 0 ${2 * MIDDLE} ${2 * MIDDLE}`} aria-hidden="true">
        {ends
          .filter(({ isPositive }) => isPositive)
          .map(({ axis, x, y }) => (
            <line key={axis} class={`view-axis-${axis}`} x1={MIDDLE} y1={MIDDLE} x2={x} y2={y} />
          ))}
      </svg>
      {ends.map(({ side, axis, isPositive, x, y, depth }) => (
        <button
          key={side}
          type="button"
          tabIndex={-1}
          class={`view-axis-end view-axis-${axis}`}
          data-positive={isPositive}
          data-behind={depth > 0.1}
          data-testid={`axis-${side}`}
          aria-label={`View from: ${SIDES[side].label}`}
          title={`${SIDES[side].label} (${SIDES[side].key})`}
          style={{ left: `${x}px`, top: `${y}px` }}
          onClick={() => studio.viewport.viewFrom(side)}
        >
          {isPositive ? axis.toUpperCase() : ""}
        </button>
      ))}
    </div>
  );
}
