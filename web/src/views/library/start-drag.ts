import type { PicturePoint } from "../../document/camera";
import { ObjectDrag } from "../../library/drag";
import type { Library } from "../../library/library";
import type { LibraryObject } from "../../library/objects";

/** A shorter way is a click. */
const MIN_DRAG_PX = 6;
/** A finger that has been still for so long drags; before, it scrolls. */
const LONG_PRESS_MS = 350;

/**
 * Follows a pointer that was pressed on an object: a mouse drags it once it moves, a finger once it has been held. R or
 * Shift and the wheel turn it, Escape takes it back.
 */
export function startDrag(event: PointerEvent, library: Library, object: LibraryObject): void {
  if (event.button !== 0 || !library.studio.editor.editable.value) return;
  const item = event.currentTarget as HTMLElement;
  const { clientX, clientY, pointerId } = event;
  const isTouch = event.pointerType === "touch";
  const listening = new AbortController();
  const { signal } = listening;
  let drag: ObjectDrag | null = null;
  let pointer = { x: clientX, y: clientY };
  let frame = 0;

  const follow = () => {
    frame = 0;
    drag?.move(pointer, pointInPicture(pointer));
  };
  const begin = () => {
    drag = new ObjectDrag(library, object);
    item.setPointerCapture(pointerId);
    ignoreClickOf(item);
    follow();
  };
  const timer = isTouch ? setTimeout(begin, LONG_PRESS_MS) : undefined;
  const end = (finish: (drag: ObjectDrag) => void) => {
    clearTimeout(timer);
    cancelAnimationFrame(frame);
    listening.abort();
    if (drag !== null) finish(drag);
  };
  const onUp = () => {
    follow();
    end((each) => each.drop());
  };
  const onMove = (move: PointerEvent) => {
    if (move.pointerId !== pointerId) return;
    pointer = { x: move.clientX, y: move.clientY };
    const isFar = Math.hypot(pointer.x - clientX, pointer.y - clientY) >= MIN_DRAG_PX;
    if (drag === null && isFar && isTouch) end(() => {});
    else if (drag === null && isFar) begin();
    else if (drag !== null && frame === 0) frame = requestAnimationFrame(follow);
  };
  const onKeyDown = (key: KeyboardEvent) => {
    if (drag === null) return;
    if (key.key === "Escape") end((each) => each.cancel());
    else if (key.key.toLowerCase() === "r") drag.turn(key.shiftKey ? -1 : 1);
    else return;
    key.preventDefault();
    key.stopPropagation();
  };
  const onWheel = (wheel: WheelEvent) => {
    if (drag === null || !wheel.shiftKey) return;
    wheel.preventDefault();
    wheel.stopPropagation();
    drag.turn(wheel.deltaY + wheel.deltaX > 0 ? -1 : 1);
  };
  // A finger that drags neither scrolls nor opens the browser's own menu.
  const keepFromBrowser = (each: Event) => {
    if (drag !== null || each.type === "contextmenu") each.preventDefault();
  };
  window.addEventListener("pointermove", onMove, { signal });
  window.addEventListener("pointerup", onUp, { signal });
  window.addEventListener("pointercancel", () => end((each) => each.cancel()), { signal });
  window.addEventListener("blur", () => end((each) => each.cancel()), { signal });
  window.addEventListener("keydown", onKeyDown, { signal, capture: true });
  window.addEventListener("wheel", onWheel, { signal, capture: true, passive: false });
  if (isTouch) {
    item.addEventListener("touchmove", keepFromBrowser, { signal, passive: false });
    item.addEventListener("contextmenu", keepFromBrowser, { signal });
  }
}

/** The release that ends a drag is no click, also where Escape has ended it before. */
function ignoreClickOf(item: HTMLElement): void {
  const ignoring = new AbortController();
  const { signal } = ignoring;
  item.addEventListener("click", (click) => click.stopPropagation(), { signal, capture: true });
  // The click comes with the release, before any timer.
  const stop = () => setTimeout(() => ignoring.abort());
  window.addEventListener("pointerup", stop, { signal });
  window.addEventListener("pointercancel", stop, { signal });
}

/** Where in the picture a point of the page is, (0, 0) the picture's top left corner; null beside it. */
function pointInPicture({ x, y }: { x: number; y: number }): PicturePoint | null {
  const picture = document.elementFromPoint(x, y)?.closest(".picture-frame");
  if (picture == null) return null;
  const { left, top, width, height } = picture.getBoundingClientRect();
  return { x: (x - left) / width, y: (y - top) / height };
}
