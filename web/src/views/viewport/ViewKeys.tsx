import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { useStudio } from "../../studio/studio";
import { leavePresentation, presentationStep, showBookmark } from "../../view/presenting";

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
      if (!view.presenting.value || event.ctrlKey || event.metaKey || event.altKey) return;
      const isButton = event.target instanceof Element && event.target.closest(".presentation-bar") !== null;
      if (isButton && ["Enter", " ", "Tab"].includes(event.key)) return;
      // No other key does anything to the scene or the view.
      event.stopPropagation();
      const step = presentationStep(event);
      if (step !== null) showBookmark(studio, step);
      else if (event.key === "Escape" || (event.shiftKey && event.key === "F")) leavePresentation(studio);
      else return;
      event.preventDefault();
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
