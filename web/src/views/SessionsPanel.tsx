import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { reasonOf, type SessionSummary } from "../api";
import { sessionFileName } from "../files";
import { useStudio } from "../studio";
import { FilePicker } from "./FilePicker";
import { Icon } from "./icons";
import { SessionRow } from "./SessionRow";

/** Long enough for the next key, short enough not to be noticed. */
const TYPING_PAUSE_MS = 120;

/** All sessions of the server, where it tells of them, and what can be done with the shown one. */
export function SessionsPanel({ close }: { close: () => void }) {
  const studio = useStudio();
  const { name, session, chat } = studio.state.value;
  const [words, setWords] = useState("");
  const [list, setList] = useState<SessionSummary[] | null>(null);
  const [trouble, setTrouble] = useState<string | null>(null);
  const search = useRef<HTMLInputElement>(null);
  const rows = useRef<HTMLUListElement>(null);
  const asked = useRef(0);

  const refresh = useCallback(async () => {
    asked.current += 1;
    const turn = asked.current;
    const found = await studio.api.list(words).catch((error: unknown) => reasonOf(error));
    // An answer to words that have changed since comes too late.
    if (turn !== asked.current) return;
    setTrouble(typeof found === "string" ? found : null);
    setList(typeof found === "string" ? [] : found);
  }, [studio, words]);
  useEffect(() => {
    const timer = setTimeout(() => void refresh(), words === "" ? 0 : TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [refresh, words]);

  const open = (sessionId: string | null) => {
    close();
    if (sessionId === null || sessionId !== session?.id) studio.openSession(sessionId);
  };
  const duplicate = (sessionId: string) =>
    void studio.attempt("The session could not be copied", async () => {
      open(await studio.api.duplicate(sessionId));
    });
  const remove = async (sessionId: string) => {
    if (await studio.deleteSession(sessionId)) await refresh();
    search.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const stops = [search.current, ...(rows.current?.querySelectorAll<HTMLElement>(".session-open") ?? [])];
    const at = stops.indexOf(document.activeElement as HTMLInputElement);
    stops[Math.min(stops.length - 1, Math.max(0, at + step))]?.focus();
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrow keys move between the search and the list.
    <div class="sessions" onKeyDown={onKeyDown}>
      <input
        ref={search}
        type="search"
        class="field"
        placeholder="Search sessions"
        aria-label="Search sessions"
        data-testid="session-search"
        value={words}
        onInput={(event) => setWords(event.currentTarget.value)}
      />
      <p class="sessions-note muted" role="status">
        {trouble ?? (list?.length === 0 && (words === "" ? "No sessions yet." : "Nothing found."))}
      </p>
      <ul class="session-list" ref={rows}>
        {list?.map((summary) => (
          <SessionRow
            key={summary.session_id}
            summary={summary}
            picture={studio.api.thumbnailAddress(summary.session_id)}
            current={summary.session_id === session?.id}
            onOpen={() => open(summary.session_id)}
            onDuplicate={() => duplicate(summary.session_id)}
            onDelete={() => void remove(summary.session_id)}
          />
        ))}
      </ul>
      <div class="sessions-foot">
        <button type="button" class="button" data-testid="new-session" onClick={() => open(null)}>
          <Icon name="plus" />
          New
        </button>
        <FilePicker onFile={(file) => void studio.intake.importSession(file).then(close)} />
        <button
          type="button"
          class="button"
          data-testid="export-session"
          title="Save this session as a file"
          disabled={chat.length === 0}
          onClick={() => void studio.download("export", sessionFileName(name))}
        >
          <Icon name="download" />
          Export
        </button>
      </div>
    </div>
  );
}
