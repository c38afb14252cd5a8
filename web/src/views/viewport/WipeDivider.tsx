import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { useStudio } from "../../studio/studio";

/** How far an arrow key moves it. */
const KEY_STEP = 0.02;

/** The line between the pictures that are compared, to be dragged. */
export function WipeDivider({ frame }: { frame: RefObject<HTMLElement | null> }) {
  const { view } = useStudio();
  const handle = useRef<HTMLDivElement>(null);
  const divider = view.divider.value;
  const { sides } = view.savedRenders;
  const left = sides.left.value?.name ?? "Raster";
  const right = sides.right.value?.name ?? "traced picture";
  useLayoutEffect(() => handle.current?.style.setProperty("--divider", String(divider)), [divider]);
  const move = (share: number) => {
    view.divider.value = Math.min(1, Math.max(0, share));
  };
  const onPointerDown = (event: PointerEvent) => {
    event.stopPropagation();
    handle.current?.setPointerCapture(event.pointerId);
  };
  const onPointerMove = (event: PointerEvent) => {
    event.stopPropagation();
    if (!handle.current?.hasPointerCapture(event.pointerId)) return;
    const { left, width } = frame.current?.getBoundingClientRect() ?? { left: 0, width: 1 };
    move((event.clientX - left) / width);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === "ArrowLeft" ? -KEY_STEP : event.key === "ArrowRight" ? KEY_STEP : 0;
    if (step === 0) return;
    event.preventDefault();
    event.stopPropagation();
    move(divider + step);
  };
  return (
    <div
      ref={handle}
      class="wipe-divider"
      role="slider"
      tabIndex={0}
      aria-label={`${left} on the left, ${right} on the right`}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(100 * divider)}
      data-testid="wipe-divider"
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onClick={(event) => event.stopPropagation()}
      onKeyDown={onKeyDown}
    />
  );
}
