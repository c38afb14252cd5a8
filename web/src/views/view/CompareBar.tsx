import { useStudio } from "../../studio";
import { Icon } from "../icons";

/** What stands left of the wipe's line: the raster, or a traced picture of before. */
export function CompareBar() {
  const studio = useStudio();
  const { kept } = studio.view;
  const list = kept.list.value;
  return (
    <>
      <select
        class="field compare-select"
        aria-label="Left of the line"
        title="Left of the line"
        data-testid="compare-with"
        value={String(kept.chosen.value?.id ?? 0)}
        onChange={(event) => kept.choose(Number(event.currentTarget.value))}
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
        title="Keep the traced picture, to compare the next ones with it"
        aria-label="Keep the traced picture, to compare the next ones with it"
        data-testid="keep-picture"
        disabled={studio.state.value.shown === null}
        onClick={() => void studio.keepPicture()}
      >
        <Icon name="image" />
      </button>
    </>
  );
}
