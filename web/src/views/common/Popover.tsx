import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { useStudio } from "../../studio/studio";
import { Icon, type IconName } from "./icons";

interface PopoverProps {
  testId: string;
  label: string;
  icon: IconName;
  /** The edge of the button that the panel keeps to. */
  side: "start" | "end";
  disabled?: boolean;
  children: (close: () => void) => ComponentChildren;
}

/** A button with a panel: Escape closes it and leads back, a click or a focus elsewhere closes it too. */
export function Popover({ testId, label, icon, side, disabled, children }: PopoverProps) {
  const { popover } = useStudio();
  const open = popover.value === testId;
  const setOpen = (shown: boolean) => {
    if (shown) popover.value = testId;
    else if (popover.value === testId) popover.value = null;
  };
  const root = useRef<HTMLDivElement>(null);
  const panel = useRef<HTMLDivElement>(null);

  // With the drawing, not after it: Escape may come before the next frame.
  useLayoutEffect(() => {
    if (!open) return;
    panel.current?.querySelector<HTMLElement>("input, button")?.focus();
    const closeOutside = (event: PointerEvent) => {
      // What was pressed may be gone from the panel by now.
      if (!event.composedPath().includes(root.current as EventTarget)) setOpen(false);
    };
    window.addEventListener("pointerdown", closeOutside);
    return () => window.removeEventListener("pointerdown", closeOutside);
  }, [open]);

  const close = () => {
    setOpen(false);
    root.current?.querySelector("button")?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!open || event.key !== "Escape" || event.defaultPrevented) return;
    event.preventDefault();
    close();
  };
  const onFocusOut = (event: FocusEvent) => {
    const next = event.relatedTarget;
    if (next instanceof Node && !root.current?.contains(next)) setOpen(false);
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of the button and of the panel end up here.
    <div class="popover" ref={root} onKeyDown={onKeyDown} onFocusOut={onFocusOut}>
      <button
        type="button"
        class="button button-icon"
        title={label}
        aria-label={label}
        aria-haspopup="dialog"
        aria-expanded={open}
        data-testid={testId}
        disabled={disabled}
        onClick={() => setOpen(!open)}
      >
        <Icon name={icon} />
      </button>
      {open && (
        <div
          class={`popover-panel popover-${side}`}
          ref={panel}
          role="dialog"
          aria-label={label}
          data-testid={`${testId}-panel`}
        >
          {children(close)}
        </div>
      )}
    </div>
  );
}
