import { useEffect, useRef, useState } from "preact/hooks";
import type { Chat } from "../../chat/entries";
import { useStudio } from "../../studio/studio";

/**
 * Speaks a finished answer to screen readers. The streaming text itself is not live: it would be read out
 * piece by piece.
 */
export function Announcer() {
  const { running, chat, connection } = useStudio().state.value;
  const [spoken, setSpoken] = useState("");
  const wasRunning = useRef(running);
  useEffect(() => {
    if (wasRunning.current && !running) setSpoken(answer(chat));
    wasRunning.current = running;
  }, [running, chat]);
  useEffect(() => {
    if (connection.phase === "waiting") setSpoken("Connection lost. Trying again.");
  }, [connection.phase]);
  return (
    <div class="visually-hidden" aria-live="polite">
      {spoken}
    </div>
  );
}

/** What was said since the user's last message. */
function answer(chat: Chat): string {
  const start = chat.findLastIndex((entry) => entry.kind === "user");
  return chat
    .slice(start + 1)
    .flatMap((entry) => (entry.kind === "model" || entry.kind === "notice" ? [entry.text] : []))
    .join("\n");
}
