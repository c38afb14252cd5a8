import { useRef, useState } from "preact/hooks";
import { useStudio } from "../../studio/studio";
import type { FieldEdit } from "./use-property";

interface DraftInputProps<Value> {
  label: string;
  id?: string | undefined;
  /** The value as text, while nobody types. */
  text: string;
  /** The same where there is little room, while the field is not used. */
  short?: string | undefined;
  placeholder?: string | undefined;
  list?: string | undefined;
  /** Id of the text that says what is wrong. */
  errorId: string;
  /** What was typed as a value; a text says why it is none. */
  parse: (text: string) => { value: Value } | { error: string };
  /** The text some steps up from what stands in the field. */
  step?: (text: string, steps: number) => string;
  edit: FieldEdit<Value>;
  onLocalError: (error: string | null) => void;
}

/** A line to type a value into: Enter and leaving commit, Escape takes back and then leaves, arrow keys step. */
export function DraftInput<Value>(props: DraftInputProps<Value>) {
  const { label, id, text, short, placeholder, list, errorId, parse, step, edit, onLocalError } = props;
  const studio = useStudio();
  const field = useRef<HTMLInputElement>(null);
  const [draft, setDraft] = useState<string | null>(null);
  const [wrong, setWrong] = useState(false);
  const [used, setUsed] = useState(false);

  const say = (error: string | null) => {
    setWrong(error !== null);
    onLocalError(error);
  };
  const commit = () => {
    if (draft === null) return;
    const parsed = draft === text ? null : parse(draft);
    if (parsed !== null && "error" in parsed) return say(parsed.error);
    setDraft(null);
    say(null);
    if (parsed !== null) edit.commit(parsed.value);
  };
  const takeBack = () => {
    setDraft(null);
    say(null);
    edit.dismiss();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    const steps = event.key === "ArrowUp" ? 1 : event.key === "ArrowDown" ? -1 : 0;
    if (event.key === "Enter") {
      commit();
      field.current?.select();
    } else if (event.key === "Escape" && (draft !== null || wrong || edit.error !== null)) takeBack();
    else if (event.key === "Escape") field.current?.blur();
    else if (steps !== 0 && step !== undefined) {
      setDraft(step(draft ?? text, steps * (event.shiftKey ? 100 : 10)));
    } else if (isUndo(event) && draft === null) {
      // Nothing was typed that the field itself could take back.
      if (event.shiftKey) studio.redo();
      else studio.undo();
    } else return;
    event.preventDefault();
  };
  return (
    <input
      ref={field}
      id={id}
      class="draft-input numeric"
      aria-label={label}
      aria-invalid={wrong || edit.error !== null}
      aria-describedby={wrong || edit.error !== null ? errorId : undefined}
      autocomplete="off"
      spellcheck={false}
      placeholder={placeholder}
      // A long value is cut off by its field.
      title={text}
      list={list}
      disabled={edit.disabled}
      value={draft ?? (used ? text : (short ?? text))}
      onFocus={(event) => {
        const { currentTarget } = event;
        if (short !== undefined && draft === null) currentTarget.value = text;
        setUsed(true);
        currentTarget.select();
      }}
      onInput={(event) => setDraft(event.currentTarget.value)}
      onKeyDown={onKeyDown}
      onBlur={() => {
        setUsed(false);
        commit();
      }}
    />
  );
}

function isUndo(event: KeyboardEvent): boolean {
  return (event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === "z";
}
