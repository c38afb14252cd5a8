import { useStudio } from "../../studio/studio";
import { Icon } from "../common/icons";
import { GoalMenu } from "../goal/GoalMenu";
import { ModelPicker } from "../models/ModelPicker";
import { AttachButton } from "./AttachButton";
import { UsageMeter } from "./UsageMeter";

/** What stands below the text: attachments, the model, usage, stop and send. */
export function ComposerBar({ ready }: { ready: boolean }) {
  const studio = useStudio();
  const { running, connection } = studio.state.value;
  const connected = connection.phase === "open";
  return (
    <div class="composer-row">
      <AttachButton disabled={!connected} />
      <GoalMenu disabled={!connected} />
      <ModelPicker class="model-picker-of-composer" testId="model-picker-narrow" />
      <span class={`composer-hint muted${connected ? "" : " composer-hint-lost"}`}>
        {hint(connected, running)}
      </span>
      <UsageMeter />
      {running && (
        <button
          type="button"
          class="button button-stop"
          data-testid="stop"
          title="Stop the model (Esc); what it has done stays"
          disabled={!connected}
          onClick={() => studio.conversation.stop()}
        >
          <Icon name="stop" />
          Stop
        </button>
      )}
      <button
        type="submit"
        class="button button-send"
        data-testid="send"
        aria-label="Send"
        title={connected ? "Send (Enter)" : "Not connected: the text is kept"}
        disabled={!ready}
      >
        <Icon name="arrowUp" />
      </button>
    </div>
  );
}

function hint(connected: boolean, running: boolean): string {
  if (!connected) return "Not connected. Your text is kept.";
  return running ? "Esc to stop" : "@ to mention an object";
}
