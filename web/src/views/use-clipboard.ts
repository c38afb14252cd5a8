import { useEffect } from "preact/hooks";
import type { Studio } from "../studio/studio";
import { isTextField } from "./palette/shortcuts";

/** Copies, cuts and pastes what is selected, as a text that other sessions and tabs take. */
export function useClipboard(studio: Studio): void {
  useEffect(() => {
    const { editor } = studio;
    const onCopy = (event: ClipboardEvent) => {
      const isText = isTextField(event.target) || getSelection()?.isCollapsed === false;
      const text = isText || isInDialog(event) ? null : editor.copySelected();
      if (text === null) return;
      event.clipboardData?.setData("text/plain", text);
      event.preventDefault();
      if (event.type === "cut" && editor.editable.value) editor.removeSelected();
    };
    const onPaste = (event: ClipboardEvent) => {
      if (isTextField(event.target) || isInDialog(event)) return;
      if (editor.paste(event.clipboardData?.getData("text/plain") ?? "")) event.preventDefault();
    };
    window.addEventListener("copy", onCopy);
    window.addEventListener("cut", onCopy);
    window.addEventListener("paste", onPaste);
    return () => {
      window.removeEventListener("copy", onCopy);
      window.removeEventListener("cut", onCopy);
      window.removeEventListener("paste", onPaste);
    };
  }, [studio]);
}

function isInDialog({ target }: Event): boolean {
  return target instanceof Element && target.closest("dialog") !== null;
}
