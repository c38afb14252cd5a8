import { useSignal } from "@preact/signals";
import { Fragment } from "preact";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { type BranchSwitch, switchesOf } from "../branches";
import { resultsOfTurns, type TurnResult } from "../changes";
import type { ShownEntry } from "../chat";
import { useStudio } from "../studio";
import { foldsOf } from "../tool-folds";
import { Entry } from "./Entry";
import { Icon } from "./icons";
import { Outgoing } from "./Outgoing";
import { RunStatus } from "./RunStatus";
import { Starters } from "./Starters";
import { ToolFold } from "./ToolFold";
import { TurnSummary } from "./TurnSummary";

/** Nearer to the end than this, the log follows what is added. */
const FOLLOW_DISTANCE_PX = 48;

export function ChatLog() {
  const { chat, outgoing, running, retrying, session, connection, ...state } = useStudio().state.value;
  const log = useRef<HTMLDivElement>(null);
  const following = useSignal(true);
  const lastTop = useRef(0);
  const empty = chat.length === 0 && outgoing.length === 0;
  const toEnd = () => log.current?.scrollTo({ top: empty ? 0 : log.current.scrollHeight });

  // The reader's own message, and another session, bring the end back into view.
  const sentCount = outgoing.length;
  useLayoutEffect(() => {
    if (sentCount > 0) following.value = true;
  }, [sentCount, following]);
  const sessionId = session?.id;
  useLayoutEffect(() => {
    following.value = true;
  }, [sessionId, following]);
  // Whatever makes the log longer or the window onto it smaller.
  useAtNextFrame(() => {
    if (following.value) toEnd();
  }, [chat, outgoing, running, retrying]);
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
    // Only who goes back leaves the end: it may have moved on since this was scrolled.
    if (isAtEnd) following.value = true;
    else if (scrollTop < lastTop.current) following.value = false;
    lastTop.current = scrollTop;
  };

  const unfolded = useSignal<ReadonlySet<string>>(new Set());
  const toggle = (key: string) => {
    const rows = new Set(unfolded.value);
    if (!rows.delete(key)) rows.add(key);
    unfolded.value = rows;
  };
  const folded = useMemo(
    () => new Map(foldsOf(chat).flatMap((fold) => fold.calls.map((index) => [index, fold] as const))),
    [chat],
  );
  const results = resultsOfTurns(chat, running);
  const { branchList, branch } = state;
  const switches = useMemo(() => switchesOf(branchList, branch), [branchList, branch]);
  return (
    <div class="chat-log-frame">
      {/* Focusable, so that the keyboard can scroll it. */}
      <div
        class="chat-log"
        ref={log}
        role="log"
        aria-label="Messages"
        aria-live="off"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: see above.
        tabIndex={0}
        data-testid="chat-log"
        onScroll={onScroll}
      >
        {empty && state.access === "edit" && (session !== null || connection.phase === "waiting") && (
          <Starters />
        )}
        {chat.map((entry, index) => {
          const fold = folded.get(index);
          const isFirst = fold?.calls[0] === index;
          const isOpen = fold !== undefined && unfolded.value.has(fold.key);
          if (fold !== undefined && !isOpen && !isFirst) return null;
          const parting = entry.kind === "user" ? switches.get(entry.message_id) : undefined;
          return (
            <Fragment key={entryKey(entry, index, parting)}>
              {fold !== undefined && isFirst && (
                <ToolFold fold={fold} open={isOpen} onToggle={() => toggle(fold.key)} />
              )}
              {(fold === undefined || isOpen) && (
                <Entry entry={entry} streaming={running && index === chat.length - 1} parting={parting} />
              )}
              <ResultAt result={results.get(index)} />
            </Fragment>
          );
        })}
        {outgoing.map((message) => (
          <Outgoing key={message.requestId} message={message} />
        ))}
        <RunStatus />
      </div>
      {!following.value && !empty && (
        <button type="button" class="button to-end" onClick={toEnd}>
          <Icon name="arrowDown" />
          Latest
        </button>
      )}
    </div>
  );
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

function ResultAt({ result }: { result: TurnResult | undefined }) {
  return result === undefined ? null : <TurnSummary result={result} />;
}

/** The versions of a message are one place in the log, so that its switch keeps the focus. */
function entryKey(entry: ShownEntry, index: number, parting: BranchSwitch | undefined): string {
  if (parting !== undefined) return `versions-${parting.branches.join("-")}`;
  switch (entry.kind) {
    case "user":
    case "model":
      return `${entry.kind}-${entry.message_id}`;
    case "tool":
      return `tool-${entry.call_id}`;
    default:
      return `${entry.kind}-${index}`;
  }
}
