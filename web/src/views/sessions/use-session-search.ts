import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { SessionSummary } from "../../connection/api";
import { errorMessage } from "../../connection/http";
import { useStudio } from "../../studio/studio";

/** Long enough for the next key, short enough not to be noticed. */
const TYPING_PAUSE_MS = 120;

/**
 * The sessions that contain the words that are being typed; `failure` says why they could not be listed. Without
 * `enabled` none are asked for.
 */
export function useSessionSearch(enabled: boolean) {
  const studio = useStudio();
  const [words, setWords] = useState("");
  const [list, setList] = useState<SessionSummary[] | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const lastRequest = useRef(0);

  const refresh = useCallback(async () => {
    lastRequest.current += 1;
    const request = lastRequest.current;
    const found = await studio.api.list(words).catch((error: unknown) => errorMessage(error));
    // An answer for words that have changed since comes too late.
    if (request !== lastRequest.current) return;
    setFailure(typeof found === "string" ? found : null);
    setList(typeof found === "string" ? [] : found);
  }, [studio, words]);
  useEffect(() => {
    if (!enabled) return;
    const timer = setTimeout(() => void refresh(), words === "" ? 0 : TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [refresh, words, enabled]);
  return { words, setWords, list, failure, refresh };
}
