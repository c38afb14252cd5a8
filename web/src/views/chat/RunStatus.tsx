import { toolStatus } from "../../chat/chat";
import { useStudio } from "../../studio/studio";

/** Says that the model works where neither streaming text nor a running call shows it. */
export function RunStatus() {
  const { running, turn, chat, retrying } = useStudio().state.value;
  const last = chat.at(-1);
  const visible = last?.kind === "model" || (last?.kind === "tool" && toolStatus(last) === "running");
  if (!running || visible || retrying !== null) return null;
  return (
    <div class="run-status muted">
      <span class="shimmer">Working…</span>
      {turn !== null && turn.turn > 1 && (
        <span class="numeric">
          turn {turn.turn} of {turn.maxTurns}
        </span>
      )}
    </div>
  );
}
