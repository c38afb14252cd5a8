import { useStudio } from "../../studio/studio";
import { secondsUntil, useNow } from "../common/use-now";

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
        {isLimited(retrying.reason) && <strong>The provider's rate limit is reached. </strong>}
        {seconds > 0 ? (
          <>
            Retrying in <span class="numeric">{seconds} s</span>
          </>
        ) : (
          "Retrying…"
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
