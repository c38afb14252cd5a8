import { focusComposer } from "../views/composer/composer-field";
import type { Action, Workbench } from "./action";

/** What one does with the model. */
export function conversationActions({ studio, panels }: Workbench): Action[] {
  const { running, connection, models, model } = studio.state.value;
  const offline = connection.phase === "open" ? undefined : "not connected";
  return [
    {
      id: "write",
      section: "Conversation",
      label: "Write a message",
      keywords: "chat composer focus say",
      keys: [{ key: "/" }],
      run: () => {
        panels.setChat(true);
        panels.uncoverChat();
        // The panel may have to be drawn first.
        requestAnimationFrame(focusComposer);
      },
    },
    {
      id: "stop",
      section: "Conversation",
      label: "Stop the model",
      keywords: "cancel halt",
      keys: [{ key: "escape" }],
      unavailable: offline ?? (running ? undefined : "the model is not running"),
      run: () => studio.conversation.stop(),
    },
    {
      id: "goal",
      section: "Conversation",
      label: "Set a goal",
      keywords: "result plan criteria workflow task",
      unavailable: offline,
      run: () => {
        studio.goals.composing.value = true;
        panels.setChat(true);
        panels.uncoverChat();
        requestAnimationFrame(focusComposer);
      },
    },
    {
      id: "key",
      section: "Conversation",
      label: "Set up API keys",
      keywords: "language model key gemini claude gpt openai anthropic ollama service",
      run: () => {
        panels.overlay.value = "key";
      },
    },
    ...models
      .filter(({ id }) => id !== model)
      .map(
        ({ id, label, note }): Action => ({
          id: `model_${id}`,
          section: "Conversation",
          label: `Use the model ${label}`,
          keywords: `switch select ${note ?? ""}`,
          unavailable: offline,
          run: () => studio.conversation.selectModel(id),
        }),
      ),
  ];
}
