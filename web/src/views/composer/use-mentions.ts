import { useComputed } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { complete, matchingNames, openMention } from "../../chat/mentions";
import { usedIds } from "../../document/scene";
import { useStudio } from "../../studio/studio";

/** Names to choose from while one is being typed after an @. */
export interface Mentions {
  names: readonly string[];
  /** Which of them Enter takes. */
  active: number;
  choose(name: string): void;
  /** Does what a key means while there are names; false when it means nothing. */
  onKeyDown(event: KeyboardEvent): boolean;
  /** The caret may have moved. */
  onCaret(): void;
  close(): void;
}

export function useMentions(
  field: RefObject<HTMLTextAreaElement | null>,
  text: string,
  setText: (text: string) => void,
): Mentions {
  const { editor } = useStudio();
  const scene = useComputed(() => editor.scene.value).value;
  const [caret, setCaret] = useState<number | null>(null);
  const [active, setActive] = useState(0);
  const mention = caret === null ? null : openMention(text, caret);
  const query = mention?.query ?? null;
  const names = useMemo(() => (query === null ? [] : matchingNames(query, usedIds(scene))), [query, scene]);
  useEffect(() => setActive(0), [query]);

  const close = () => setCaret(null);
  const choose = (name: string) => {
    if (mention === null) return;
    const completed = complete(text, mention, name);
    const { current } = field;
    if (current !== null) {
      // At once: who types on does not wait for the next frame, and the caret would jump back under their hands.
      current.value = completed.text;
      current.setSelectionRange(completed.caret, completed.caret);
      current.focus();
    }
    setText(completed.text);
    close();
  };
  const onKeyDown = ({ key, shiftKey, isComposing }: KeyboardEvent): boolean => {
    const name = names[active];
    if (name === undefined || isComposing) return false;
    const step = key === "ArrowDown" ? 1 : key === "ArrowUp" ? -1 : 0;
    if (step !== 0) setActive((active + step + names.length) % names.length);
    else if ((key === "Enter" || key === "Tab") && !shiftKey) choose(name);
    else if (key === "Escape") close();
    else return false;
    return true;
  };
  const onCaret = () => {
    const at = field.current?.selectionEnd ?? null;
    setCaret(field.current?.selectionStart === at ? at : null);
  };
  return { names, active: Math.min(active, names.length - 1), choose, onKeyDown, onCaret, close };
}
