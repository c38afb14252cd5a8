import type { Studio } from "../studio/studio";

/**
 * Shows the bookmarks on the whole screen, one after the other, with nothing but the picture around them; in the whole
 * window where the browser refuses the screen.
 */
export async function present({ bookmarks, editor, view }: Studio): Promise<void> {
  const [first] = bookmarks.list.value;
  if (first === undefined) return;
  await view.enterFullScreen();
  editor.select([]);
  view.setPrivateCamera(first.camera);
  view.presenting.value = true;
}

export function leavePresentation({ view }: Studio): void {
  view.presenting.value = false;
  if (document.fullscreenElement !== null) void document.exitFullscreen();
}

/** Looks from the next bookmark, or the one before; false without any. */
export function showBookmark({ bookmarks, view }: Studio, step: 1 | -1): boolean {
  const next = bookmarks.beside(view.privateCamera.value, step);
  if (next !== null) view.setPrivateCamera(next.camera);
  return next !== null;
}

/** What a key asks for while bookmarks are presented, as other presentations have it; null for nothing. */
export function presentationStep({ key, shiftKey }: Pick<KeyboardEvent, "key" | "shiftKey">): 1 | -1 | null {
  if (["ArrowRight", "ArrowDown", "PageDown", "Enter"].includes(key)) return 1;
  if (["ArrowLeft", "ArrowUp", "PageUp", "Backspace"].includes(key)) return -1;
  return key === " " ? (shiftKey ? -1 : 1) : null;
}
