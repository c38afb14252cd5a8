import { useEffect, useState } from "preact/hooks";
import { errorMessage } from "../../connection/http";
import type { KeyList, KeyStatus } from "../../connection/server-api";
import { useStudio } from "../../studio/studio";

/** What is shown after a key was tried. */
interface Outcome {
  text: string;
  failed: boolean;
}

interface NewKey {
  provider: string;
  /** The provider's name. */
  label: string;
  key: string;
  /** Whether it is saved on the server. */
  remember: boolean;
}

/** The server's keys; the list is null where it takes none from the page. */
export function useApiKeys() {
  const { api, conversation, state } = useStudio();
  const [list, setList] = useState<KeyList | null>(null);
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<Outcome | null>(null);

  const load = async () => setList(await api.server.keys().catch(() => null));
  useEffect(() => void load(), []);

  const act = async (action: () => Promise<Outcome>) => {
    setBusy(true);
    try {
      const done = await action();
      // What is told is what the list shows.
      await load();
      setOutcome(done);
    } catch (error) {
      setOutcome({ text: sentence(errorMessage(error)), failed: true });
    } finally {
      setBusy(false);
    }
  };
  const save = ({ provider, label, key, remember }: NewKey, onSaved: () => void) =>
    act(async () => {
      const test = await api.server.setKey(provider, key, remember);
      onSaved();
      await conversation.refreshModels();
      // A new key is meant to be used.
      if (state.value.model === "offline") conversation.selectModel(test.default);
      return { text: outcomeText(label, test), failed: test.problem !== null };
    });
  const remove = ({ provider, label }: KeyStatus) =>
    act(async () => {
      await api.server.removeKey(provider);
      await conversation.refreshModels();
      return { text: `The key for ${label} is removed.`, failed: false };
    });
  return { list, busy, outcome, save, remove };
}

export function outcomeText(label: string, test: { models: number | null; problem: string | null }): string {
  if (test.models === null) return `The key is set, but ${label} could not be reached: ${test.problem}`;
  const count = test.models === 1 ? "1 model" : `${test.models} models`;
  const works = `The key works: ${label} offers ${count}.`;
  return test.problem === null ? works : `${works} But ${test.problem}`;
}

/** The server's words as a sentence. */
function sentence(text: string): string {
  const start = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(start) ? start : `${start}.`;
}
