import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { usedIds } from "../document/scene";
import { mentionedNames } from "../mentions";
import { useStudio } from "../studio";
import { AttachButton } from "./composer/AttachButton";
import { AttachmentRow } from "./composer/AttachmentRow";
import { MENTION_LIST_ID, MentionList, mentionId } from "./composer/MentionList";
import { useMentions } from "./composer/use-mentions";
import { COMPOSER_ID, fitHeight, focusComposer } from "./composer-field";
import { SelectionChips } from "./document/SelectionChips";
import { Icon } from "./icons";
import { ModelPicker } from "./ModelPicker";
import { UsageMeter } from "./UsageMeter";

/** Where the person writes: words, names of objects after an @, pictures. */
export function Composer() {
  const studio = useStudio();
  const { draft, attachments, editor } = studio;
  const { running, connection } = studio.state.value;
  const field = useRef<HTMLTextAreaElement>(null);
  const connected = connection.phase === "open";
  const text = draft.value;
  const images = attachments.list.value;
  const mentions = useMentions(field, text, (changed) => {
    draft.value = changed;
  });
  const open = mentions.names.length > 0;
  const ready = connected && attachments.reading.value === 0 && (text.trim() !== "" || images.length > 0);

  useEffect(() => focusComposer(), []);
  useLayoutEffect(() => fitHeight(field.current), [text]);

  const send = () => {
    // Without a connection everything stays where it is.
    if (ready) {
      const message = text.trim();
      const mentioned = mentionedNames(message, usedIds(editor.scene.value));
      const selection = [...new Set([...editor.selectedIds(), ...mentioned])];
      if (studio.sendMessage(message, { selection, images })) {
        draft.value = "";
        attachments.clear();
      }
    }
    focusComposer();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const chosen = mentions.onKeyDown(event);
    if (!chosen && (event.key !== "Enter" || event.shiftKey || event.isComposing)) return;
    event.preventDefault();
    if (!chosen) send();
  };
  const onPaste = (event: ClipboardEvent) => {
    const files = [...(event.clipboardData?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    studio.attach(files);
  };

  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {open && <MentionList mentions={mentions} />}
      <SelectionChips />
      <AttachmentRow />
      <textarea
        ref={field}
        id={COMPOSER_ID}
        class="composer-text"
        data-testid="composer"
        aria-label="Message"
        aria-autocomplete="list"
        aria-controls={open ? MENTION_LIST_ID : undefined}
        aria-activedescendant={open ? mentionId(mentions.active) : undefined}
        placeholder={running ? "Add to what the model is doing…" : "Describe what you want to see…"}
        rows={1}
        value={text}
        onInput={(event) => {
          draft.value = event.currentTarget.value;
          mentions.onCaret();
        }}
        onClick={mentions.onCaret}
        onKeyUp={(event) => {
          if (event.key.startsWith("Arrow") || event.key === "Home" || event.key === "End") {
            if (!open || event.key === "ArrowLeft" || event.key === "ArrowRight") mentions.onCaret();
          }
        }}
        onBlur={mentions.close}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
      />
      <div class="composer-row">
        <AttachButton disabled={!connected} />
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
          disabled={!ready}
        >
          <Icon name="arrowUp" />
        </button>
      </div>
    </form>
  );
}

function hint(connected: boolean, running: boolean): string {
  if (!connected) return "Not connected. Your text is kept.";
  return running ? "Esc stops" : "@ names an object";
}
