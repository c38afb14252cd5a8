import { useLayoutEffect, useRef } from "preact/hooks";
import { actionsOf, type Workbench } from "../../actions";
import { Keys } from "../palette/Keys";

/** What is offered for what is selected, in this order; what cannot be done now is left out. */
const OFFERED = [
  ["frame", "isolate", "hide", "lock", "show_all"],
  ["duplicate", "group", "ungroup", "drop_to_floor", "save_object"],
  ["remove"],
];

/** The menu under the pointer: arrow keys move, Escape and a press elsewhere close. */
export function ContextMenu({ workbench }: { workbench: Workbench }) {
  const { contextMenu } = workbench.studio;
  const at = contextMenu.value;
  return at === null ? null : <OpenMenu key={`${at.x},${at.y}`} at={at} workbench={workbench} />;
}

function OpenMenu({ at, workbench }: { at: { x: number; y: number }; workbench: Workbench }) {
  const { contextMenu } = workbench.studio;
  const menu = useRef<HTMLDivElement>(null);
  const choices = () => [...(menu.current?.querySelectorAll<HTMLElement>("[role=menuitem]") ?? [])];
  const close = () => {
    contextMenu.value = null;
  };
  useLayoutEffect(() => {
    const before = document.activeElement;
    const element = menu.current;
    if (element === null) return;
    // It stays in the window.
    const { offsetWidth, offsetHeight } = element;
    element.style.setProperty("--left", `${Math.max(4, Math.min(at.x, innerWidth - offsetWidth - 4))}px`);
    element.style.setProperty("--top", `${Math.max(4, Math.min(at.y, innerHeight - offsetHeight - 4))}px`);
    choices()[0]?.focus();
    const closeOutside = (event: PointerEvent) => {
      if (!element.contains(event.target as Node)) close();
    };
    window.addEventListener("pointerdown", closeOutside, { capture: true });
    window.addEventListener("blur", close);
    // What it was opened on is elsewhere then.
    window.addEventListener("resize", close);
    return () => {
      window.removeEventListener("pointerdown", closeOutside, { capture: true });
      window.removeEventListener("blur", close);
      window.removeEventListener("resize", close);
      // What was chosen may have taken the focus.
      if (element.contains(document.activeElement) && before instanceof HTMLElement) before.focus();
    };
  }, [at]);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    event.stopPropagation();
    if (event.key === "Escape" || event.key === "Tab") close();
    else if (step !== 0) {
      const all = choices();
      const focused = all.indexOf(document.activeElement as HTMLElement);
      all[(focused + step + all.length) % all.length]?.focus();
    } else return;
    event.preventDefault();
  };
  const actions = actionsOf(workbench);
  const sections = OFFERED.map((ids) =>
    ids.flatMap((id) => actions.filter((action) => action.id === id && action.unavailable === undefined)),
  );
  return (
    <div
      ref={menu}
      class="menu-list context-menu"
      role="menu"
      aria-label="Selection"
      tabIndex={-1}
      data-testid="context-menu"
      onKeyDown={onKeyDown}
      onContextMenu={(event) => event.preventDefault()}
    >
      {sections
        .filter((section) => section.length > 0)
        .map((section, index) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a menu.
          <div key={index} class="context-menu-section" role="group">
            {section.map((action) => (
              <button
                key={action.id}
                type="button"
                role="menuitem"
                class="menu-item context-menu-item"
                onClick={() => {
                  close();
                  action.run();
                }}
              >
                <span>{action.label}</span>
                {action.keys?.[0] !== undefined && <Keys shortcut={action.keys[0]} />}
              </button>
            ))}
          </div>
        ))}
    </div>
  );
}
