import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { useStudio } from "../studio";
import { COMPOSER_ID, fitHeight, focusComposer } from "./composer-field";
import { SelectionChips } from "./document/SelectionChips";
import { Icon } from "./icons";

export function Composer() {
  const studio = useStudio();
  const { draft } = studio;
  const { running, connection } = studio.state.value;
  const field = useRef<HTMLTextAreaElement>(null);
  const connected = connection.phase === "open";
  const text = draft.value;

  useEffect(() => focusComposer(), []);
  useLayoutEffect(() => fitHeight(field.current), [text]);

  const send = () => {
    const message = text.trim();
    // Without a connection the text stays where it is.
    const selection = studio.editor.selectedIds();
    if (message !== "" && studio.sendMessage(message, { selection })) draft.value = "";
    focusComposer();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    send();
  };

  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <SelectionChips />
      <textarea
        ref={field}
        id={COMPOSER_ID}
        class="composer-text"
        data-testid="composer"
        aria-label="Message"
        placeholder={running ? "Add to what the model is doing…" : "Describe what you want to see…"}
        rows={1}
        value={text}
        onInput={(event) => {
          draft.value = event.currentTarget.value;
        }}
        onKeyDown={onKeyDown}
      />
      <div class="composer-row">
        <span class="composer-hint muted">{hint(connected, running)}</span>
        {running && (
          <button
            type="button"
            class="button button-stop"
            data-testid="stop"
            title="Stop the model (Esc); what it has done stays"
            disabled={!connected}
            onClick={() => studio.stop()}
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
          disabled={!connected || text.trim() === ""}
        >
          <Icon name="arrowUp" />
        </button>
      </div>
    </form>
  );
}

function hint(connected: boolean, running: boolean): string {
  if (!connected) return "Not connected. Your text is kept.";
  return running ? "Esc stops" : "Enter sends, Shift+Enter breaks the line";
}
