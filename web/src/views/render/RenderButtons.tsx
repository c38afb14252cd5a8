import { useLayoutEffect, useRef } from "preact/hooks";

interface RenderButtonsProps {
  /** The beginning of their test ids. */
  name: string;
  rendering: boolean;
  /** Why nothing can be rendered; null where it can. */
  problem: string | null;
  onCancel: () => void;
}

/** Starts or cancels what is rendered, and says why it cannot be started. */
export function RenderButtons({ name, rendering, problem, onCancel }: RenderButtonsProps) {
  // One button takes the other's place, and its focus.
  const button = useRef<HTMLButtonElement>(null);
  const before = useRef(rendering);
  useLayoutEffect(() => {
    if (before.current !== rendering && !document.activeElement?.matches("input, select"))
      button.current?.focus();
    before.current = rendering;
  }, [rendering]);
  return (
    <div class="render-buttons">
      {rendering ? (
        <button
          key="cancel"
          ref={button}
          type="button"
          class="button button-outlined"
          data-testid={`${name}-cancel`}
          onClick={onCancel}
        >
          Cancel
        </button>
      ) : (
        <button
          key="render"
          ref={button}
          type="submit"
          // Enter renders; without this the first control has the focus, which closes the window.
          autofocus
          class="button button-primary"
          data-testid={`${name}-start`}
          disabled={problem !== null}
        >
          Render
        </button>
      )}
    </div>
  );
}

export function RenderProblem({ problem }: { problem: string | null }) {
  if (problem === null) return null;
  return (
    <p class="error-text" role="alert">
      {problem}
    </p>
  );
}
