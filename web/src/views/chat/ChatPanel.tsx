import type { Panels } from "../../panels";
import { useStudio } from "../../studio/studio";
import { Loaded } from "../common/Loaded";
import { Composer } from "../composer/Composer";
import { ApprovalBanner } from "./ApprovalBanner";
import { ChatLog } from "./ChatLog";
import { NotSaved } from "./NotSaved";
import { RetryBanner } from "./RetryBanner";
import { SessionHints } from "./SessionHints";

const loadGoal = () => import("../goal/GoalCard").then(({ GoalCard }) => GoalCard);

export function ChatPanel({ panels }: { panels: Panels }) {
  const { access, goal } = useStudio().state.value;
  return (
    <section class="chat" aria-label="Conversation">
      <SessionHints panels={panels} />
      <ChatLog />
      {goal !== null && <Loaded load={loadGoal} props={{}} />}
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
