import { useStudio } from "../../studio/studio";
import { Thumbnails, thumbnailsOf } from "../chat/Thumbnails";

/** The pictures that go with the next message, and whether the model will see them. */
export function AttachmentRow() {
  const studio = useStudio();
  const { attachments } = studio.conversation;
  const { models, model } = studio.state.value;
  const list = attachments.list.value;
  const chosen = models.find(({ id }) => id === model);
  const isBlind = list.length > 0 && chosen?.sees_images === false;
  return (
    <>
      <Thumbnails images={thumbnailsOf(list)} onRemove={(key) => attachments.remove(Number(key))} />
      <div role="status" class="composer-note" data-testid="attachment-note">
        {attachments.reading.value > 0 && "Reading images…"}
        {isBlind && `${chosen.label} does not accept images: it will answer the text only.`}
      </div>
    </>
  );
}
