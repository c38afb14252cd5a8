import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { type Action, actionsOf, searchActions, type Workbench } from "../../actions";
import { Dialog } from "../common/Dialog";
import { Keys } from "./Keys";

/** Everything that can be done, found by a few letters. */
export function CommandPalette({ workbench, onClose }: { workbench: Workbench; onClose: () => void }) {
  const [query, setQuery] = useState("");
  const [active, setActive] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const actions = searchActions(
    actionsOf(workbench).filter((action) => action.id !== "palette"),
    query,
  );
  const at = Math.min(active, actions.length - 1);
  const optionId = (index: number) => `${id}-${index}`;
  useLayoutEffect(() => {
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [at, query]);

  const run = (action: Action | undefined) => {
    if (action === undefined || action.unavailable !== undefined) return;
    onClose();
    // Once the window is gone: what is done may move the focus, or open another one.
    queueMicrotask(action.run);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const last = actions.length - 1;
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: last }[event.key];
    if (event.isComposing) return;
    if (event.key === "Enter") run(actions[at]);
    else if (to !== undefined && query === "" && (event.key === "Home" || event.key === "End")) setActive(to);
    else if (to !== undefined && event.key.startsWith("Arrow")) setActive((to + last + 1) % (last + 1));
    else return;
    event.preventDefault();
  };
  return (
    <Dialog label="Commands" class="palette" testId="palette" onClose={onClose}>
      <input
        class="palette-field"
        role="combobox"
        aria-label="Find a command"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={actions.length === 0 ? undefined : optionId(at)}
        aria-autocomplete="list"
        placeholder="What do you want to do?"
        autocomplete="off"
        spellcheck={false}
        value={query}
        onInput={(event) => {
          setQuery(event.currentTarget.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div class="palette-list" ref={list} role="listbox" id={id} aria-label="Commands">
        {actions.map((action, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and hears the keys.
          <div
            key={action.id}
            id={optionId(index)}
            class="palette-row"
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            aria-disabled={action.unavailable !== undefined}
            onPointerMove={() => setActive(index)}
            onClick={() => run(action)}
          >
            <span class="palette-label">{action.label}</span>
            {action.unavailable !== undefined && <span class="palette-why">{action.unavailable}</span>}
            {action.keys?.[0] !== undefined && <Keys shortcut={action.keys[0]} />}
            <span class="palette-section">{action.section}</span>
          </div>
        ))}
      </div>
      <p class="palette-none muted" role="status">
        {actions.length === 0 && "No results. Ask the model instead."}
      </p>
    </Dialog>
  );
}
