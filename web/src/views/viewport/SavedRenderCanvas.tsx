import { useLayoutEffect, useRef } from "preact/hooks";
import { useStudio } from "../../studio/studio";

/** The saved render that the traced picture is compared with, left of the wipe divider. */
export function SavedRenderCanvas() {
  const { view } = useStudio();
  const canvas = useRef<HTMLCanvasElement>(null);
  const saved = view.savedRenders.chosen.value;
  const divider = view.divider.value;
  useLayoutEffect(() => canvas.current?.style.setProperty("--divider", String(divider)), [divider, saved]);
  useLayoutEffect(() => {
    if (saved === null || canvas.current === null) return;
    canvas.current.width = saved.image.width;
    canvas.current.height = saved.image.height;
    canvas.current.getContext("2d")?.drawImage(saved.image, 0, 0);
  }, [saved]);
  if (saved === null) return null;
  return (
    <canvas
      ref={canvas}
      class="saved-render-canvas"
      role="img"
      aria-label={saved.name}
      data-testid="saved-render"
    />
  );
}
