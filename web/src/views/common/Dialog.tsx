import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

interface DialogProps {
  label: string;
  class: string;
  testId: string;
  onClose: () => void;
  children: ComponentChildren;
}

/** A window over the page that keeps the focus: Escape and a press beside it close it. */
export function Dialog({ label, class: className, testId, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    // Closing returns the focus to where it was.
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      class={`dialog ${className}`}
      aria-label={label}
      data-testid={testId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onKeyDown={(event) => event.stopPropagation()}
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      {children}
    </dialog>
  );
}
