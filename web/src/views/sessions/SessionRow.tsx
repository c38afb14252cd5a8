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
  /** Whether it has the name then. */
  onRename: (name: string) => Promise<boolean>;
}

/** One session of the list; deleting it asks for confirmation in the row. */
export function SessionRow(props: SessionRowProps) {
  const { summary, current, picture, onOpen, onDuplicate, onDelete, onRename } = props;
  const [asking, setAsking] = useState(false);
  const [renaming, setRenaming] = useState(false);
  const row = useRef<HTMLLIElement>(null);
  const wasAsking = useRef(false);
  const name = summary.name || "Untitled";
  useLayoutEffect(() => {
    if (asking) row.current?.querySelector<HTMLElement>(".keep-session")?.focus();
    else if (wasAsking.current) row.current?.querySelector<HTMLElement>(".session-open")?.focus();
    wasAsking.current = asking || renaming;
  }, [asking, renaming]);

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
  if (renaming)
    return (
      <li class="session-row" ref={row}>
        <RenameField name={summary.name} onRename={onRename} onDone={() => setRenaming(false)} />
      </li>
    );
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
        <IconButton icon="pencil" label={`Rename ${name}`} small onClick={() => setRenaming(true)} />
        <IconButton icon="copy" label={`Duplicate ${name}`} small onClick={onDuplicate} />
        <IconButton icon="trash" label={`Delete ${name}`} small onClick={() => setAsking(true)} />
      </span>
    </li>
  );
}

interface RenameFieldProps {
  name: string;
  onRename: (name: string) => Promise<boolean>;
  onDone: () => void;
}

/** What is typed is the name with Enter, or when the field is left; Escape leaves the old one. */
function RenameField({ name, onRename, onDone }: RenameFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  const decided = useRef(false);
  useLayoutEffect(() => field.current?.select(), []);
  const end = async (isKept: boolean) => {
    if (decided.current) return;
    decided.current = true;
    const wanted = field.current?.value.trim() ?? "";
    if (!isKept || wanted === "" || wanted === name || (await onRename(wanted))) onDone();
    // A name that was refused stays in its field.
    else decided.current = false;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing || (event.key !== "Enter" && event.key !== "Escape")) return;
    event.preventDefault();
    event.stopPropagation();
    void end(event.key === "Enter");
  };
  return (
    <input
      ref={field}
      class="field session-rename"
      aria-label={`New name of ${name || "the session"}`}
      data-testid="session-rename"
      maxLength={200}
      defaultValue={name}
      onKeyDown={onKeyDown}
      onBlur={() => void end(true)}
    />
  );
}

function messages(count: number): string {
  return count === 1 ? "1 message" : `${count} messages`;
}
