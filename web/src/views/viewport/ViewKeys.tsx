import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { useStudio } from "../../studio/studio";
import { presentationStep, showBookmark } from "../../view/presenting";

/** The pictures as one thing that takes the focus: arrow keys orbit, Shift with them pans, plus and minus zoom. */
export function ViewKeys({ children }: { children: ComponentChildren }) {
  const studio = useStudio();
  const { view } = studio;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || view.presenting.value) return;
    if (view.rasterView.value?.key(event)) event.preventDefault();
  };
  // The focus may have stayed with what began the presentation.
  useEffect(() => {
    const onPresentationKey = (event: KeyboardEvent) => {
      const step = view.presenting.value ? presentationStep(event) : null;
      if (step === null) return;
      showBookmark(studio, step);
      event.preventDefault();
      event.stopPropagation();
    };
    window.addEventListener("keydown", onPresentationKey, true);
    return () => window.removeEventListener("keydown", onPresentationKey, true);
  }, [studio, view]);
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
