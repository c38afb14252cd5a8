/** A key with what is held along with it. `mod` is Ctrl, or Command where there is one. */
export interface Shortcut {
  /** As in `KeyboardEvent.key`, in lower case; for a key whose letter layouts move, `code` says which. */
  key: string;
  code?: string;
  mod?: boolean;
  shift?: boolean;
  alt?: boolean;
}

export function matches(shortcut: Shortcut, event: KeyboardEvent): boolean {
  if (Boolean(shortcut.mod) !== (event.ctrlKey || event.metaKey)) return false;
  if (Boolean(shortcut.alt) !== event.altKey) return false;
  // What Shift writes is the key itself, as in "?".
  const isSign = shortcut.key.length === 1 && !/[a-z0-9]/.test(shortcut.key);
  if (!isSign && Boolean(shortcut.shift) !== event.shiftKey) return false;
  return shortcut.code === undefined
    ? event.key.toLowerCase() === shortcut.key
    : event.code === shortcut.code;
}

const KEY_LABELS: Record<string, string> = {
  escape: "Esc",
  delete: "Del",
  enter: "Enter",
  tab: "Tab",
  " ": "Space",
  arrowup: "↑",
  arrowdown: "↓",
  arrowleft: "←",
  arrowright: "→",
};

/** The keys of a shortcut as they are written on a keyboard, in order. */
export function keyLabels({ key, mod, shift, alt }: Shortcut, onMac = isMac()): string[] {
  return [
    ...(mod ? [onMac ? "⌘" : "Ctrl"] : []),
    ...(alt ? [onMac ? "⌥" : "Alt"] : []),
    ...(shift ? [onMac ? "⇧" : "Shift"] : []),
    KEY_LABELS[key] ?? key.toUpperCase(),
  ];
}

function isMac(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.platform);
}
