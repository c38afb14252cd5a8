import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { Icon, type IconName } from "./icons";

export interface MenuItem {
  label: string;
  icon?: IconName;
  detail?: string;
  onChoose: () => void;
}

/** Items under a heading. */
interface MenuGroup {
  heading: string;
  items: MenuItem[];
}

interface MenuProps {
  testId: string;
  label: string;
  icon: ComponentChildren;
  disabled: boolean;
  items: MenuItem[];
  /** Below, under headings. */
  groups?: MenuGroup[];
  /** A long list is seen as a whole in two columns. */
  columns?: boolean;
}

/** A button with a drop-down: arrow keys move, Escape and a click elsewhere close. */
export function Menu({ testId, label, icon, disabled, items, groups = [], columns = false }: MenuProps) {
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const choices = () => [...(root.current?.querySelectorAll<HTMLElement>("[role=menuitem]") ?? [])];

  useLayoutEffect(() => {
    if (!open) return;
    choices()[0]?.focus();
    const closeOutside = (event: PointerEvent) => {
      if (!root.current?.contains(event.target as Node)) setOpen(false);
    };
    window.addEventListener("pointerdown", closeOutside);
    return () => window.removeEventListener("pointerdown", closeOutside);
  }, [open]);

  const close = () => {
    setOpen(false);
    root.current?.querySelector("button")?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!open) return;
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (event.key === "Escape") close();
    else if (event.key === "Tab") return setOpen(false);
    else if (step !== 0) {
      const all = choices();
      const at = all.indexOf(document.activeElement as HTMLElement);
      all[(at + step + all.length) % all.length]?.focus();
    } else return;
    event.preventDefault();
  };

  const entry = (item: MenuItem) => (
    <button
      key={item.label}
      type="button"
      role="menuitem"
      class={item.icon === undefined ? "menu-item" : "menu-item menu-item-line"}
      onClick={() => {
        close();
        item.onChoose();
      }}
    >
      {item.icon !== undefined && <Icon name={item.icon} />}
      <span>{item.label}</span>
      {item.detail !== undefined && <span class="muted">{item.detail}</span>}
    </button>
  );

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of the button and of the list end up here.
    <div class="menu" ref={root} onKeyDown={onKeyDown}>
      <button
        type="button"
        class="button"
        title={label}
        aria-haspopup="menu"
        aria-expanded={open}
        data-testid={testId}
        disabled={disabled}
        onClick={() => setOpen(!open)}
      >
        {icon}
        <span class="wide-only">{label}</span>
      </button>
      {open && (
        <div class={columns ? "menu-list menu-columns" : "menu-list"} role="menu" aria-label={label}>
          {items.map(entry)}
          {groups.map((group) => (
            // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a menu.
            <div key={group.heading} class="menu-group" role="group" aria-label={group.heading}>
              <div class="menu-heading" aria-hidden="true">
                {group.heading}
              </div>
              {group.items.map(entry)}
            </div>
          ))}
        </div>
      )}
    </div>
  );
}
