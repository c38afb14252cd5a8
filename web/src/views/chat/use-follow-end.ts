import { type ReadonlySignal, useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/** Nearer to the end than this, the log follows what is added. */
const FOLLOW_DISTANCE_PX = 48;

interface Followed {
  /** How many messages of the user are on their way. */
  sentCount: number;
  sessionId: string | undefined;
  /** Whatever makes the log longer. */
  changes: readonly unknown[];
}

/** Keeps the end of a growing log in view until the reader scrolls back. */
export function useFollowEnd(
  log: RefObject<HTMLElement | null>,
  empty: boolean,
  { sentCount, sessionId, changes }: Followed,
): { following: ReadonlySignal<boolean>; toEnd: () => void; onScroll: () => void } {
  const following = useSignal(true);
  const lastTop = useRef(0);
  const toEnd = () => log.current?.scrollTo({ top: empty ? 0 : log.current.scrollHeight });

  // The reader's own message, and another session, bring the end back into view.
  useLayoutEffect(() => {
    if (sentCount > 0) following.value = true;
  }, [sentCount, following]);
  useLayoutEffect(() => {
    following.value = true;
  }, [sessionId, following]);
  useAtNextFrame(() => {
    if (following.value) toEnd();
  }, changes);
  // The window onto the log may become smaller, too.
  useLayoutEffect(() => {
    if (log.current === null) return;
    const observer = new ResizeObserver(() => {
      if (following.value) toEnd();
    });
    observer.observe(log.current);
    return () => observer.disconnect();
  }, [empty]);

  const onScroll = () => {
    if (log.current === null || empty) return;
    const { scrollHeight, scrollTop, clientHeight } = log.current;
    const isAtEnd = scrollHeight - scrollTop - clientHeight < FOLLOW_DISTANCE_PX;
    // Only scrolling back leaves the end: it may have moved on since this was scrolled.
    if (isAtEnd) following.value = true;
    else if (scrollTop < lastTop.current) following.value = false;
    lastTop.current = scrollTop;
  };
  return { following, toEnd, onScroll };
}

/** Once a frame, however often it changed by then: asking how long the log is has all of it laid out. */
function useAtNextFrame(action: () => void, changes: readonly unknown[]): void {
  const newest = useRef(action);
  newest.current = action;
  const frame = useRef(0);
  useLayoutEffect(() => {
    if (frame.current !== 0) return;
    frame.current = requestAnimationFrame(() => {
      frame.current = 0;
      newest.current();
    });
  }, changes);
  useLayoutEffect(() => () => cancelAnimationFrame(frame.current), []);
}
