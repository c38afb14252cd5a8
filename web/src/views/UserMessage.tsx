import { useComputed } from "@preact/signals";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { BranchSwitch } from "../branches";
import type { UserEntry } from "../protocol";
import { type Studio, useStudio } from "../studio";
import { BranchSwitcher } from "./BranchSwitcher";
import { focusComposer } from "./composer-field";
import { IconButton } from "./IconButton";
import { MessageEditor } from "./MessageEditor";
import { MessageText } from "./MessageText";
import { type Thumbnail, Thumbnails } from "./Thumbnails";
import { whyNot } from "./why-not";

interface UserMessageProps {
  entry: UserEntry;
  /** Where the conversation parts here. */
  parting: BranchSwitch | undefined;
}

/** What the person said, with the ways back to it. */
export function UserMessage({ entry, parting }: UserMessageProps) {
  const studio = useStudio();
  const [editing, setEditing] = useState(false);
  const gaveUp = useRef(false);
  const actions = useRef<HTMLDivElement>(null);
  const viewing = useComputed(() => studio.state.value.access === "view").value;
  const unavailable = useComputed(() => whyNot(studio.state.value)).value;
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
                icon="restore"
                label="Restore the scene to before this message"
                testId="restore-before"
                small
                unavailable={offline ? "not connected" : undefined}
                onClick={() => studio.restore(entry.revision)}
              />
            )}
          </div>
          {parting !== undefined && <BranchSwitcher parting={parting} unavailable={unavailable} />}
        </div>
      )}
    </div>
  );
}

/** The pictures of a message where the server keeps them. */
function shownImages(studio: Studio, { message_id, images = [] }: UserEntry): Thumbnail[] {
  const id = studio.state.value.session?.id;
  if (id === undefined) return [];
  return images.map(({ width, height }, index) => ({
    key: index,
    address: studio.api.imageAddress(id, message_id, index),
    label: `Picture ${index + 1}`,
    width,
    height,
  }));
}
