import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Attachment } from "../../../chat/attachments";
import type { UserEntry } from "../../../protocol";
import { useStudio } from "../../../studio/studio";
import { fitHeight } from "../../composer/composer-field";
import { resendBlocked } from "./resend-blocked";
import { Thumbnails, thumbnailsOf } from "./Thumbnails";

interface MessageEditorProps {
  entry: UserEntry;
  onClose: (sent: boolean) => void;
}

/** An earlier message, being said in another way: the scene and the conversation go on from there. */
export function MessageEditor({ entry, onClose }: MessageEditorProps) {
  const studio = useStudio();
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(entry.text);
  const reason = resendBlocked(studio.state.value);
  /** Null while they are being fetched. */
  const [images, setImages] = useState<readonly Attachment[] | null>(entry.images === undefined ? [] : null);
  const hasContent = text.trim() !== "" || (images !== null && images.length > 0);
  const ready = reason === undefined && images !== null && hasContent;

  useEffect(() => {
    if (images === null) void studio.conversation.imagesOf(entry).then(setImages);
  }, [studio, entry]);

  // Words that were typed outlive the place they were typed in.
  const unsent = useRef("");
  unsent.current = text === entry.text ? "" : text;
  useLayoutEffect(() => {
    field.current?.focus();
    field.current?.select();
    return () => {
      if (unsent.current !== "") studio.conversation.returnToDraft(unsent.current);
    };
  }, [studio]);
  useLayoutEffect(() => fitHeight(field.current), [text]);

  const close = (sent: boolean) => {
    unsent.current = "";
    onClose(sent);
  };
  const send = () => {
    if (!ready) return;
    const context = { replaces: entry.message_id, images, selection: entry.selection ?? [] };
    if (studio.conversation.send(text.trim(), context)) close(true);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    if (event.key === "Escape") close(false);
    else if (event.key === "Enter" && !event.shiftKey) send();
    else return;
    event.preventDefault();
  };
  return (
    <form
      class="composer message-editor"
      aria-label="Edit and resend"
      data-testid="message-editor"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {images === null ? (
        <p class="composer-hint muted">Loading images…</p>
      ) : (
        <Thumbnails
          images={thumbnailsOf(images)}
          onRemove={(key) => setImages(images.filter(({ id }) => id !== key))}
        />
      )}
      <textarea
        ref={field}
        class="composer-text"
        aria-label="Edited message"
        rows={1}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <p class="composer-hint muted">
        {reason === undefined
          ? "The scene is restored to this point. Both versions are kept."
          : `Not available: ${reason}.`}
      </p>
      <div class="composer-row composer-row-end">
        <button type="button" class="button button-small" onClick={() => close(false)}>
          Cancel
        </button>
        <button type="submit" class="button button-small button-primary" disabled={!ready}>
          Resend
        </button>
      </div>
    </form>
  );
}
