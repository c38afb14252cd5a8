import { blindModel } from "../../chat/model-settings";
import { useStudio } from "../../studio/studio";
import { Thumbnails, thumbnailsOf } from "../chat/messages/Thumbnails";

/** The pictures that go with the next message, and whether the model will see them. */
export function AttachmentRow() {
  const studio = useStudio();
  const { attachments, draft } = studio.conversation;
  const { models, model } = studio.state.value;
  const list = attachments.list.value;
  const blind = list.length > 0 ? blindModel(models, model) : null;
  const hasText = draft.value.trim() !== "";
  return (
    <>
      <Thumbnails images={thumbnailsOf(list)} onRemove={(key) => attachments.remove(Number(key))} />
      <div role="status" class="composer-note" data-testid="attachment-note">
        {attachments.reading.value > 0 && "Reading images…"}
        {blind !== null &&
          (hasText
            ? `${blind.label} does not accept images: it will answer the text only.`
            : `${blind.label} does not accept images: describe what you want, or choose another model.`)}
      </div>
    </>
  );
}
