import { useLayoutEffect, useRef } from "preact/hooks";
import { useStudio } from "../../studio";

/** The picture of before that the traced one is compared with, left of the wipe's line. */
export function KeptCanvas() {
  const { view } = useStudio();
  const canvas = useRef<HTMLCanvasElement>(null);
  const kept = view.kept.chosen.value;
  const divider = view.divider.value;
  useLayoutEffect(() => canvas.current?.style.setProperty("--divider", String(divider)), [divider, kept]);
  useLayoutEffect(() => {
    if (kept === null || canvas.current === null) return;
    canvas.current.width = kept.image.width;
    canvas.current.height = kept.image.height;
    canvas.current.getContext("2d")?.drawImage(kept.image, 0, 0);
  }, [kept]);
  if (kept === null) return null;
  return (
    <canvas ref={canvas} class="kept-canvas" role="img" aria-label={kept.name} data-testid="kept-canvas" />
  );
}
