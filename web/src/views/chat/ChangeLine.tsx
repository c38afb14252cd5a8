import { netChanges } from "../../chat/changes";
import { type ChangedThing, thingsOf } from "../../chat/things";
import type { ChangedEntry, HistoryStep, SceneChange } from "../../protocol";
import { ObjectName } from "../common/ObjectName";

const OPS: Record<SceneChange["op"], string> = { create: "added", update: "modified", remove: "removed" };
/** More than this many names are folded into numbers. */
const MAX_NAMES = 8;
/** In the line that stands for several lines; it unfolds to all. */
const MAX_FOLDED_NAMES = 3;

/** Which things were added, modified or removed, each with a dot in its colour. */
export function ChangeLine({ changes }: { changes: readonly SceneChange[] }) {
  return <ThingLine things={thingsOf(changes)} />;
}

/** Pointing at a thing shows where it is, pressing selects it. */
function ThingLine({ things }: { things: readonly ChangedThing[] }) {
  return (
    <ul class="changes" data-testid="changes">
      {things.map((thing) => (
        <li key={`${thing.key} ${thing.op}`} class={`change change-${OPS[thing.op]}`}>
          <ChangeDot change={thing} />
          <ObjectName id={thing.key} class="change-name">
            {thing.name}
          </ObjectName>
          {thing.note !== undefined && (
            <span class="change-note" aria-hidden="true">
              {thing.note}
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

/** The names of a few changes; of many their numbers, which unfold to the names. */
export function ChangeList({ changes, leftOut = 0 }: { changes: readonly SceneChange[]; leftOut?: number }) {
  const things = thingsOf(changes);
  if (things.length === 0) return <span>the order of the objects</span>;
  if (things.length <= MAX_NAMES) return <ThingLine things={things} />;
  return (
    <details class="change-list">
      <summary>
        {(["create", "update", "remove"] as const).map((op) => {
          const count = things.filter((thing) => thing.op === op).length;
          return (
            count > 0 && (
              <span key={op} class="change numeric">
                <span class={`change-dot change-dot-${OPS[op]}`} />
                {count} {OPS[op]}
              </span>
            )
          );
        })}
        {leftOut > 0 && <span class="numeric muted">{leftOut} more changes</span>}
      </summary>
      <ThingLine things={things} />
    </details>
  );
}

const HISTORY: Record<HistoryStep, string> = { undo: "Undid:", redo: "Redid:" };

/** Changes by hand, as a line of the chat: of whoever has the session open. */
export function ChangeSummary({
  by,
  changes,
  left_out: leftOut,
  history,
}: Pick<ChangedEntry, "by" | "changes" | "left_out" | "history">) {
  if (changes.length === 0) return null;
  return (
    <div class={`change-summary change-summary-${by}`}>
      <div class="change-words">
        <span class="muted">
          {history !== undefined ? HISTORY[history] : by === "user" ? "Edited by hand" : "Changed"}
        </span>
        <ChangeList changes={changes} leftOut={leftOut ?? 0} />
      </div>
    </div>
  );
}

/** Several lines of changes by hand, as one that unfolds to them. */
export function HandWork({ entries }: { entries: readonly ChangedEntry[] }) {
  const things = thingsOf(netChanges(entries.flatMap(({ changes }) => changes)));
  return (
    <details class="hand-work" data-testid="hand-work">
      <summary>
        <span class="muted">Edited by hand: </span>
        {things.length === 0
          ? "all undone"
          : things.length > MAX_FOLDED_NAMES
            ? `${things.length} things`
            : [...new Set(things.map(({ name }) => name))].join(", ")}
      </summary>
      {entries.map((entry, index) => (
        <ChangeSummary key={index} {...entry} />
      ))}
    </details>
  );
}

export function ChangeDot({ change }: { change: Pick<SceneChange, "op" | "kind"> }) {
  const op = OPS[change.op];
  return (
    <span class={`change-dot change-dot-${op}`} title={`${op} ${change.kind}`}>
      <span class="visually-hidden">{op} </span>
    </span>
  );
}
