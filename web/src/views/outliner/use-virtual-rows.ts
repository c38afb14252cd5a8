import { useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";

/** As the style sheet has it. */
export const ROW_HEIGHT_PX = 24;
/** Rows beyond the edge, so that a flick shows no gap. */
const OVERSCAN = 8;

/** Which of `count` rows of a scrolling list are in view. */
export function useVirtualRows(list: RefObject<HTMLElement | null>, count: number) {
  const top = useSignal(0);
  const height = useSignal(600);
  useLayoutEffect(() => {
    const element = list.current;
    if (element === null) return;
    const measure = () => {
      top.value = element.scrollTop;
      height.value = element.clientHeight;
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener("scroll", measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", measure);
    };
  }, [list, top, height]);

  /** Scrolls just so far that a row is in view; -1 is none. */
  const reveal = (index: number) => {
    const element = list.current;
    if (element === null || index < 0) return;
    const start = index * ROW_HEIGHT_PX;
    const end = start + ROW_HEIGHT_PX;
    if (start < element.scrollTop) element.scrollTop = start;
    else if (end > element.scrollTop + element.clientHeight) element.scrollTop = end - element.clientHeight;
  };
  const first = Math.min(count, Math.max(0, Math.floor(top.value / ROW_HEIGHT_PX) - OVERSCAN));
  const last = Math.min(count, Math.ceil((top.value + height.value) / ROW_HEIGHT_PX) + OVERSCAN);
  return { first, last, reveal };
}
