import { useState } from "preact/hooks";
import type { KeyStatus } from "../../connection/server-api";
import { useApiKeys } from "./use-api-keys";

/** Keys for this server: entered, tried at once, removed. Nothing where the server takes none from the page. */
export function KeyForm() {
  const { list, busy, outcome, save, remove } = useApiKeys();
  const [provider, setProvider] = useState("gemini");
  const [key, setKey] = useState("");
  const [remember, setRemember] = useState(false);
  if (list === null) return null;

  const chosen = list.providers.find((status) => status.provider === provider);
  const submit = () => {
    const label = chosen?.label ?? provider;
    if (key.trim() !== "" && !busy) void save({ provider, label, key, remember }, () => setKey(""));
  };
  return (
    <form
      class="key-form"
      data-testid="key-form"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
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
          Save the key on the server, in a file that only the server's user can read
        </label>
      )}
      <button
        type="submit"
        class="button button-outlined"
        data-testid="key-save"
        disabled={busy || key.trim() === ""}
      >
        {busy ? "Testing the key…" : "Save"}
      </button>
      {outcome !== null && (
        <p
          class={outcome.failed ? "error-text" : "muted"}
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
  if (!from_page) return "set in the server's environment";
  const end = ending === null ? "set" : `set, ends with …${ending}`;
  return saved ? `${end}, saved on the server` : `${end}, until the server stops`;
}
