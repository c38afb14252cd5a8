import { pickedKey, pointedId, selectionAfterClick } from "../../document/picking";
import { selectedMembers } from "../../document/subject";
import { parentOf } from "../../document/tree/grouping";
import type { RasterView } from "../../raster/raster-view";
import type { Studio } from "../../studio/studio";
import { showBookmark } from "../../view/presenting";

/** A longer way is a drag. */
const MAX_CLICK_PX = 4;
/** On a handle: a click is told in whole pixels, a press in fractions. */
const MAX_CLICK_ON_HANDLE_PX = 1;

/** Clicks and hovering over a picture of the scene. */
export class PointerPicking {
  #down: Press | null = null;
  /** The frame in which what is under the pointer is looked for, or 0. */
  #hoverFrame = 0;
  /** Where the pointer was last, as shares of the picture. */
  #pointer: [number, number] = [0, 0];
  /** What was selected before the last click; null where it was not yet known what the click before was on. */
  #before: readonly string[] | null = null;

  constructor(
    private readonly studio: Studio,
    private readonly place: "traced" | "raster",
    private readonly covers: { readonly value: boolean },
  ) {}

  readonly onPointerDown = (event: PointerEvent) => {
    const onHandle = this.#rasterView()?.isGizmoActive ?? false;
    this.#down = { x: event.clientX, y: event.clientY, onHandle };
  };

  readonly onClick = (event: MouseEvent) => {
    const down = this.#down;
    this.#down = null;
    if (down === null || isDrag(event, down)) return;
    if (this.studio.view.presenting.value) {
      showBookmark(this.studio, 1);
      return;
    }
    const { editor } = this.studio;
    const extend = event.shiftKey || event.ctrlKey || event.metaKey;
    const [x, y] = relativePosition(event);
    if (this.studio.view.measured.value !== null) return this.#measure(x, y);
    const { clickTool } = this.studio.view;
    if (clickTool.value === "material") return this.#sample(x, y);
    if (clickTool.value === "aim") return this.#aim(x, y);
    if (clickTool.value === "focus") return this.#focus(x, y);
    this.#before = editor.document.value.picking === null ? editor.selection.value : null;
    const rasterView = this.#rasterAt(x);
    if (rasterView === null) return editor.pick(x, y, extend);
    const { scene, selection, locked } = editor;
    const id = rasterView.pick(x, y, locked.value);
    editor.select(selectionAfterClick(scene.value, selection.value, id, extend));
  };

  /** Looks at what is selected; where the second click went into a group, that was what it was for. */
  readonly onDblClick = async () => {
    const { editor, viewport, view } = this.studio;
    if (view.measured.value !== null || view.presenting.value) return;
    const before = this.#before;
    await editor.whenPicked();
    const selected = editor.selection.value;
    const isSame =
      before === null
        ? selected.every((key) => parentOf(editor.scene.value, key) === null)
        : before.join("\n") === selected.join("\n");
    if (isSame && selected.length > 0) viewport.frameSelected();
  };

  /** A right button that was not dragged, which would pan, opens the menu of what it is on. */
  readonly onPointerUp = (event: PointerEvent) => {
    const down = this.#down;
    if (event.button === 2 && down !== null && !isDrag(event, down)) this.#openMenu(event);
  };

  /** By a long touch, or Control and the only button of a mouse. */
  readonly onContextMenu = (event: MouseEvent) => {
    event.preventDefault();
    if (event.button !== 2) this.#openMenu(event);
  };

  /** A click beside all ends it as well. */
  #sample(x: number, y: number): void {
    const { editor, view } = this.studio;
    view.clickTool.value = null;
    const id = this.#rasterView()?.pick(x, y) ?? null;
    if (id !== null) editor.takeMaterialOf(id);
  }

  /** A click beside all ends it as well. */
  #aim(x: number, y: number): void {
    const { editor, view } = this.studio;
    view.clickTool.value = null;
    const point = this.#rasterView()?.pointAt(x, y) ?? null;
    if (point !== null) editor.aimAt(point);
  }

  /** A click beside all ends it as well. */
  #focus(x: number, y: number): void {
    const { editor, view } = this.studio;
    view.clickTool.value = null;
    const point = this.#rasterView()?.pointAt(x, y) ?? null;
    if (point !== null) editor.focusOn(point);
  }

  /** A third point begins anew. */
  #measure(x: number, y: number): void {
    const { measured } = this.studio.view;
    const point = this.#rasterView()?.pointAt(x, y) ?? null;
    const before = measured.value ?? [];
    if (point !== null) measured.value = before.length === 1 ? [...before, point] : [point];
  }

  #openMenu(event: MouseEvent): void {
    const [x, y] = relativePosition(event);
    const { editor, contextMenu, view } = this.studio;
    if (view.presenting.value) return;
    const { scene, selection } = editor;
    // The traced picture shows the same from the same place.
    const picked = this.#rasterView()?.pick(x, y, editor.locked.value) ?? null;
    const id = pointedId(scene.value, selection.value, picked);
    // What is selected stays so: the menu is about all of it.
    if (id !== null && !selectedMembers(scene.value, selection.value).some(({ object }) => object.id === id))
      editor.select([pickedKey(scene.value, [], id)]);
    contextMenu.value = { x: event.clientX, y: event.clientY };
  }

  /** Looks once a frame, where the pointer is then. */
  readonly onPointerMove = (event: PointerEvent) => {
    if (event.pointerType !== "mouse" || event.buttons !== 0) return;
    this.#pointer = relativePosition(event);
    const element = event.currentTarget as HTMLElement;
    this.#hoverFrame ||= requestAnimationFrame(() => {
      this.#hoverFrame = 0;
      const rasterView = this.#rasterView();
      const { moving, presenting } = this.studio.view;
      if (rasterView === null || moving.value || presenting.value) return;
      const { hovered, locked, scene, selection } = this.studio.editor;
      const picked = rasterView.isGizmoActive ? null : rasterView.pick(...this.#pointer, locked.value);
      const id = pointedId(scene.value, selection.value, picked);
      hovered.value = id === null ? null : pickedKey(scene.value, selection.value, id);
      element.style.cursor = rasterView.isMovable(...this.#pointer) ? "move" : "";
    });
  };

  readonly onPointerLeave = () => {
    cancelAnimationFrame(this.#hoverFrame);
    this.#hoverFrame = 0;
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

/** Where a button was pressed, and whether that was on the handles of what is selected. */
interface Press {
  x: number;
  y: number;
  onHandle: boolean;
}

/** A handle that is moved at all is dragged; one that is only clicked lies in the way of what is under it. */
function isDrag(event: MouseEvent, { x, y, onHandle }: Press): boolean {
  return (
    Math.hypot(event.clientX - x, event.clientY - y) > (onHandle ? MAX_CLICK_ON_HANDLE_PX : MAX_CLICK_PX)
  );
}

/** Where in the element, from 0 to 1. */
function relativePosition(event: MouseEvent): [number, number] {
  const { left, top, width, height } = (event.currentTarget as HTMLElement).getBoundingClientRect();
  const share = (value: number) => Math.min(1, Math.max(0, value));
  return [share((event.clientX - left) / width), share((event.clientY - top) / height)];
}
