import type { StudioState } from "../store";

/** Why the conversation cannot go another way now; undefined when it can. */
export function whyNot(state: StudioState): string | undefined {
  if (state.connection.phase !== "open") return "not connected";
  return state.running ? "once the model is done or stopped" : undefined;
}
