import type { Panels } from "../panels";
import { useStudio } from "../studio";
import { ApprovalBanner } from "./ApprovalBanner";
import { ChatLog } from "./ChatLog";
import { Composer } from "./Composer";
import { NotSaved } from "./NotSaved";
import { RetryBanner } from "./RetryBanner";
import { SessionHints } from "./SessionHints";

export function ChatPanel({ panels }: { panels: Panels }) {
  const { access } = useStudio().state.value;
  return (
    <section class="chat" aria-label="Conversation">
      <SessionHints panels={panels} />
      <ChatLog />
      {access === "edit" && <ApprovalBanner />}
      <RetryBanner />
      <NotSaved />
      {access === "edit" ? (
        <Composer />
      ) : (
        <p class="read-only" data-testid="read-only">
          This link is for looking only.
        </p>
      )}
    </section>
  );
}
