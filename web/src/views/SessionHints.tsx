import type { Panels } from "../panels";
import { useStudio } from "../studio";

/** What is good to know of this server, above the chat. */
export function SessionHints({ panels }: { panels: Panels }) {
  const { model, models, durable } = useStudio().state.value;
  const hasKey = models.some(({ id }) => id !== "offline");
  const isOffline = model === "offline";
  if (!isOffline && durable) return null;
  return (
    <div class="hints">
      {isOffline && (
        <p data-testid="offline-hint">
          {hasKey
            ? "The offline model answers. Others, which understand more, are in the list of models."
            : "The offline model answers: no key is set. It builds common things by itself."}{" "}
          {!hasKey && (
            <button
              type="button"
              class="link"
              data-testid="open-key-help"
              onClick={() => {
                panels.overlay.value = "key";
              }}
            >
              Use a language model
            </button>
          )}
        </p>
      )}
      {!durable && <p data-testid="memory-hint">Sessions of this server end with it.</p>}
    </div>
  );
}
