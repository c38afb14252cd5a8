import { useRef } from "preact/hooks";
import { useStudio } from "../../studio/studio";
import { IconButton } from "../common/IconButton";

/** Lets the user choose pictures to show to the model. */
export function AttachButton({ disabled }: { disabled: boolean }) {
  const studio = useStudio();
  const field = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={field}
        type="file"
        accept="image/*"
        multiple
        hidden
        data-testid="attach-file"
        onChange={(event) => {
          const files = [...(event.currentTarget.files ?? [])];
          event.currentTarget.value = "";
          studio.conversation.attach(files);
        }}
      />
      <IconButton
        icon="paperclip"
        label="Attach images (or paste or drop them)"
        testId="attach"
        disabled={disabled}
        onClick={() => field.current?.click()}
      />
    </>
  );
}
