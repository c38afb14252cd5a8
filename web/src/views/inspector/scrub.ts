import { type Range, scrubStep, stepped, type Unit } from "../../document/numbers";
import type { FieldEdit } from "./use-property";

/** A shorter way is a click. */
const MIN_DRAG_PX = 3;

/**
 * Dragging sideways on a number's name changes it: Shift ten times as fast, Alt ten times as fine. The page
 * shows each step, the edit is made on release; Escape takes it back.
 */
export function startScrub(
  event: PointerEvent,
  start: number,
  unit: Unit,
  range: Range,
  edit: FieldEdit<number>,
): void {
  const handle = event.currentTarget as HTMLElement;
  const step = scrubStep(start, unit, range);
  let value = start;
  let moved = false;
  const listening = new AbortController();
  const { signal } = listening;
  const end = (made: boolean) => {
    listening.abort();
    if (!moved) return;
    // A label would take the release for a click.
    handle.addEventListener("click", (click) => click.preventDefault(), { once: true });
    if (made && value !== start) edit.commit(value);
    else edit.preview(undefined);
  };
  const onMove = ({ clientX, shiftKey, altKey }: PointerEvent) => {
    const way = clientX - event.clientX;
    if (!moved && Math.abs(way) < MIN_DRAG_PX) return;
    moved = true;
    value = stepped(start, way, step * (shiftKey ? 10 : altKey ? 0.1 : 1), range);
    edit.preview(value);
  };
  const onKeyDown = (key: KeyboardEvent) => {
    if (key.key !== "Escape") return;
    key.preventDefault();
    key.stopPropagation();
    end(false);
  };
  handle.setPointerCapture(event.pointerId);
  handle.addEventListener("pointermove", onMove, { signal });
  handle.addEventListener("pointerup", () => end(true), { signal });
  handle.addEventListener("pointercancel", () => end(false), { signal });
  window.addEventListener("keydown", onKeyDown, { signal, capture: true });
}
