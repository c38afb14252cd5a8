import type { ComponentChildren } from "preact";
import { useStudio } from "../../studio/studio";

/** The pictures as one thing that takes the focus: arrow keys orbit, Shift with them pans, plus and minus zoom. */
export function ViewKeys({ children }: { children: ComponentChildren }) {
  const { view } = useStudio();
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (view.rasterView.value?.key(event)) event.preventDefault();
  };
  return (
    <div
      class="panes"
      role="application"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: an application takes keys.
      tabIndex={0}
      aria-label="The scene: arrow keys look around it, Shift and arrow keys move, plus and minus go nearer and farther"
      data-testid="panes"
      onKeyDown={onKeyDown}
    >
      {children}
    </div>
  );
}
