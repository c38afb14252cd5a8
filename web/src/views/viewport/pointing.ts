import { toggled } from "../../document/tree";
import type { RasterView } from "../../raster/raster-view";
import type { Studio } from "../../studio/studio";

/** A longer way is a drag. */
const MAX_CLICK_PX = 4;

/** Clicks and hovering over a picture of the scene. */
export class PointerPicking {
  #down: { x: number; y: number } | null = null;
  #hover = 0;

  constructor(
    private readonly studio: Studio,
    private readonly place: "traced" | "raster",
    private readonly covers: { readonly value: boolean },
  ) {}

  readonly onPointerDown = (event: PointerEvent) => {
    // What is under the handles is not meant.
    this.#down = this.#rasterView()?.isGizmoActive ? null : { x: event.clientX, y: event.clientY };
  };

  readonly onClick = (event: MouseEvent) => {
    const down = this.#down;
    this.#down = null;
    if (down === null || Math.hypot(event.clientX - down.x, event.clientY - down.y) > MAX_CLICK_PX) return;
    const { editor } = this.studio;
    const extend = event.shiftKey || event.ctrlKey || event.metaKey;
    const [x, y] = relativePosition(event);
    const rasterView = this.#rasterAt(x);
    if (rasterView === null) return editor.pick(x, y, extend);
    const id = rasterView.pick(x, y);
    if (!extend) editor.select(id === null ? [] : [id]);
    else if (id !== null) editor.select(toggled(editor.selection.value, id));
  };

  readonly onPointerMove = (event: PointerEvent) => {
    if (event.pointerType !== "mouse" || event.buttons !== 0 || this.#hover !== 0) return;
    const [x, y] = relativePosition(event);
    this.#hover = requestAnimationFrame(() => {
      this.#hover = 0;
      const rasterView = this.#rasterView();
      if (rasterView === null || this.studio.view.moving.value) return;
      this.studio.editor.hovered.value = rasterView.isGizmoActive ? null : rasterView.pick(x, y);
    });
  };

  readonly onPointerLeave = () => {
    cancelAnimationFrame(this.#hover);
    this.#hover = 0;
    this.studio.editor.hovered.value = null;
  };

  #rasterView(): RasterView | null {
    const { rasterView, rasterStatus } = this.studio.view;
    return rasterStatus.value.phase === "ready" ? rasterView.value : null;
  }

  /** The raster view where it is visible; null where the traced picture is. */
  #rasterAt(x: number): RasterView | null {
    const { shownMode, divider } = this.studio.view;
    const isRaster =
      this.place === "raster"
        ? shownMode.value !== "wipe" || x < divider.value
        : shownMode.value === "traced" && this.covers.value;
    return isRaster ? this.#rasterView() : null;
  }
}

/** Where in the element, from 0 to 1. */
function relativePosition(event: MouseEvent): [number, number] {
  const { left, top, width, height } = (event.currentTarget as HTMLElement).getBoundingClientRect();
  const share = (value: number) => Math.min(1, Math.max(0, value));
  return [share((event.clientX - left) / width), share((event.clientY - top) / height)];
}
