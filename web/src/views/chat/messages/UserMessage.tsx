import { useComputed } from "@preact/signals";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { BranchSwitch } from "../../../chat/branches";
import { blindModel } from "../../../chat/model-settings";
import type { UserEntry } from "../../../protocol";
import { type Studio, useStudio } from "../../../studio/studio";
import { IconButton } from "../../common/IconButton";
import { focusComposer } from "../../composer/composer-field";
import { BranchSwitcher } from "./BranchSwitcher";
import { MessageEditor } from "./MessageEditor";
import { MessageText } from "./MessageText";
import { resendBlocked } from "./resend-blocked";
import { type Thumbnail, Thumbnails } from "./Thumbnails";

interface UserMessageProps {
  entry: UserEntry;
  /** Where the conversation parts here. */
  fork: BranchSwitch | undefined;
}

/** What the user said, with the ways back to it. */
export function UserMessage({ entry, fork }: UserMessageProps) {
  const studio = useStudio();
  const [editing, setEditing] = useState(false);
  const gaveUp = useRef(false);
  const actions = useRef<HTMLDivElement>(null);
  const viewing = useComputed(() => studio.state.value.access === "view").value;
  const unavailable = useComputed(() => resendBlocked(studio.state.value)).value;
  const revision = useComputed(() => studio.state.value.revision).value;
  const offline = useComputed(() => studio.state.value.connection.phase !== "open").value;

  useLayoutEffect(() => {
    if (gaveUp.current) actions.current?.querySelector("button")?.focus();
    gaveUp.current = false;
  }, [editing]);
  const onClose = (sent: boolean) => {
    gaveUp.current = !sent;
    setEditing(false);
    if (sent) focusComposer();
  };

  if (editing) return <MessageEditor entry={entry} onClose={onClose} />;
  return (
    <div class="user-turn">
      <Thumbnails images={shownImages(studio, entry)} open />
      {entry.images !== undefined && <UnseenNote />}
      <MessageText text={entry.text} selection={entry.selection} />
      {!viewing && (
        <div class="message-actions" ref={actions}>
          <div class="quiet-actions">
            <IconButton
              icon="pencil"
              label="Edit and resend"
              testId="edit-message"
              small
              unavailable={unavailable}
              onClick={() => setEditing(true)}
            />
            {revision !== entry.revision && (
              <IconButton
                icon="history"
                label="Restore the scene to before this message"
                testId="restore-before"
                small
                unavailable={offline ? "not connected" : undefined}
                onClick={() => studio.restore(entry.revision)}
              />
            )}
          </div>
          {fork !== undefined && <BranchSwitcher fork={fork} unavailable={unavailable} />}
        </div>
      )}
    </div>
  );
}

/** Images of the conversation are kept for models that see them; the present one may not. */
function UnseenNote() {
  const { state } = useStudio();
  const blind = useComputed(() => blindModel(state.value.models, state.value.model)?.label).value;
  if (blind === undefined) return null;
  return (
    <p class="message-note muted" data-testid="unseen-note">
      {blind} does not see images.
    </p>
  );
}

/** The pictures of a message where the server keeps them. */
function shownImages(studio: Studio, { message_id, images = [] }: UserEntry): Thumbnail[] {
  const id = studio.state.value.session?.id;
  if (id === undefined) return [];
  return images.map(({ width, height }, index) => ({
    key: index,
    address: studio.api.imageUrl(id, message_id, index),
    label: `Image ${index + 1}`,
    width,
    height,
  }));
}
