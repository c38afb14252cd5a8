import { keyOf } from "../../document/state";
import type { SceneChange } from "../../protocol";
import { ObjectName } from "./ObjectName";

const OPS: Record<SceneChange["op"], string> = { create: "added", update: "modified", remove: "removed" };
/** More than this many names are folded into numbers. */
const MAX_NAMES = 8;

/** Which objects were added, modified or removed, each with a dot in its colour. */
export function ChangeLine({ changes }: { changes: readonly SceneChange[] }) {
  return (
    <ul class="changes" data-testid="changes">
      {changes.map((change, index) => (
        <li key={index} class={`change change-${OPS[change.op]}`}>
          <ChangeDot change={change} />
          <ChangeName change={change} />
        </li>
      ))}
    </ul>
  );
}

/** What changed: pointing at it shows where it is, pressing selects it. */
function ChangeName({ change }: { change: SceneChange }) {
  return (
    <ObjectName id={keyOf(change)} class="change-name">
      {change.id ?? change.kind}
    </ObjectName>
  );
}

/** The names of a few changes; of many their numbers, which unfold to the names. */
export function ChangeList({ changes }: { changes: readonly SceneChange[] }) {
  if (changes.length <= MAX_NAMES) return <ChangeLine changes={changes} />;
  return (
    <details class="change-list">
      <summary>
        {(["create", "update", "remove"] as const).map((op) => {
          const count = changes.filter((change) => change.op === op).length;
          return (
            count > 0 && (
              <span key={op} class="change numeric">
                <span class={`change-dot change-dot-${OPS[op]}`} />
                {count} {OPS[op]}
              </span>
            )
          );
        })}
      </summary>
      <ChangeLine changes={changes} />
    </details>
  );
}

/** Changes by hand, as a line of the chat: of whoever has the session open. */
export function ChangeSummary({ by, changes }: { by: string; changes: readonly SceneChange[] }) {
  if (changes.length === 0) return null;
  return (
    <div class={`change-summary change-summary-${by}`}>
      <div class="change-words">
        <span class="muted">{by === "user" ? "Edited by hand" : "Changed"}</span>
        <ChangeList changes={changes} />
      </div>
    </div>
  );
}

export function ChangeDot({ change }: { change: SceneChange }) {
  const op = OPS[change.op];
  return (
    <span class={`change-dot change-dot-${op}`} title={`${op} ${change.kind}`}>
      <span class="visually-hidden">{op} </span>
    </span>
  );
}
