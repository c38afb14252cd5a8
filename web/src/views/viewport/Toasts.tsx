import { useEffect, useState } from "preact/hooks";
import type { Toast } from "../../store/state";
import { useStudio } from "../../studio/studio";
import { Icon } from "../common/icons";

/** How long a toast is shown at least. */
const MIN_SHOWN_MS = 8_000;
/** For each of its letters: 16 a second is slow reading. */
const PER_LETTER_MS = 60;

/** What the server refused, and notes on what was done, over the picture's foot, for as long as it takes to read. */
export function Toasts() {
  const { toasts } = useStudio().state.value;
  return (
    <div class="toasts" role="status">
      {toasts.map((toast) => (
        <ToastLine key={toast.id} {...toast} />
      ))}
    </div>
  );
}

function ToastLine({ id, text, tone, offer }: Toast) {
  const studio = useStudio();
  const [held, setHeld] = useState(false);
  useEffect(() => {
    if (held) return;
    const timer = setTimeout(
      () => studio.dismissToast(id),
      Math.max(MIN_SHOWN_MS, PER_LETTER_MS * text.length),
    );
    return () => clearTimeout(timer);
  }, [studio, id, text, held]);
  return (
    <div
      class={`toast toast-${tone}`}
      data-testid="toast"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocusIn={() => setHeld(true)}
      onFocusOut={() => setHeld(false)}
    >
      <Icon name={tone === "error" ? "triangleAlert" : "info"} />
      <span class="toast-text">{text}</span>
      {offer !== undefined && (
        <button
          type="button"
          class="button button-small"
          data-testid="toast-offer"
          onClick={() => {
            if (studio.editor.edit(offer.calls)) studio.dismissToast(id);
          }}
        >
          {offer.label}
        </button>
      )}
      <button
        type="button"
        class="button button-icon button-small"
        aria-label="Dismiss"
        onClick={() => studio.dismissToast(id)}
      >
        <Icon name="x" />
      </button>
    </div>
  );
}
