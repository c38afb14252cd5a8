import type { StudioState, Toast, ToastOffer } from "./state";

/** Of older ones nobody reads any more. */
const MAX_TOASTS = 3;

/** With a sentence over the picture; a note that is there already is not told again. */
export function addToast(
  state: StudioState,
  text: string,
  tone: Toast["tone"] = "error",
  offer?: ToastOffer,
): StudioState {
  const id = (state.toasts.at(-1)?.id ?? 0) + 1;
  const others = tone === "note" ? state.toasts.filter((toast) => toast.text !== text) : state.toasts;
  return {
    ...state,
    toasts: [...others.slice(1 - MAX_TOASTS), { id, text, tone, ...(offer !== undefined && { offer }) }],
  };
}
