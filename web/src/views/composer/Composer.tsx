import { useComputed } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { mentionedNames } from "../../chat/mentions";
import { blindModel } from "../../chat/model-settings";
import { usedIds } from "../../document/scene";
import { MAX_NAMED } from "../../document/subject";
import type { Goal } from "../../protocol";
import { useStudio } from "../../studio/studio";
import { GoalHint } from "../goal/GoalMenu";
import { AttachmentRow } from "./AttachmentRow";
import { ComposerBar } from "./ComposerBar";
import { COMPOSER_ID, fitHeight, focusComposer } from "./composer-field";
import { MENTION_LIST_ID, MentionList, mentionId } from "./MentionList";
import { SelectionChips } from "./SelectionChips";
import { useMentions } from "./use-mentions";

/** Where the user writes: words, names of objects after an @, pictures. */
export function Composer() {
  const studio = useStudio();
  const { editor, goals } = studio;
  const { draft, attachments } = studio.conversation;
  const { running, connection, goal } = studio.state.value;
  const field = useRef<HTMLTextAreaElement>(null);
  const connected = connection.phase === "open";
  const text = draft.value;
  const images = attachments.list.value;
  const mentions = useMentions(field, text, (changed) => {
    draft.value = changed;
  });
  const open = mentions.names.length > 0;
  const namesAll = useComputed(() => editor.namedIds().length <= MAX_NAMED).value;
  // Images alone would say nothing to a model that sees none.
  const seesImages = useComputed(() => {
    const { models, model } = studio.state.value;
    return blindModel(models, model) === null;
  }).value;
  const hasContent = text.trim() !== "" || (images.length > 0 && seesImages);
  const ready = connected && namesAll && attachments.reading.value === 0 && hasContent;

  useEffect(() => focusComposer(), []);
  useLayoutEffect(() => fitHeight(field.current), [text]);

  const send = () => {
    // Without a connection everything stays where it is.
    if (ready && goals.composing.value && text.trim() !== "") {
      if (goals.start({ objective: text.trim() })) draft.value = "";
    } else if (ready) {
      const message = text.trim();
      const mentioned = mentionedNames(message, usedIds(editor.scene.value));
      const selection = [...new Set([...editor.namedIds(), ...mentioned])];
      if (studio.conversation.send(message, { selection, images })) {
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
    studio.conversation.attach(files);
  };

  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <GoalHint />
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
        placeholder={placeholder(running, goals.composing.value, goal)}
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
      <ComposerBar ready={ready} />
    </form>
  );
}

function placeholder(running: boolean, isGoal: boolean, goal: Goal | null): string {
  if (isGoal) return "Describe the result you want…";
  if (goal?.status === "waiting_for_user") return "Answer the question…";
  return running ? "Add instructions while the model works…" : "Describe a scene or a change…";
}
