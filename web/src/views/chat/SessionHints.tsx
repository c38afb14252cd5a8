import type { Panels } from "../../panels";
import { useStudio } from "../../studio/studio";

/** What is good to know of this server, above the chat. */
export function SessionHints({ panels }: { panels: Panels }) {
  const { access, model, models, durable } = useStudio().state.value;
  const hasKey = models.some(({ id }) => id !== "offline");
  // Which model answers is the owner's choice.
  const isOffline = model === "offline" && access === "edit";
  if (!isOffline && durable) return null;
  return (
    <div class="hints">
      {isOffline && (
        <p data-testid="offline-hint">
          {hasKey
            ? "The offline model answers. More capable models are in the model list."
            : "The offline model answers: no API key is set. It can build common objects."}{" "}
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
      {!durable && (
        <p data-testid="memory-hint">This server does not save sessions: they end when it stops.</p>
      )}
    </div>
  );
}
