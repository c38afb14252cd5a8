import type { Panels } from "../panels";
import type { Studio } from "../studio";

/** What keys do anywhere on the page; fields that hold a text keep theirs. */
export function runShortcut(studio: Studio, panels: Panels, event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing) return;
  const done =
    event.key === "Escape"
      ? onEscape(studio, panels)
      : event.ctrlKey || event.metaKey
        ? withControl(studio, panels, event)
        : event.key === "Delete" && removeSelected(studio, event);
  if (done) event.preventDefault();
}

/** Stops the model; with none at work, closes the panel over the picture. */
function onEscape(studio: Studio, panels: Panels): boolean {
  const { running, access } = studio.state.value;
  if (running && access === "edit") studio.stop();
  else if (!panels.wide.value && panels.document.value) panels.setDocument(false);
  return false;
}

function withControl(studio: Studio, panels: Panels, event: KeyboardEvent): boolean {
  if (event.altKey) return false;
  // Where the key is, not what it writes: layouts differ.
  if (event.code === "Backslash") {
    panels.toggleAll();
    return true;
  }
  const inText = isTextField(event.target) && event.target.value !== "";
  if (studio.state.value.access === "view" || inText) return false;
  const key = event.key.toLowerCase();
  if (key === "z" && !event.shiftKey) studio.undo();
  else if (key === "y" || key === "z") studio.redo();
  else if (key === "d" && studio.editor.selectedIds().length > 0) studio.editor.duplicateSelected();
  else return false;
  return true;
}

function removeSelected(studio: Studio, { target }: KeyboardEvent): boolean {
  const { editor } = studio;
  if (isTextField(target) || target instanceof HTMLSelectElement) return false;
  if (!editor.editable.value || editor.selectedIds().length === 0) return false;
  editor.removeSelected();
  return true;
}

/** Inputs without a text of their own. */
const TEXTLESS = ["radio", "checkbox", "color"];

function isTextField(target: EventTarget | null): target is HTMLTextAreaElement | HTMLInputElement {
  return (
    target instanceof HTMLTextAreaElement ||
    (target instanceof HTMLInputElement && !TEXTLESS.includes(target.type))
  );
}
