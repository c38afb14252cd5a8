import { type Signal, useSignal } from "@preact/signals";
import { clock } from "../../format";
import type { RenderJob } from "../../studio/pictures";
import { useStudio } from "../../studio/studio";
import { isShowable, type SavedRender } from "../../view/saved-renders";
import { useAddress } from "../common/use-address";
import { useNow } from "../common/use-now";

/** An estimate is no promise: the bar is not full before the end. */
const MAX_ESTIMATED = 0.95;

/** How long the picture has been rendered for, about how long it takes in all, and what it will be like. */
export function RenderRunning({ job: { startedMs, estimateMs, draft } }: { job: RenderJob }) {
  const passedMs = Math.max(0, useNow(true) - startedMs);
  const share = estimateMs === null ? undefined : Math.min(MAX_ESTIMATED, passedMs / estimateMs);
  const address = useAddress(draft);
  return (
    <div class="render-running" data-testid="render-running">
      {address !== null && (
        <figure class="render-draft">
          <img src={address} alt="Draft" data-testid="render-draft" />
          <figcaption class="muted">Draft with few samples</figcaption>
        </figure>
      )}
      <progress class="render-bar" aria-label="Rendering" value={share} />
      <span class="numeric" role="timer">
        Rendering… {clock(passedMs)}
        {estimateMs !== null &&
          (passedMs > estimateMs
            ? `, longer than the estimated ${clock(estimateMs)}`
            : ` of about ${clock(estimateMs)}`)}
      </span>
      <span class="muted">
        The scene is rendered as it was at the start. Rendering continues when you close this window.
      </span>
    </div>
  );
}

/** The pictures that were rendered: the newest, or another one that is chosen below it. */
export function RenderResult({ onCompare }: { onCompare: () => void }) {
  const { pictures, view } = useStudio();
  const renders = [...view.savedRenders.list.value].reverse();
  const chosen = useSignal<number | null>(null);
  const shown = renders.find(({ id }) => id === chosen.value) ?? renders[0];
  const failure = pictures.failure.value;
  const address = useAddress(shown !== undefined && isShowable(shown) ? shown.content : null);
  if (failure !== null)
    return (
      <p class="error-text" role="alert">
        The image could not be rendered: {failure}
      </p>
    );
  if (shown === undefined) return null;
  return (
    <>
      <div class="render-result" role="status" data-testid="render-result">
        {address !== null && <img src={address} alt={`The render ${shown.name}`} />}
        <span>{shown === pictures.finished.value ? `Saved as ${shown.name}.` : shown.name}</span>
        <button type="button" class="button button-small" onClick={() => pictures.save(shown)}>
          Save again
        </button>
      </div>
      <CompareRow key={shown.id} shown={shown} renders={renders} onCompare={onCompare} />
      {renders.length > 1 && <RenderHistory renders={renders} shown={shown} chosen={chosen} />}
    </>
  );
}

/** What the render is compared with: the live picture, or another render. */
function CompareRow(props: { shown: SavedRender; renders: readonly SavedRender[]; onCompare: () => void }) {
  const { shown, renders, onCompare } = props;
  const { pictures } = useStudio();
  const other = useSignal(0);
  if (!isShowable(shown))
    return <p class="muted">Browsers cannot show EXR: to compare, render the same as PNG.</p>;
  const others = renders.filter((render) => render !== shown && isShowable(render));
  return (
    <div class="render-compare">
      <label class="render-control">
        <span class="render-label">Compare with</span>
        <select
          class="field"
          value={String(other.value)}
          onChange={(event) => {
            other.value = Number(event.currentTarget.value);
          }}
        >
          <option value="0">The live picture</option>
          {others.map(({ id, name }) => (
            <option key={id} value={String(id)}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <button
        type="button"
        class="button button-small"
        onClick={() => {
          pictures.compare(shown, others.find(({ id }) => id === other.value) ?? null);
          onCompare();
        }}
      >
        Compare
      </button>
    </div>
  );
}

function RenderHistory(props: {
  renders: readonly SavedRender[];
  shown: SavedRender;
  chosen: Signal<number | null>;
}) {
  const { renders, shown, chosen } = props;
  return (
    <ul class="render-history" aria-label="Renders of this session" data-testid="render-history">
      {renders.map((render) => (
        <li key={render.id}>
          <button
            type="button"
            class="render-past"
            aria-pressed={render === shown}
            title={render.name}
            onClick={() => {
              chosen.value = render.id;
            }}
          >
            <PastRender render={render} />
          </button>
        </li>
      ))}
    </ul>
  );
}

function PastRender({ render }: { render: SavedRender }) {
  const address = useAddress(isShowable(render) ? render.content : null);
  return address === null ? <span>{render.name}</span> : <img src={address} alt={render.name} />;
}
