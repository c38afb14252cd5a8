import { type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { clock } from "../../format";
import type { RenderedPicture, RenderJob } from "../../studio/pictures";
import { useStudio } from "../../studio/studio";
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
        {estimateMs !== null && ` of about ${clock(estimateMs)}`}
      </span>
      <span class="muted">Rendering continues when you close this window.</span>
    </div>
  );
}

/** The pictures that were rendered: the newest, or another one that is chosen below it. */
export function RenderResult() {
  const { pictures } = useStudio();
  const renders = pictures.renders.value;
  const chosen = useSignal<number | null>(null);
  const shown = renders.find(({ id }) => id === chosen.value) ?? renders[0];
  const failure = pictures.failure.value;
  const address = useAddress(shown === undefined || isExr(shown) ? null : shown.content);
  if (failure !== null)
    return (
      <p class="error-text" role="alert">
        The image could not be rendered: {failure}
      </p>
    );
  if (shown === undefined) return null;
  const isNewest = shown === renders[0];
  return (
    <>
      <div class="render-result" role="status" data-testid="render-result">
        {address !== null && <img src={address} alt={`The render ${shown.name}`} />}
        <span>{isNewest ? `Saved as ${shown.name}.` : shown.name}</span>
        <button type="button" class="button button-small" onClick={() => pictures.save(shown)}>
          Save again
        </button>
        {pictures.canCompare(shown) && (
          <button type="button" class="button button-small" onClick={() => void pictures.compare(shown)}>
            Compare
          </button>
        )}
      </div>
      {renders.length > 1 && <RenderHistory renders={renders} shown={shown} chosen={chosen} />}
    </>
  );
}

function RenderHistory(props: {
  renders: readonly RenderedPicture[];
  shown: RenderedPicture;
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

function PastRender({ render }: { render: RenderedPicture }) {
  const address = useAddress(isExr(render) ? null : render.content);
  return address === null ? <span>{render.name}</span> : <img src={address} alt={render.name} />;
}

/** No browser shows it. */
function isExr({ content }: RenderedPicture): boolean {
  return content.type === "image/x-exr";
}

/** An address of a file while it is shown. */
export function useAddress(content: Blob | null): string | null {
  const address = useSignal<string | null>(null);
  useEffect(() => {
    if (content === null) {
      address.value = null;
      return;
    }
    const made = URL.createObjectURL(content);
    address.value = made;
    return () => URL.revokeObjectURL(made);
  }, [content, address]);
  return address.value;
}
