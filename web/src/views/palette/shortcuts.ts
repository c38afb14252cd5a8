import { actionsOf, type Workbench } from "../../actions";
import { matches } from "../../actions/keys";
import { focusComposer } from "../composer/composer-field";

/** What keys do anywhere on the page; fields that hold a text keep theirs. */
export function runShortcut(workbench: Workbench, event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing) return;
  const { target } = event;
  if (event.key === "Escape") {
    onEscape(workbench, isTextField(target) && target.value !== "");
    return;
  }
  const isField = isTextField(target) || target instanceof HTMLSelectElement;
  const held = event.ctrlKey || event.metaKey;
  // Space is for what has the focus, where that does something by it.
  if (event.key === " " && target instanceof Element && target.closest(PRESSED_BY_SPACE) !== null) return;
  // A letter in a field is a letter: nothing to look up.
  if (isField && !held) return;
  if (!held && !event.altKey && isLetter(event.key) && isForChat(workbench, target)) {
    // The letter goes where the focus is then.
    focusComposer();
    return;
  }
  const hasText = isTextField(target) && target.value !== "";
  const action = actionsOf(workbench).find(
    ({ keys, whileTyping, outsideFields }) =>
      (whileTyping || !(outsideFields ? isField : hasText)) &&
      keys?.some((shortcut) => matches(shortcut, event)) === true,
  );
  if (action === undefined || action.unavailable !== undefined) return;
  event.preventDefault();
  action.run();
}

/**
 * Takes a drag by the handles back, else stops the model; with none at work, closes the panel over the picture, else
 * deselects. Who is writing keeps what the message is about.
 */
function onEscape({ studio, panels }: Workbench, isWriting: boolean): void {
  if (studio.view.rasterView.value?.cancelDrag()) return;
  if (studio.view.cancelTool()) return;
  if (studio.playback.stop()) return;
  const { running, outgoing, access } = studio.state.value;
  // Also what was said a moment ago and is still on its way: the server stops what it begins.
  const isAtWork = running || outgoing.some(({ status }) => status === "sending");
  if (isAtWork && access === "edit") studio.conversation.stop();
  else if (!panels.wide.value && panels.document.value) panels.setDocument(false);
  else if (!isWriting) studio.editor.select([]);
}

function isLetter(key: string): boolean {
  return /^\p{L}$/u.test(key);
}

/** Whether who types there means the chat: in its messages, and where nothing has the focus before there is anything. */
function isForChat({ studio }: Workbench, target: EventTarget | null): boolean {
  if (studio.state.value.access !== "edit" || !(target instanceof Element)) return false;
  if (target.classList.contains("chat-log")) return true;
  const { chat, document: shown } = studio.state.value;
  return target === document.body && chat.length === 0 && shown.scene.shapes.length === 0;
}

const PRESSED_BY_SPACE =
  "button, input, summary, [role=menuitem], [role=option], [role=slider], [role=tab], [role=treeitem]";

/** Inputs without a text of their own. */
const NON_TEXT_TYPES = ["radio", "checkbox", "color", "range"];

/** Whether keys and the clipboard are about a text there. */
export function isTextField(target: EventTarget | null): target is HTMLTextAreaElement | HTMLInputElement {
  return (
    target instanceof HTMLTextAreaElement ||
    (target instanceof HTMLInputElement && !NON_TEXT_TYPES.includes(target.type))
  );
}
