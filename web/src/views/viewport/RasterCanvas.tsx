import { useEffect, useRef } from "preact/hooks";
import { loadPart } from "../../loading";
import { useStudio } from "../../studio/studio";
import { type Frames, rasterViewHost, runRasterView } from "./run-raster-view";

const NOT_LOADED =
  "The raster view could not be loaded, so only the path-traced view is shown. Reload to try again.";

/** The scene as the page itself draws it, with the handles on what is selected. */
export function RasterCanvas({ traced, raster, covers }: Frames) {
  const studio = useStudio();
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return;
    let stop = () => {};
    const gone = new AbortController();
    loadPart(() => import("../../raster/raster-view"), gone.signal).then(
      ({ RasterView }) => {
        if (gone.signal.aborted) return;
        const view = new RasterView(element, rasterViewHost(studio));
        stop = runRasterView(studio, view, element, { traced, raster, covers });
      },
      () => {
        if (!gone.signal.aborted) studio.view.rasterStatus.value = { phase: "missing", reason: NOT_LOADED };
      },
    );
    return () => {
      gone.abort();
      stop();
    };
  }, [studio, traced, raster, covers]);
  return (
    <canvas
      ref={canvas}
      class="raster-canvas"
      role="img"
      aria-label="The scene, rasterized"
      data-testid="raster-canvas"
    />
  );
}
