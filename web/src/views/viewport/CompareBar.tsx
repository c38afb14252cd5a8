import { useStudio } from "../../studio/studio";
import { Icon } from "../common/icons";

/** What is left of the wipe divider: the raster view or a saved render. */
export function CompareBar() {
  const studio = useStudio();
  const { savedRenders } = studio.view;
  const list = savedRenders.list.value;
  return (
    <>
      <select
        class="field compare-select"
        aria-label="Compare with"
        title="Compare with"
        data-testid="compare-with"
        value={String(savedRenders.chosen.value?.id ?? 0)}
        onChange={(event) => savedRenders.choose(Number(event.currentTarget.value))}
      >
        <option value="0">Raster</option>
        {list.map(({ id, name }) => (
          <option key={id} value={String(id)}>
            {name}
          </option>
        ))}
      </select>
      <button
        type="button"
        class="button button-icon button-small"
        title="Save this render for comparison"
        aria-label="Save this render for comparison"
        data-testid="save-render"
        disabled={studio.state.value.shown === null}
        onClick={() => void studio.traced.saveRender()}
      >
        <Icon name="image" />
      </button>
    </>
  );
}
