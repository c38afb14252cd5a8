import type { OutgoingMessage } from "../../../store/state";
import { useStudio } from "../../../studio/studio";
import { MessageText } from "./MessageText";
import { Thumbnails, thumbnailsOf } from "./Thumbnails";

/** A message on its way, or one that did not get there and waits for the user to decide. */
export function Outgoing({ message }: { message: OutgoingMessage }) {
  const studio = useStudio();
  const { requestId, text, status, reason, retryable, images = [], selection } = message;
  const { connection, running } = studio.state.value;
  const connected = connection.phase === "open";
  const edit = () => {
    studio.conversation.returnToDraft(text, images);
    studio.conversation.dropOutgoing(requestId);
  };
  return (
    <div class="outgoing" data-testid="message-outgoing" data-status={status}>
      <Thumbnails images={thumbnailsOf(images)} />
      <MessageText text={text} selection={selection} />
      {status === "sending" && (
        <span class="muted">{running ? "Waiting for the model's next step…" : "Sending…"}</span>
      )}
      {status !== "sending" && (
        <div class="outgoing-row">
          <span class="outgoing-reason">{reason ?? "The server has not confirmed this message."}</span>
          <button type="button" class="button button-small" onClick={edit}>
            Edit
          </button>
          {(status === "unconfirmed" || retryable) && (
            <button
              type="button"
              class="button button-small"
              disabled={!connected}
              onClick={() => studio.conversation.resend(message)}
            >
              Send again
            </button>
          )}
        </div>
      )}
    </div>
  );
}
