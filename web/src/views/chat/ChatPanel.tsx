import type { Panels } from "../../panels";
import { useStudio } from "../../studio/studio";
import { Composer } from "../composer/Composer";
import { GoalCard } from "../goal/GoalCard";
import { ApprovalBanner } from "./ApprovalBanner";
import { ChatLog } from "./ChatLog";
import { NotSaved } from "./NotSaved";
import { RetryBanner } from "./RetryBanner";
import { SessionHints } from "./SessionHints";

export function ChatPanel({ panels }: { panels: Panels }) {
  const { access } = useStudio().state.value;
  return (
    <section class="chat" aria-label="Conversation">
      <SessionHints panels={panels} />
      <ChatLog />
      <GoalCard />
      {access === "edit" && <ApprovalBanner />}
      <RetryBanner />
      <NotSaved />
      {access === "edit" ? (
        <Composer />
      ) : (
        <p class="read-only" data-testid="read-only">
          View only: this link does not allow editing.
        </p>
      )}
    </section>
  );
}
