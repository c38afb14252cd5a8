import { useEffect, useState } from "preact/hooks";
import { type KeyList, type KeyStatus, reasonOf } from "../../api";
import { useStudio } from "../../studio";

/** What is said after a key was tried. */
interface Outcome {
  text: string;
  failed: boolean;
}

/** Keys for this server: entered, tried at once, taken back. Nothing where the server takes none from the page. */
export function KeyForm() {
  const studio = useStudio();
  const [list, setList] = useState<KeyList | null>(null);
  const [provider, setProvider] = useState("gemini");
  const [key, setKey] = useState("");
  const [remember, setRemember] = useState(false);
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<Outcome | null>(null);

  const load = async () => setList(await studio.api.keys().catch(() => null));
  useEffect(() => void load(), []);
  if (list === null) return null;

  const chosen = list.providers.find((status) => status.provider === provider);
  const act = async (action: () => Promise<Outcome>) => {
    setBusy(true);
    try {
      setOutcome(await action());
      await Promise.all([load(), studio.listModels()]);
    } catch (error) {
      setOutcome({ text: `${sentence(reasonOf(error))}`, failed: true });
    } finally {
      setBusy(false);
    }
  };
  const save = () =>
    act(async () => {
      const test = await studio.api.setKey(provider, key, remember);
      setKey("");
      await studio.listModels();
      // Whoever brings a key wants an answer by it.
      if (studio.state.value.model === "offline") studio.selectModel(test.default);
      return { text: outcomeText(chosen?.label ?? provider, test), failed: test.problem !== null };
    });
  const remove = ({ provider: name, label }: KeyStatus) =>
    act(async () => {
      await studio.api.removeKey(name);
      return { text: `The key for ${label} is removed.`, failed: false };
    });

  return (
    <form
      class="key-form"
      data-testid="key-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (key.trim() !== "" && !busy) void save();
      }}
    >
      <label class="model-setting">
        <span>Provider</span>
        <select
          class="button button-outlined"
          data-testid="key-provider"
          value={provider}
          onChange={(event) => setProvider(event.currentTarget.value)}
        >
          {list.providers.map((status) => (
            <option key={status.provider} value={status.provider} disabled={status.set && !status.from_page}>
              {status.label}
            </option>
          ))}
        </select>
      </label>
      <label class="model-setting">
        <span>
          Key{" "}
          {chosen !== undefined && (
            <a href={chosen.key_page} target="_blank" rel="noopener noreferrer">
              get one
            </a>
          )}
        </span>
        <input
          class="field"
          type="password"
          autocomplete="off"
          spellcheck={false}
          data-testid="key-field"
          value={key}
          onInput={(event) => setKey(event.currentTarget.value)}
        />
      </label>
      {list.can_remember && (
        <label class="key-remember">
          <input
            type="checkbox"
            checked={remember}
            onChange={(event) => setRemember(event.currentTarget.checked)}
          />
          Keep it after a restart, in a file on the server that only its user can read
        </label>
      )}
      <button
        type="submit"
        class="button button-outlined"
        data-testid="key-save"
        disabled={busy || key.trim() === ""}
      >
        {busy ? "Trying the key…" : "Save"}
      </button>
      {outcome !== null && (
        <p
          class={outcome.failed ? "trouble" : "muted"}
          role={outcome.failed ? "alert" : "status"}
          data-testid="key-outcome"
        >
          {outcome.text}
        </p>
      )}
      <KeyRows
        keys={list.providers.filter((status) => status.set)}
        busy={busy}
        onRemove={(it) => void remove(it)}
      />
    </form>
  );
}

interface KeyRowsProps {
  keys: readonly KeyStatus[];
  busy: boolean;
  onRemove: (status: KeyStatus) => void;
}

/** The providers that have a key. */
function KeyRows({ keys, busy, onRemove }: KeyRowsProps) {
  if (keys.length === 0) return null;
  return (
    <ul class="key-rows" aria-label="Keys">
      {keys.map((status) => (
        <li key={status.provider} data-testid={`key-of-${status.provider}`}>
          <span>
            {status.label}: {statusText(status)}
          </span>
          {status.from_page && (
            <button
              type="button"
              class="link"
              aria-label={`Remove the key for ${status.label}`}
              disabled={busy}
              onClick={() => onRemove(status)}
            >
              Remove
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}

export function statusText({ from_page, saved, ending }: KeyStatus): string {
  if (!from_page) return "set where the server is started";
  const end = ending === null ? "set" : `set, ends with …${ending}`;
  return saved ? `${end}, kept after a restart` : `${end}, until the server stops`;
}

export function outcomeText(label: string, test: { models: number | null; problem: string | null }): string {
  if (test.models === null) return `The key is kept, but ${label} could not be asked: ${test.problem}`;
  const count = test.models === 1 ? "1 model" : `${test.models} models`;
  const works = `The key works: ${label} offers ${count}.`;
  return test.problem === null ? works : `${works} But ${test.problem}`;
}

/** The server's words as a sentence. */
function sentence(text: string): string {
  const start = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(start) ? start : `${start}.`;
}
