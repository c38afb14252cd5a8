import type { Signal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { useStudio } from "../studio";
import { Icon } from "./icons";

export function Composer({ draft }: { draft: Signal<string> }) {
  const studio = useStudio();
  const { running, connection } = studio.state.value;
  const field = useRef<HTMLTextAreaElement>(null);
  const connected = connection.phase === "open";
  const text = draft.value;

  useEffect(() => focusField(field.current), []);
  useLayoutEffect(() => fitHeight(field.current), [text]);

  const send = () => {
    const message = text.trim();
    // Without a connection the text stays where it is.
    if (message !== "" && studio.sendMessage(message)) draft.value = "";
    focusField(field.current);
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
      <textarea
        ref={field}
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

/** Ready to type, except where that would open a keyboard over the page. */
function focusField(field: HTMLTextAreaElement | null): void {
  if (!matchMedia("(pointer: coarse)").matches) field?.focus();
}

/** As high as its text, within the limits the style sheet sets. */
function fitHeight(field: HTMLTextAreaElement | null): void {
  if (field === null) return;
  field.style.setProperty("--text-height", "auto");
  field.style.setProperty("--text-height", `${field.scrollHeight}px`);
}
