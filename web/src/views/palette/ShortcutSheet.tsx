import { actionsOf, SECTIONS, type Workbench } from "../../actions";
import type { Shortcut } from "../../actions/keys";
import { Dialog } from "../common/Dialog";
import { IconButton } from "../common/IconButton";
import { Keys } from "./Keys";

interface Line {
  label: string;
  keys: readonly Shortcut[];
}

/** Keys that mean something in one place only. */
const PLACES: { title: string; lines: Line[] }[] = [
  {
    title: "While writing a message",
    lines: [
      { label: "Send", keys: [{ key: "enter" }] },
      { label: "New line", keys: [{ key: "enter", shift: true }] },
      { label: "Mention an object", keys: [{ key: "@" }] },
    ],
  },
  {
    title: "In the view",
    lines: [
      { label: "Orbit", keys: [{ key: "arrowleft" }, { key: "arrowup" }] },
      { label: "Pan", keys: [{ key: "arrowleft", shift: true }] },
      { label: "Zoom in, out", keys: [{ key: "+" }, { key: "-" }] },
    ],
  },
  {
    title: "In the outliner",
    lines: [
      { label: "Next, previous", keys: [{ key: "arrowdown" }, { key: "arrowup" }] },
      { label: "Open, close a group", keys: [{ key: "arrowright" }, { key: "arrowleft" }] },
      { label: "Extend selection", keys: [{ key: "arrowdown", shift: true }] },
      { label: "Select all", keys: [{ key: "a", mod: true }] },
      { label: "Rename", keys: [{ key: "f2" }, { key: "enter" }] },
    ],
  },
  {
    title: "Objects, also between sessions",
    lines: [
      { label: "Copy", keys: [{ key: "c", mod: true }] },
      { label: "Cut", keys: [{ key: "x", mod: true }] },
      { label: "Paste", keys: [{ key: "v", mod: true }] },
    ],
  },
  {
    title: "In the library",
    lines: [
      { label: "Next, previous", keys: [{ key: "arrowright" }, { key: "arrowleft" }] },
      { label: "Add to the scene", keys: [{ key: "enter" }] },
      { label: "Turn while dragging", keys: [{ key: "r" }] },
    ],
  },
  {
    title: "In a number field",
    lines: [
      { label: "Step up, down", keys: [{ key: "arrowup" }, { key: "arrowdown" }] },
      { label: "Ten steps", keys: [{ key: "arrowup", shift: true }] },
      { label: "Discard changes", keys: [{ key: "escape" }] },
    ],
  },
];

/** All shortcuts, by what they are for. */
export function ShortcutSheet({ workbench, onClose }: { workbench: Workbench; onClose: () => void }) {
  const actions = actionsOf(workbench).filter((action) => action.keys !== undefined);
  const sections = SECTIONS.map((title) => ({
    title: title as string,
    lines: actions
      .filter((action) => action.section === title)
      .map(({ label, keys = [] }): Line => ({ label, keys })),
  }));
  return (
    <Dialog label="Keyboard shortcuts" class="sheet" testId="shortcuts" onClose={onClose}>
      <header class="sheet-header">
        <h2>Keyboard shortcuts</h2>
        <IconButton icon="x" label="Close" onClick={onClose} />
      </header>
      <div class="sheet-sections">
        {[...sections, ...PLACES]
          .filter(({ lines }) => lines.length > 0)
          .map(({ title, lines }) => (
            <section key={title}>
              <h3>{title}</h3>
              <dl>
                {lines.map(({ label, keys }) => (
                  <div key={label} class="sheet-line">
                    <dt>{label}</dt>
                    <dd>
                      {keys.map((shortcut, index) => (
                        <Keys key={index} shortcut={shortcut} />
                      ))}
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
      </div>
    </Dialog>
  );
}
