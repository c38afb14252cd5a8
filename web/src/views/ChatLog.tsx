import { type Signal, useSignal } from "@preact/signals";
import { Fragment } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { changesOfRuns } from "../changes";
import type { ShownEntry } from "../chat";
import { useStudio } from "../studio";
import { ChangeSummary } from "./ChangeLine";
import { Entry } from "./Entry";
import { Icon } from "./icons";
import { Outgoing } from "./Outgoing";
import { RunStatus } from "./RunStatus";
import { Starters } from "./Starters";

/** Nearer to the end than this, the log follows what is added. */
const FOLLOW_DISTANCE_PX = 48;

export function ChatLog({ draft }: { draft: Signal<string> }) {
  const { chat, outgoing, running, retrying, session, connection } = useStudio().state.value;
  const log = useRef<HTMLDivElement>(null);
  const following = useSignal(true);
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
  useLayoutEffect(() => {
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
    following.value = scrollHeight - scrollTop - clientHeight < FOLLOW_DISTANCE_PX;
  };

  const changes = changesOfRuns(chat, running);
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
        {empty && (session !== null || connection.phase === "waiting") && <Starters />}
        {chat.map((entry, index) => (
          <Fragment key={entryKey(entry, index)}>
            <Entry entry={entry} streaming={running && index === chat.length - 1} />
            <ChangeSummary by="model" changes={changes.get(index) ?? []} />
          </Fragment>
        ))}
        {outgoing.map((message) => (
          <Outgoing key={message.requestId} message={message} draft={draft} />
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

function entryKey(entry: ShownEntry, index: number): string {
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
