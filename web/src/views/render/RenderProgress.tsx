import { useEffect, useState } from "preact/hooks";
import { clock } from "../../format";
import type { RenderJob } from "../../studio/pictures";
import { useStudio } from "../../studio/studio";
import { useNow } from "../common/use-now";

/** An estimate is no promise: the bar is not full before the end. */
const MAX_ESTIMATED = 0.95;

/** How long the picture has been rendered for, and about how long it takes in all. */
export function RenderRunning({ job: { startedMs, estimateMs } }: { job: RenderJob }) {
  const passedMs = Math.max(0, useNow(true) - startedMs);
  const share = estimateMs === null ? undefined : Math.min(MAX_ESTIMATED, passedMs / estimateMs);
  return (
    <div class="render-running" data-testid="render-running">
      <progress class="render-bar" aria-label="Rendering" value={share} />
      <span class="numeric" role="timer">
        Rendering… {clock(passedMs)}
        {estimateMs !== null && ` of about ${clock(estimateMs)}`}
      </span>
      <span class="muted">It goes on when this window is closed.</span>
    </div>
  );
}

/** The newest picture, which was saved as a file. */
export function RenderResult() {
  const { pictures } = useStudio();
  const last = pictures.last.value;
  const failure = pictures.failure.value;
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    if (last === null || last.content.type === "image/x-exr") return setAddress(null);
    const made = URL.createObjectURL(last.content);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [last]);
  if (failure !== null)
    return (
      <p class="error-text" role="alert">
        The image could not be rendered: {failure}
      </p>
    );
  if (last === null) return null;
  return (
    <div class="render-result" role="status" data-testid="render-result">
      {address !== null && <img src={address} alt={`The render ${last.name}`} />}
      <span>Saved as {last.name}.</span>
      {pictures.canCompare && (
        <button type="button" class="button button-small" onClick={() => void pictures.compareLast()}>
          Compare
        </button>
      )}
    </div>
  );
}
