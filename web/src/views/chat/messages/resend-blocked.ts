import type { StudioState } from "../../../store/state";

/** Why the conversation cannot go another way now; undefined when it can. */
export function resendBlocked(state: StudioState): string | undefined {
  if (state.connection.phase !== "open") return "not connected";
  return state.running ? "the model is still running" : undefined;
}
