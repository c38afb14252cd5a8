import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Attachment } from "../attachments";
import type { UserEntry } from "../protocol";
import { useStudio } from "../studio";
import { fitHeight } from "./composer-field";
import { Thumbnails, thumbnailsOf } from "./Thumbnails";
import { whyNot } from "./why-not";

interface MessageEditorProps {
  entry: UserEntry;
  onClose: (sent: boolean) => void;
}

/** An earlier message, being said in another way: the scene and the conversation go on from there. */
export function MessageEditor({ entry, onClose }: MessageEditorProps) {
  const studio = useStudio();
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(entry.text);
  const reason = whyNot(studio.state.value);
  /** Null while they are being fetched. */
  const [images, setImages] = useState<readonly Attachment[] | null>(entry.images === undefined ? [] : null);
  const hasContent = text.trim() !== "" || (images !== null && images.length > 0);
  const ready = reason === undefined && images !== null && hasContent;

  useEffect(() => {
    if (images === null) void studio.imagesOf(entry).then(setImages);
  }, [studio, entry]);

  // Words that were typed outlive the place they were typed in.
  const unsent = useRef("");
  unsent.current = text === entry.text ? "" : text;
  useLayoutEffect(() => {
    field.current?.focus();
    field.current?.select();
    return () => {
      if (unsent.current !== "") studio.backToDraft(unsent.current);
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
    if (studio.sendMessage(text.trim(), context)) close(true);
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
        <p class="composer-hint muted">Fetching the pictures…</p>
      ) : (
        <Thumbnails
          images={thumbnailsOf(images)}
          onRemove={(key) => setImages(images.filter(({ id }) => id !== key))}
        />
      )}
      <textarea
        ref={field}
        class="composer-text"
        aria-label="Message to send in place of this one"
        rows={1}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <p class="composer-hint muted">
        {reason === undefined
          ? "The scene goes back to here. Nothing is lost: both versions stay."
          : `Possible ${reason}.`}
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
