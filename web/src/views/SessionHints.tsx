import { useStudio } from "../studio";

/** What is good to know of this server, above the chat. */
export function SessionHints() {
  const { model, durable } = useStudio().state.value;
  if (model !== "offline" && durable) return null;
  return (
    <div class="hints">
      {model === "offline" && (
        <p data-testid="offline-hint">
          Offline model: no key is set. Start the server with <code>GEMINI_API_KEY</code>,{" "}
          <code>ANTHROPIC_API_KEY</code> or <code>OPENAI_API_KEY</code> for full answers.
        </p>
      )}
      {!durable && <p data-testid="memory-hint">Sessions of this server end with it.</p>}
    </div>
  );
}
