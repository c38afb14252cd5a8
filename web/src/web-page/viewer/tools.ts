import { effect } from "@preact/signals";
import type { Viewer } from "./viewer";

/** Fills the bar below the picture, and has its keys heard. */
export function addTools(bar: HTMLElement, viewer: Viewer): void {
  const { contents, playback } = viewer;
  const keys = new Map<string, HTMLButtonElement>();
  const add = (label: string, key: string | null, run: () => void): HTMLButtonElement => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = label;
    button.title = key === null ? label : `${label} (${key === " " ? "Space" : key.toUpperCase()})`;
    button.addEventListener("click", run);
    bar.append(button);
    if (key !== null) keys.set(key, button);
    return button;
  };

  const picture = add("Picture", "p", () => viewer.showPicture());
  effect(() => picture.setAttribute("aria-pressed", String(viewer.showsPicture.value)));
  contents.bookmarks.forEach(({ name, camera }, index) => {
    const button = add(name, index < 9 ? String(index + 1) : null, () => viewer.lookFrom(camera));
    effect(() => {
      const isShown = viewer.camera.value === camera && !viewer.showsPicture.value;
      button.setAttribute("aria-pressed", String(isShown));
    });
  });
  add("Fit", "f", () => viewer.fit());
  if (contents.moments !== null) {
    const play = add("Play", " ", () => viewer.togglePlaying());
    effect(() => {
      play.textContent = playback.playing.value ? "Pause" : "Play";
    });
  }
  if (document.fullscreenEnabled) {
    add("Full screen", null, () => {
      if (document.fullscreenElement === null) void document.documentElement.requestFullscreen();
      else void document.exitFullscreen();
    });
  }

  window.addEventListener("keydown", (event) => {
    const { key, target } = event;
    // A button has its own use for the space key.
    const isOfButton = key === " " && target instanceof HTMLButtonElement;
    if (event.ctrlKey || event.metaKey || event.altKey || isOfButton) return;
    const button = keys.get(key === "Escape" ? "p" : key.toLowerCase());
    if (button === undefined) return;
    event.preventDefault();
    button.click();
  });
}
