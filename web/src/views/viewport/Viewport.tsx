import type { Signal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { Panels } from "../../panels";
import { useStudio } from "../../studio/studio";
import { rasterCover } from "../../view/raster-cover";
import { VIEW_ID } from "../../view/state";
import { CompareNote } from "./CompareBar";
import { MeasuredLine, MeasureNote } from "./Measure";
import { PausedNote } from "./PausedNote";
import { PointHandles } from "./PointHandles";
import { PresentedBookmark } from "./PresentedBookmark";
import { PrivateCameraBar } from "./PrivateCameraBar";
import { PointerPicking } from "./pointing";
import { RasterCanvas } from "./RasterCanvas";
import { SavedRenderPicture } from "./SavedRenderPicture";
import { SelectionOutline } from "./SelectionOutline";
import { Toasts } from "./Toasts";
import { TracedPicture } from "./TracedPicture";
import { ViewAxes } from "./ViewAxes";
import { ViewBar } from "./ViewBar";
import { ViewKeys } from "./ViewKeys";
import { WipeDivider } from "./WipeDivider";

/** The scene, as the page draws it and as it is traced, on a neutral ground. */
export function Viewport({ panels }: { panels: Panels }) {
  const studio = useStudio();
  const { covers, stop } = useMemo(() => rasterCover(studio), [studio]);
  useEffect(() => stop, [stop]);
  const mode = studio.view.shownMode.value;
  const aspect = studio.view.aspect.value;
  const section = useRef<HTMLElement>(null);
  useLayoutEffect(() => section.current?.style.setProperty("--picture-aspect", String(aspect)), [aspect]);
  useEffect(() => {
    const onChange = () => {
      const { fullScreen, presenting } = studio.view;
      fullScreen.value = document.fullscreenElement?.id === VIEW_ID;
      if (!fullScreen.value) presenting.value = false;
    };
    document.addEventListener("fullscreenchange", onChange);
    return () => document.removeEventListener("fullscreenchange", onChange);
  }, [studio]);
  const traced = useRef<HTMLDivElement>(null);
  const raster = useRef<HTMLDivElement>(null);
  const pointing = useMemo(() => new PointerPicking(studio, "raster", covers), [studio, covers]);
  useEffect(() => observePlace(studio.view.place, [traced, raster]), [studio]);
  return (
    <div class="view-column">
      <section
        id={VIEW_ID}
        ref={section}
        class="view"
        aria-label="Viewport"
        data-mode={mode}
        data-presenting={studio.view.presenting.value}
        data-covered={covers.value}
        data-raster={studio.view.rasterStatus.value.phase}
        data-testid="view"
      >
        <ViewBar panels={panels} />
        <PresentedBookmark />
        <ViewKeys>
          <TracedPicture frame={traced} covers={covers} />
          <div class="picture picture-of-raster">
            {/* biome-ignore lint/a11y/noStaticElementInteractions: a pointer's own; by keyboard the list of objects does. */}
            {/* biome-ignore lint/a11y/useKeyWithClickEvents: see above. */}
            <div
              ref={raster}
              class="picture-frame"
              data-testid="raster-frame"
              onPointerDown={pointing.onPointerDown}
              onPointerUp={pointing.onPointerUp}
              onContextMenu={pointing.onContextMenu}
              onClick={pointing.onClick}
              onDblClick={pointing.onDblClick}
              onPointerMove={pointing.onPointerMove}
              onPointerLeave={pointing.onPointerLeave}
            >
              {mode === "wipe" && <SavedRenderPicture side="left" />}
              {mode === "wipe" && <SavedRenderPicture side="right" />}
              <RasterCanvas traced={traced} raster={raster} covers={covers} />
              <SelectionOutline />
              <PointHandles />
              <MeasuredLine />
              {mode === "wipe" && <WipeDivider frame={raster} />}
            </div>
          </div>
        </ViewKeys>
        <ViewAxes />
        <div class="view-notes">
          <PausedNote covers={covers} />
          <CompareNote />
          <PrivateCameraBar />
          <MeasureNote />
        </div>
        <Toasts />
      </section>
    </div>
  );
}

/** Tells how much room there is around the pictures that are shown. */
function observePlace(
  place: Signal<{ width: number; height: number }>,
  frames: readonly RefObject<HTMLElement | null>[],
): () => void {
  const observer = new ResizeObserver((entries) => {
    const shown = entries
      .map(({ contentRect }) => contentRect)
      .find(({ width, height }) => width * height > 0);
    if (shown !== undefined) place.value = { width: shown.width, height: shown.height };
  });
  for (const { current } of frames) if (current?.parentElement) observer.observe(current.parentElement);
  return () => observer.disconnect();
}
