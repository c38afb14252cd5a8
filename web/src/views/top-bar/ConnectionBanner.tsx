import { useEffect } from "preact/hooks";
import type { Announcement } from "../../store/state";
import { useStudio } from "../../studio/studio";
import { Icon } from "../common/icons";
import { secondsUntil, useNow } from "../common/use-now";

const ANNOUNCEMENTS: Record<Announcement, string> = {
  resumed: "Reconnected. Nothing was missed.",
  fresh: "Reconnected. The session was reloaded from the server.",
  unknown_session: "That session was not found on the server. This is a new one.",
  session_gone: "That session no longer exists: it was deleted, or its link was revoked. This is a new one.",
};

const ANNOUNCEMENT_MS: Record<Announcement, number> = {
  resumed: 3_000,
  fresh: 8_000,
  unknown_session: 12_000,
  session_gone: 20_000,
};

export function ConnectionBanner() {
  const studio = useStudio();
  const { connection, announcement, session } = studio.state.value;
  const waiting = connection.phase === "waiting";
  const now = useNow(waiting);

  useEffect(() => {
    if (announcement === null || connection.phase !== "open") return;
    const timer = setTimeout(() => studio.dismissAnnouncement(), ANNOUNCEMENT_MS[announcement]);
    return () => clearTimeout(timer);
  }, [studio, announcement, connection.phase]);

  if (connection.phase === "incompatible") {
    return (
      <Banner tone="error" action="Reload" onAction={() => location.reload()}>
        This page is older than the server. Reload it to go on.
      </Banner>
    );
  }
  const failure = session === null ? "The server cannot be reached." : "Connection lost.";
  if (connection.phase === "connecting" && connection.attempt > 0) {
    return (
      <Banner tone="error" action="Try now" onAction={null}>
        {failure} Trying again…
      </Banner>
    );
  }
  if (waiting) {
    const seconds = secondsUntil(connection.retryAtMs, now);
    return (
      <Banner tone="error" action="Try now" onAction={() => studio.retryConnection()}>
        {failure} Trying again in <span class="numeric">{seconds} s</span>.
      </Banner>
    );
  }
  if (announcement === null) return null;
  return (
    <Banner
      tone={isSessionLost(announcement) ? "loss" : "info"}
      action="Dismiss"
      onAction={() => studio.dismissAnnouncement()}
    >
      {ANNOUNCEMENTS[announcement]}
    </Banner>
  );
}

/** Whether something that was there is gone. */
function isSessionLost(announcement: Announcement): boolean {
  return announcement === "unknown_session" || announcement === "session_gone";
}

interface BannerProps {
  tone: "error" | "info" | "loss";
  action: string;
  /** Null while the action makes no sense: the button keeps its place. */
  onAction: (() => void) | null;
  children: preact.ComponentChildren;
}

function Banner({ tone, action, onAction, children }: BannerProps) {
  return (
    <section class={`banner banner-${tone}`} aria-label="Connection" data-testid="connection-banner">
      <Icon name={tone === "info" ? "check" : "triangleAlert"} />
      <span class="banner-text">{children}</span>
      <button
        type="button"
        class="button button-small"
        disabled={onAction === null}
        onClick={onAction ?? undefined}
      >
        {action}
      </button>
    </section>
  );
}
