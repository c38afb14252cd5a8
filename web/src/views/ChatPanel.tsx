import { useSignal } from "@preact/signals";
import { useStudio } from "../studio";
import { ChatLog } from "./ChatLog";
import { Composer } from "./Composer";
import { RetryBanner } from "./RetryBanner";

export function ChatPanel() {
  const draft = useSignal("");
  const { model } = useStudio().state.value;
  return (
    <section class="chat" aria-label="Conversation">
      {model === "offline" && (
        <p class="offline-hint" data-testid="offline-hint">
          Offline model: no key is set. Start the server with <code>GEMINI_API_KEY</code> for full answers.
        </p>
      )}
      <ChatLog draft={draft} />
      <RetryBanner />
      <Composer draft={draft} />
    </section>
  );
}
