import type { Chat } from "./chat";
import type { SceneChange } from "./protocol";

/**
 * What the model's tool calls did to the scene from one of the person's messages to the next, by the index
 * of the run's last entry. A run that still goes on is left out, and so is a single change, which the card of
 * its call tells already.
 */
export function changesOfRuns(chat: Chat, running: boolean): Map<number, SceneChange[]> {
  const runs = new Map<number, SceneChange[]>();
  let end = chat.length;
  for (let index = chat.length - 1; index >= 0; index -= 1) {
    if (chat[index]?.kind !== "user") continue;
    const ongoing = running && end === chat.length;
    if (!ongoing) {
      const calls = chat.slice(index + 1, end);
      const changes = netChanges(
        calls.flatMap((entry) => (entry.kind === "tool" ? (entry.changes ?? []) : [])),
      );
      // The person's own changes after the run have lines of their own and stay below.
      const last = index + 1 + calls.findLastIndex((entry) => entry.kind !== "changed");
      if (changes.length > 1) runs.set(last, changes);
    }
    end = index;
  }
  return runs;
}

/** One change for each object: what is different at the end. What came and went again is left out. */
export function netChanges(changes: readonly SceneChange[]): SceneChange[] {
  const byObject = new Map<string, SceneChange>();
  for (const change of changes) {
    const object = `${change.kind} ${change.id ?? ""}`;
    const earlier = byObject.get(object);
    const existedBefore = (earlier ?? change).op !== "create";
    const existsNow = change.op !== "remove";
    if (!existedBefore && !existsNow) byObject.delete(object);
    else {
      const op = !existedBefore ? "create" : existsNow ? "update" : "remove";
      byObject.set(object, { ...change, op, before: (earlier ?? change).before });
    }
  }
  return [...byObject.values()];
}
