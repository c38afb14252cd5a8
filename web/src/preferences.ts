import { signal } from "@preact/signals";
import type { Quality } from "./protocol";
import { VIEW_MODES, type ViewMode } from "./view/modes";

export type Theme = "dark" | "light";

const THEME_KEY = "scene-llm.theme";
const QUALITY_KEY = "scene-llm.quality";
const VIEW_KEY = "scene-llm.view";

/** The user's choice, else what the system prefers. */
export function preferredTheme(): Theme {
  const stored = read(THEME_KEY);
  if (stored === "dark" || stored === "light") return stored;
  return matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark";
}

const shownTheme = signal<Theme>("dark");

/** The theme that is shown. */
export function currentTheme(): Theme {
  return shownTheme.value;
}

/** Shows a theme; only one the user chose is remembered. */
export function applyTheme(theme: Theme, remember: boolean): void {
  shownTheme.value = theme;
  document.documentElement.dataset.theme = theme;
  if (remember) write(THEME_KEY, theme);
}

export function storedQuality(): Quality {
  const stored = read(QUALITY_KEY);
  return stored === "draft" || stored === "final" ? stored : "preview";
}

export function storeQuality(quality: Quality): void {
  write(QUALITY_KEY, quality);
}

export function storedViewMode(): ViewMode {
  const stored = read(VIEW_KEY);
  return VIEW_MODES.find((mode) => mode === stored) ?? "traced";
}

export function storeViewMode(mode: ViewMode): void {
  write(VIEW_KEY, mode);
}

/** Whether a panel was open; `otherwise` when the user never said. */
export function storedFlag(name: string, otherwise: boolean): boolean {
  const stored = read(`scene-llm.${name}`);
  return stored === null ? otherwise : stored === "open";
}

export function storeFlag(name: string, open: boolean): void {
  write(`scene-llm.${name}`, open ? "open" : "closed");
}

export function storedText(name: string): string {
  return read(`scene-llm.${name}`) ?? "";
}

export function storeText(name: string, text: string): void {
  write(`scene-llm.${name}`, text);
}

const DRAFT_KEY = "scene-llm.draft";

/** The message that was being written in this tab when the page was left. */
export function storedDraft(): string {
  return read(DRAFT_KEY, () => sessionStorage) ?? "";
}

export function storeDraft(text: string): void {
  write(DRAFT_KEY, text, () => sessionStorage);
}

// Storage may be switched off; then a choice lasts as long as the page.
function read(key: string, storage = () => localStorage): string | null {
  try {
    return storage().getItem(key);
  } catch {
    return null;
  }
}

function write(key: string, value: string, storage = () => localStorage): void {
  try {
    storage().setItem(key, value);
  } catch {
    // See above.
  }
}
