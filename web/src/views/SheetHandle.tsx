import { useRef } from "preact/hooks";
import type { Panels } from "../panels";
import { nearestStop, SHEET_STOPS } from "../sheet";

/** On a narrow page: how high the picture is, in stops. A drag, a tap and arrow keys move it. */
export function SheetHandle({ panels }: { panels: Panels }) {
  const handle = useRef<HTMLDivElement>(null);
  const drag = useRef<{ y: number; moved: boolean } | null>(null);
  const stop = panels.sheet.value;
  const main = () => handle.current?.closest<HTMLElement>(".studio-main") ?? null;

  const onPointerDown = (event: PointerEvent) => {
    if (event.button !== 0) return;
    handle.current?.setPointerCapture(event.pointerId);
    drag.current = { y: event.clientY, moved: false };
  };
  const shareAt = (event: PointerEvent): number => {
    const { top = 0, height = 1 } = main()?.getBoundingClientRect() ?? {};
    return Math.min(1, Math.max(0, (event.clientY - top) / height));
  };
  const onPointerMove = (event: PointerEvent) => {
    if (drag.current === null) return;
    if (Math.abs(event.clientY - drag.current.y) > 4) drag.current.moved = true;
    if (drag.current.moved) main()?.style.setProperty("--picture-share", `${100 * shareAt(event)}%`);
  };
  const onPointerUp = (event: PointerEvent) => {
    const { moved = false } = drag.current ?? {};
    drag.current = null;
    main()?.style.removeProperty("--picture-share");
    panels.setSheet(moved ? nearestStop(shareAt(event)) : (stop + 1) % SHEET_STOPS.length);
  };
  const onPointerCancel = () => {
    drag.current = null;
    main()?.style.removeProperty("--picture-share");
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    event.stopPropagation();
    panels.setSheet(Math.min(SHEET_STOPS.length - 1, Math.max(0, stop + step)));
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule cannot be moved.
    <div
      ref={handle}
      class="sheet-handle"
      role="separator"
      tabIndex={0}
      aria-orientation="horizontal"
      aria-label="Height of the viewport"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(100 * (SHEET_STOPS[stop] ?? 0))}
      data-testid="sheet-handle"
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={onPointerCancel}
      onKeyDown={onKeyDown}
    />
  );
}
