import { useRef } from "preact/hooks";
import { Icon } from "../common/icons";

/** Lets the user choose an exported session. */
export function FilePicker({ onFile }: { onFile: (file: File) => void }) {
  const field = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={field}
        type="file"
        accept=".scene-llm"
        hidden
        data-testid="import-file"
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          event.currentTarget.value = "";
          if (file !== undefined) onFile(file);
        }}
      />
      <button
        type="button"
        class="button"
        title="Open an exported session; a file can be dropped on the page, too"
        onClick={() => field.current?.click()}
      >
        <Icon name="arrowUp" />
        Import
      </button>
    </>
  );
}
