import { useSignal } from "@preact/signals";
import { Fragment } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { type BranchSwitch, switchesOf } from "../../chat/branches";
import { type TurnResult, turnResults } from "../../chat/changes";
import type { Chat, ShownEntry } from "../../chat/entries";
import { type HandWork as HandWorkRow, handWork } from "../../chat/hand-work";
import { stepFolds } from "../../chat/step-folds";
import { toolFolds } from "../../chat/tool-folds";
import type { ChangedEntry } from "../../protocol";
import type { OutgoingMessage } from "../../store/state";
import { useStudio } from "../../studio/studio";
import { Icon } from "../common/icons";
import { FollowUps } from "../starters/FollowUps";
import { Starters } from "../starters/Starters";
import { HandWork } from "./ChangeLine";
import { Entry } from "./Entry";
import { hasMarkdown, loadMarkdown } from "./messages/Markdown";
import { Outgoing } from "./messages/Outgoing";
import { RunStatus } from "./RunStatus";
import { ToolFold } from "./ToolFold";
import { TurnSummary } from "./TurnSummary";
import { useFollowEnd } from "./use-follow-end";

export function ChatLog() {
  const { chat, outgoing, running, retrying, session, connection, ...state } = useStudio().state.value;
  const log = useRef<HTMLDivElement>(null);
  const empty = chat.length === 0 && outgoing.length === 0;
  const { following, toEnd, onScroll } = useFollowEnd(log, empty, {
    sentCount: outgoing.length,
    sessionId: session?.id,
    changes: [chat, outgoing, running, retrying, hasMarkdown()],
  });
  // From the first message on, while the model still thinks; after a failure with the next one.
  useEffect(() => {
    if (!empty) loadMarkdown();
  }, [empty, chat.length]);

  const unfolded = useSignal<ReadonlySet<string>>(new Set());
  const toggle = (key: string) => {
    const rows = new Set(unfolded.value);
    if (!rows.delete(key)) rows.add(key);
    unfolded.value = rows;
  };
  const folded = useMemo(
    () =>
      new Map(
        [...toolFolds(chat), ...stepFolds(chat, running)].flatMap((fold) =>
          fold.calls.map((index) => [index, fold] as const),
        ),
      ),
    [chat, running],
  );
  const handLines = useMemo(
    () => new Map(handWork(chat).flatMap((row) => indices(row).map((index) => [index, row] as const))),
    [chat],
  );
  const results = turnResults(chat, running);
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
          const above = outgoing.filter(({ place }) => place === index);
          if (fold !== undefined && !isOpen && !isFirst && above.length === 0) return null;
          const row = handLines.get(index);
          if (row !== undefined && row.start !== index && above.length === 0) return null;
          const fork = entry.kind === "user" ? switches.get(entry.message_id) : undefined;
          return (
            <Fragment key={entryKey(entry, index, fork)}>
              <OutgoingList messages={above} />
              {fold !== undefined && isFirst && (
                <ToolFold fold={fold} open={isOpen} onToggle={() => toggle(fold.key)} />
              )}
              {row !== undefined && row.start === index && <HandWork entries={changesOf(chat, row)} />}
              {row === undefined && (fold === undefined || isOpen) && (
                <Entry entry={entry} streaming={running && index === chat.length - 1} fork={fork} />
              )}
              <ResultAt result={results.get(index)} />
            </Fragment>
          );
        })}
        <OutgoingList messages={outgoing.filter(({ place = chat.length }) => place >= chat.length)} />
        <FollowUps />
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

function indices({ start, end }: HandWorkRow): number[] {
  return Array.from({ length: end - start }, (_, at) => start + at);
}

function changesOf(chat: Chat, { start, end }: HandWorkRow): ChangedEntry[] {
  return chat.slice(start, end).filter((entry): entry is ChangedEntry => entry.kind === "changed");
}

function OutgoingList({ messages }: { messages: readonly OutgoingMessage[] }) {
  return (
    <>
      {messages.map((message) => (
        <Outgoing key={message.requestId} message={message} />
      ))}
    </>
  );
}

function ResultAt({ result }: { result: TurnResult | undefined }) {
  return result === undefined ? null : <TurnSummary result={result} />;
}

/** The versions of a message are one place in the log, so that its switch keeps the focus. */
function entryKey(entry: ShownEntry, index: number, fork: BranchSwitch | undefined): string {
  if (fork !== undefined) return `versions-${fork.branches.join("-")}`;
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
