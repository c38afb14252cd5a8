import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { SessionSummary } from "../../connection/api";
import { relativeTime } from "../../format";
import { IconButton } from "../common/IconButton";

interface SessionRowProps {
  summary: SessionSummary;
  current: boolean;
  /** Where its small picture is. */
  picture: string;
  onOpen: () => void;
  onDuplicate: () => void;
  onDelete: () => void;
}

/** One session of the list; deleting it asks for confirmation in the row. */
export function SessionRow({ summary, current, picture, onOpen, onDuplicate, onDelete }: SessionRowProps) {
  const [asking, setAsking] = useState(false);
  const row = useRef<HTMLLIElement>(null);
  const wasAsking = useRef(false);
  const name = summary.name || "Untitled";
  useLayoutEffect(() => {
    if (asking) row.current?.querySelector<HTMLElement>(".keep-session")?.focus();
    else if (wasAsking.current) row.current?.querySelector<HTMLElement>(".session-open")?.focus();
    wasAsking.current = asking;
  }, [asking]);

  if (asking) {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      setAsking(false);
    };
    return (
      <li class="session-row session-row-asking" ref={row} onKeyDown={onKeyDown}>
        <span class="session-question">Delete “{name}” for good?</span>
        <button
          type="button"
          class="button button-small keep-session"
          aria-label={`Keep ${name}`}
          onClick={() => setAsking(false)}
        >
          Keep
        </button>
        <button
          type="button"
          class="button button-small button-danger"
          aria-label={`Delete ${name} for good`}
          data-testid="confirm-delete"
          onClick={onDelete}
        >
          Delete
        </button>
      </li>
    );
  }
  return (
    <li class="session-row" ref={row} data-testid="session-row">
      <button type="button" class="session-open" aria-current={current ? "page" : undefined} onClick={onOpen}>
        <img
          class="session-picture"
          src={picture}
          alt=""
          width={64}
          height={48}
          loading="lazy"
          decoding="async"
        />
        <span class="session-title">{name}</span>
        <span class="session-facts muted">
          {relativeTime(summary.updated_ms, Date.now())} · {messages(summary.messages)}
          {summary.excerpt !== undefined && <span class="session-excerpt"> · {summary.excerpt}</span>}
        </span>
      </button>
      <span class="quiet-actions">
        <IconButton icon="copy" label={`Duplicate ${name}`} small onClick={onDuplicate} />
        <IconButton icon="trash" label={`Delete ${name}`} small onClick={() => setAsking(true)} />
      </span>
    </li>
  );
}

function messages(count: number): string {
  return count === 1 ? "1 message" : `${count} messages`;
}
