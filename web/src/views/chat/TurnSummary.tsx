import { useComputed } from "@preact/signals";
import type { TurnResult } from "../../chat/changes";
import { keysToLookAt } from "../../chat/things";
import { useStudio } from "../../studio/studio";
import { IconButton } from "../common/IconButton";
import { ChangeList } from "./ChangeLine";

/** What a turn changed, and the way back to the scene it led to. */
export function TurnSummary({ result }: { result: TurnResult }) {
  const studio = useStudio();
  const { changes, leftOut, revision } = result;
  const current = useComputed(() => studio.state.value.revision).value;
  const offline = useComputed(() => studio.state.value.connection.phase !== "open").value;
  const viewing = useComputed(() => studio.state.value.access === "view").value;
  const keys = keysToLookAt(changes);
  return (
    <div class="change-summary change-summary-model" data-testid="turn-summary">
      <div class="change-words">
        <span class="muted">Changed</span>
        <ChangeList changes={changes} leftOut={leftOut} />
      </div>
      {keys.length > 0 && (
        <IconButton
          icon="eye"
          label="Look at what changed"
          testId="look-at-changed"
          small
          onClick={() => studio.viewport.lookAt(keys)}
        />
      )}
      {current !== revision && !viewing && (
        <IconButton
          icon="history"
          label="Restore the scene to here"
          testId="restore-after"
          small
          unavailable={offline ? "not connected" : undefined}
          onClick={() => studio.restore(revision)}
        />
      )}
    </div>
  );
}
