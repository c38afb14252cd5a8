import type { ComponentChildren } from "preact";
import { useStudio } from "../../studio/studio";

interface ObjectNameProps {
  /** What the object's selection goes by. */
  id: string;
  class: string;
  children: ComponentChildren;
}

/** The name of a thing in the chat: pointing at it shows where it is, pressing selects it. */
export function ObjectName({ id, class: className, children }: ObjectNameProps) {
  const { editor } = useStudio();
  const point = (to: string | null) => () => {
    editor.hovered.value = to;
  };
  return (
    <button
      type="button"
      class={className}
      onPointerEnter={point(id)}
      onPointerLeave={point(null)}
      onFocus={point(id)}
      onBlur={point(null)}
      onClick={() => editor.select([id])}
    >
      {children}
    </button>
  );
}
