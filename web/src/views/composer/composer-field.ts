/** Of the field for a new message. */
export const COMPOSER_ID = "composer";

/** Makes ready to type, except where that would open a keyboard over the page. */
export function focusComposer(): void {
  if (!matchMedia("(pointer: coarse)").matches) document.getElementById(COMPOSER_ID)?.focus();
}

/** Makes a field as high as its text, within the limits the style sheet sets. */
export function fitHeight(field: HTMLTextAreaElement | null): void {
  if (field === null) return;
  field.style.setProperty("--text-height", "auto");
  field.style.setProperty("--text-height", `${field.scrollHeight}px`);
}
