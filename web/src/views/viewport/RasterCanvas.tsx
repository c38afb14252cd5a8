import { useEffect, useRef } from "preact/hooks";
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
    let gone = false;
    void import("../../raster/raster-view").then(
      ({ RasterView }) => {
        if (!gone)
          stop = runRasterView(studio, new RasterView(element, rasterViewHost(studio)), element, {
            traced,
            raster,
            covers,
          });
      },
      () => {
        studio.view.rasterStatus.value = { phase: "missing", reason: NOT_LOADED };
      },
    );
    return () => {
      gone = true;
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
