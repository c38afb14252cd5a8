import { useEffect, useRef } from "preact/hooks";
import { useStudio } from "../../studio";
import { type Frames, hostOf, runStage } from "./run-stage";

const NOT_LOADED =
  "The raster view could not be loaded, so the scene is shown as it is traced. Reload to try again.";

/** The scene as the page itself draws it, with the handles on what is selected. */
export function RasterCanvas({ traced, raster, covers }: Frames) {
  const studio = useStudio();
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return;
    let stop = () => {};
    let gone = false;
    void import("../../raster/stage").then(
      ({ Stage }) => {
        if (!gone)
          stop = runStage(studio, new Stage(element, hostOf(studio)), element, { traced, raster, covers });
      },
      () => {
        studio.view.raster.value = { phase: "missing", reason: NOT_LOADED };
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
      aria-label="The scene, drawn"
      data-testid="raster-canvas"
    />
  );
}
