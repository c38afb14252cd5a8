import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { useStudio } from "../../studio/studio";

/** What the session is called; a click, or Enter, makes it a field. */
export function SessionName() {
  const studio = useStudio();
  const { name, access, session } = studio.state.value;
  const [draft, setDraft] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const backToButton = useRef(false);
  /** False from the moment that decides: what leaves the page may still lose its focus. */
  const undecided = useRef(false);
  const editing = draft !== null;
  const shown = name || "Untitled";

  useEffect(() => {
    document.title = name === "" ? "scene-llm" : `${name} – scene-llm`;
  }, [name]);
  // Another session, another name.
  const sessionId = session?.id;
  useEffect(() => setDraft(null), [sessionId]);
  useLayoutEffect(() => {
    undecided.current = editing;
    if (editing) field.current?.select();
    else if (backToButton.current) button.current?.focus();
    backToButton.current = false;
  }, [editing]);

  const close = (byKey: boolean) => {
    undecided.current = false;
    // Who has gone on to another place, while the name was saved, types there.
    backToButton.current = byKey && document.activeElement === field.current;
    setDraft(null);
  };
  const save = async (byKey: boolean) => {
    if (!undecided.current) return;
    undecided.current = false;
    const wanted = draft?.trim() ?? "";
    if (sessionId === undefined || wanted === "" || wanted === name) return close(byKey);
    const saved = await studio.attempt("The name was not saved", () => studio.api.rename(sessionId, wanted));
    // A name that was refused stays in its field.
    if (saved) close(byKey);
    else undecided.current = true;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    if (event.key === "Escape") close(true);
    else if (event.key === "Enter") void save(true);
    else return;
    event.preventDefault();
  };

  if (access === "view" || session === null) return <span class="session-name">{session && shown}</span>;
  if (draft !== null) {
    return (
      <input
        ref={field}
        class="session-name session-name-field"
        aria-label="Name of the session"
        data-testid="session-name-field"
        maxLength={200}
        value={draft}
        onInput={(event) => setDraft(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        onBlur={() => void save(false)}
      />
    );
  }
  return (
    <button
      ref={button}
      type="button"
      class="session-name"
      title="Rename the session"
      aria-label={`Rename the session: ${shown}`}
      data-testid="session-name"
      onClick={() => setDraft(name)}
    >
      {shown}
    </button>
  );
}
