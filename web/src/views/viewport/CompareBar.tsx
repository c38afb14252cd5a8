import { useStudio } from "../../studio/studio";
import { isShowable, type Side } from "../../view/saved-renders";
import { Icon } from "../common/icons";

/** What is compared: the live views, or saved renders. */
export function CompareBar() {
  const studio = useStudio();
  return (
    <span class="compare-bar">
      <SideSelect side="left" label="Left of the divider" live="Raster" />
      <SideSelect side="right" label="Right of the divider" live="Traced" />
      <button
        type="button"
        class="button button-icon button-small"
        title="Save this render for comparison"
        aria-label="Save this render for comparison"
        data-testid="save-render"
        disabled={studio.state.value.shown === null}
        onClick={() => studio.traced.saveRender()}
      >
        <Icon name="image" />
      </button>
    </span>
  );
}

function SideSelect({ side, label, live }: { side: Side; label: string; live: string }) {
  const { savedRenders } = useStudio().view;
  return (
    <select
      class="field compare-select"
      aria-label={label}
      title={label}
      data-testid={`compare-${side}`}
      value={String(savedRenders.sides[side].value?.id ?? 0)}
      onChange={(event) => savedRenders.choose(side, Number(event.currentTarget.value))}
    >
      <option value="0">{live}</option>
      {[...savedRenders.list.value].reverse().map((render) => (
        <option key={render.id} value={String(render.id)} disabled={!isShowable(render)}>
          {isShowable(render) ? render.name : `${render.name} (browsers cannot show EXR)`}
        </option>
      ))}
    </select>
  );
}

/** Says why pictures that are compared do not line up. */
export function CompareNote() {
  const { view } = useStudio();
  const { left, right } = view.savedRenders.sides;
  if (view.shownMode.value !== "wipe") return null;
  const shapes = [left.value, right.value].map((render) =>
    render === null
      ? { name: "The view", aspect: view.aspect.value }
      : { name: `${render.name} (${render.width} × ${render.height})`, aspect: render.width / render.height },
  );
  const [a, b] = shapes;
  if (a === undefined || b === undefined || isSameShape(a.aspect, b.aspect)) return null;
  return (
    <div class="view-note" role="status" data-testid="compare-note">
      <span>
        {a.name} and {b.name.replace(/^The/, "the")} have different shapes, so they do not line up. Render
        with the same width and height to compare.
      </span>
    </div>
  );
}

/** Sides are whole pixels. */
function isSameShape(a: number, b: number): boolean {
  return Math.abs(a / b - 1) < 0.01;
}
