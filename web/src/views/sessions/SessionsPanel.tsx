import { useRef } from "preact/hooks";
import { showExamples } from "../../actions/sessions";
import type { Panels } from "../../panels";
import { useStudio } from "../../studio/studio";
import { Icon } from "../common/icons";
import { focusComposer } from "../composer/composer-field";
import { FilePicker } from "./FilePicker";
import { SessionRow } from "./SessionRow";
import { useSessionSearch } from "./use-session-search";

/** The sessions of the server, where it lists them, and actions on the shown one. */
export function SessionsPanel({ panels, close }: { panels: Panels; close: () => void }) {
  const studio = useStudio();
  const { session, chat, access } = studio.state.value;
  // Who was given a link to look at one session is shown no others.
  const isGuest = access === "view";
  const { words, setWords, list, failure, refresh } = useSessionSearch(!isGuest);
  const search = useRef<HTMLInputElement>(null);
  const rows = useRef<HTMLUListElement>(null);

  const open = (sessionId: string | null) => {
    close();
    if (sessionId === null || sessionId !== session?.id) studio.sessions.open(sessionId);
    if (sessionId === null) requestAnimationFrame(focusComposer);
  };
  const duplicate = (sessionId: string) =>
    void studio.attempt("The session could not be copied", async () => {
      open(await studio.api.duplicate(sessionId));
    });
  const rename = async (sessionId: string, name: string) => {
    const isSaved = await studio.attempt("The name was not saved", () => studio.api.rename(sessionId, name));
    if (isSaved) await refresh();
    return isSaved;
  };
  const remove = async (sessionId: string) => {
    if (await studio.sessions.delete(sessionId)) await refresh();
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
      {isGuest ? (
        <p class="sessions-note muted">You are viewing this session by a link.</p>
      ) : (
        <>
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
            {failure ?? (list?.length === 0 && (words === "" ? "No sessions yet." : "No results."))}
          </p>
          <ul class="session-list" ref={rows}>
            {list?.map((summary) => (
              <SessionRow
                key={summary.session_id}
                summary={summary}
                picture={studio.api.thumbnailUrl(summary.session_id)}
                current={summary.session_id === session?.id}
                onOpen={() => open(summary.session_id)}
                onDuplicate={() => duplicate(summary.session_id)}
                onDelete={() => void remove(summary.session_id)}
                onRename={(name) => rename(summary.session_id, name)}
              />
            ))}
          </ul>
        </>
      )}
      <div class="sessions-foot">
        <button type="button" class="button" data-testid="new-session" onClick={() => open(null)}>
          <Icon name="plus" />
          New scene
        </button>
        {!isGuest && (
          <button
            type="button"
            class="button"
            data-testid="show-examples"
            title="Scenes to open, in a new session"
            onClick={() => {
              close();
              showExamples({ studio, panels });
            }}
          >
            Examples
          </button>
        )}
        <FilePicker onFile={(file) => void studio.fileOpener.importSession(file).then(close)} />
        <button
          type="button"
          class="button"
          data-testid="export-session"
          title="Save this session as a file"
          disabled={chat.length === 0}
          onClick={() => void studio.downloads.session()}
        >
          <Icon name="download" />
          Export
        </button>
      </div>
    </div>
  );
}
