import { useComputed } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";
import { subjectOf } from "../../document/subject";
import { useStudio } from "../../studio/studio";
import type { Mentions } from "./use-mentions";

export const MENTION_LIST_ID = "mentions";

export function mentionId(index: number): string {
  return `mention-${index}`;
}

/** The objects whose names fit what is being typed; the field keeps the focus. */
export function MentionList({ mentions: { names, active, choose } }: { mentions: Mentions }) {
  const { editor } = useStudio();
  const scene = useComputed(() => editor.scene.value).value;
  const name = names[active];
  // What would be chosen is shown in the picture.
  useLayoutEffect(() => {
    editor.hovered.value = name ?? null;
    return () => {
      editor.hovered.value = null;
    };
  }, [editor, name]);
  if (names.length === 0) return null;
  return (
    <div class="mentions" role="listbox" id={MENTION_LIST_ID} aria-label="Objects" data-testid="mentions">
      {names.map((each, index) => {
        const subject = subjectOf(scene, each);
        const kind = subject !== null && "object" in subject ? subject.object.type : (subject?.kind ?? "");
        return (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and hears the keys.
          <div
            key={each}
            id={mentionId(index)}
            class="mention-row"
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            // The field would lose the focus, and with it the place to write to.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => choose(each)}
          >
            <span class="mention-name">{each}</span>
            <span class="muted">{kind.replaceAll("_", " ")}</span>
          </div>
        );
      })}
    </div>
  );
}
