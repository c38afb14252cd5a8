import { useStudio } from "../studio";
import { secondsUntil, useNow } from "./use-now";

/** The model's service is being asked again. */
export function RetryBanner() {
  const { retrying } = useStudio().state.value;
  const now = useNow(retrying !== null);
  if (retrying === null) return null;
  const seconds = secondsUntil(retrying.untilMs, now);
  return (
    <div class="retry-banner" role="status" data-testid="retrying">
      <span class="spinner" />
      <span>
        {isLimited(retrying.reason) && <strong>The model's service takes no more requests for now. </strong>}
        {seconds > 0 ? (
          <>
            Asking the model again in <span class="numeric">{seconds} s</span>
          </>
        ) : (
          "Asking the model again…"
        )}
        <span class="muted">
          {" "}
          (attempt {retrying.attempt}) {retrying.reason}
        </span>
      </span>
    </div>
  );
}

/** Whether the service has had enough requests, as the server tells it. */
function isLimited(reason: string): boolean {
  return reason.includes("HTTP 429");
}
