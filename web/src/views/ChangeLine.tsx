import type { SceneChange } from "../protocol";

const OPS: Record<SceneChange["op"], string> = { create: "added", update: "modified", remove: "removed" };

/** Which objects were added, modified or removed, each with a dot in its colour. */
export function ChangeLine({ changes }: { changes: readonly SceneChange[] }) {
  return (
    <ul class="changes" data-testid="changes">
      {changes.map((change, index) => (
        <li key={index} class={`change change-${OPS[change.op]}`}>
          <ChangeDot change={change} />
          {change.id ?? change.kind}
        </li>
      ))}
    </ul>
  );
}

/** The changes with the one who made them, as a line of the chat. */
export function ChangeSummary({ by, changes }: { by: string; changes: readonly SceneChange[] }) {
  if (changes.length === 0) return null;
  return (
    <div class={`change-summary change-summary-${by}`}>
      <span class="muted">{by === "user" ? "You changed" : "Changed"}</span>
      <ChangeLine changes={changes} />
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
