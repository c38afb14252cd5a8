import { useComputed } from "@preact/signals";
import { quoted, type TurnResult } from "../../chat/changes";
import { keysToLookAt } from "../../chat/things";
import { useStudio } from "../../studio/studio";
import { IconButton } from "../common/IconButton";
import { Icon } from "../common/icons";
import { ChangeList } from "./ChangeLine";

/** What a turn changed, and the way back to the scene it led to. */
export function TurnSummary({ result }: { result: TurnResult }) {
  const studio = useStudio();
  const { changes, leftOut, revision } = result;
  const isCurrent = useComputed(() => studio.state.value.revision === revision).value;
  const keys = keysToLookAt(changes);
  return (
    <div class="change-summary change-summary-model" data-testid="turn-summary">
      <div class="change-words">
        <span class="muted">Changed</span>
        <ChangeList changes={changes} leftOut={leftOut} />
        {!isCurrent && <WaysBack result={result} />}
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
    </div>
  );
}

/** To a scene that has changed since. */
function WaysBack({ result: { revision, request } }: { result: TurnResult }) {
  const studio = useStudio();
  const offline = useComputed(() => studio.state.value.connection.phase !== "open").value;
  const viewing = useComputed(() => studio.state.value.access === "view").value;
  const isRendering = useComputed(() => studio.pictures.earlier.value === revision).value;
  return (
    <div class="ways-back">
      {!viewing && (
        <button
          type="button"
          class="button button-small"
          title="Make the scene what it was after this answer. Undo takes that back."
          data-testid="restore-after"
          disabled={offline}
          onClick={() => studio.restore(revision)}
        >
          <Icon name="history" />
          Back to this
        </button>
      )}
      <button
        type="button"
        class="button button-small"
        title="Put a picture of the scene after this answer beside the picture of now"
        data-testid="compare-after"
        disabled={offline || isRendering}
        onClick={() => void studio.pictures.compareWith(revision, `After ${quoted(request)}`)}
      >
        {isRendering ? <span class="spinner" /> : <Icon name="image" />}
        {isRendering ? "Rendering…" : "Compare with now"}
      </button>
    </div>
  );
}
