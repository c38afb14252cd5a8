import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Properties } from "../document/scene";
import type { Triple } from "../document/vector";
import { storedFlag, storedViewMode, storeFlag, storeViewMode } from "../preferences";
import type { RasterView } from "../raster/raster-view";
import type { Ghost } from "./ghost";
import type { ClickTool, GizmoMode, PivotMode, ViewMode } from "./modes";
import { pictureAspect } from "./preview-size";
import { SavedRenders } from "./saved-renders";

/** Whether this page can draw by itself. */
export type RasterStatus =
  | { phase: "loading" | "ready" }
  /** It cannot now (`lost`), ever (`missing`), or with the present camera (`unsuited`). */
  | { phase: "lost" | "missing" | "unsuited"; reason: string };

/** The id of the element that is shown in full screen. */
export const VIEW_ID = "view";

/** What this page's viewport shows; it is not shared. */
export class ViewState {
  readonly mode: Signal<ViewMode> = signal(storedViewMode());
  /** The viewport's own camera; null for the scene's. */
  readonly privateCamera: Signal<Properties | null> = signal(null);
  /** Whether the camera is being moved, or a thing by its handles. */
  readonly moving: Signal<boolean> = signal(false);
  readonly rasterStatus: Signal<RasterStatus> = signal({ phase: "loading" });
  readonly gizmo: Signal<GizmoMode> = signal("move");
  readonly pivot: Signal<PivotMode> = signal("center");
  readonly snapping: Signal<boolean> = signal(false);
  /** Whether the key is held that turns snapping round. */
  readonly snapKeyHeld: Signal<boolean> = signal(false);
  readonly grid: Signal<boolean> = signal(storedFlag("grid", true));
  /** What draws the raster, once it is there. */
  readonly rasterView: Signal<RasterView | null> = signal(null);
  /** What is being added, where it would stand. */
  readonly ghost: Signal<Ghost | null> = signal(null);
  /** Ids of objects that this page does not show, neither drawn nor traced. */
  readonly hidden: Signal<ReadonlySet<string>> = signal(new Set());
  /** Ids of objects that pointers do not pick or move. */
  readonly locked: Signal<ReadonlySet<string>> = signal(new Set());
  /** Whether what is moved stands on what is below it. */
  readonly surfaceSnapping: Signal<boolean> = signal(false);
  /** The points that are measured between; null while nothing is measured. */
  readonly measured: Signal<readonly Triple[] | null> = signal(null);
  /** What the next click in the picture is for, if not for selecting. */
  readonly clickTool: Signal<ClickTool | null> = signal(null);
  /** Whether the picture takes the whole screen. */
  readonly fullScreen: Signal<boolean> = signal(false);
  /** Whether bookmarks are presented: then the picture stands alone on the screen. */
  readonly presenting: Signal<boolean> = signal(false);
  /** What the picture has room in, in CSS pixels. */
  readonly place: Signal<{ width: number; height: number }> = signal({ width: 4, height: 3 });
  /** Width over height of the newest traced picture. */
  readonly tracedAspect: Signal<number> = signal(4 / 3);
  /** Where raster and traced picture meet, from the left, 0 to 1. */
  readonly divider: Signal<number> = signal(0.5);
  readonly savedRenders = new SavedRenders();
  /** The mode that can be shown: without a raster everything is traced. */
  readonly shownMode: ReadonlySignal<ViewMode> = computed(() => {
    const { phase } = this.rasterStatus.value;
    return phase === "loading" || phase === "ready" ? this.mode.value : "traced";
  });
  /** Width over height of what is shown: the raster alone fills its place, else it has the traced picture's shape. */
  readonly aspect: ReadonlySignal<number> = computed(() =>
    this.shownMode.value === "raster" ? pictureAspect(this.place.value) : this.tracedAspect.value,
  );

  /** Gives the viewport a camera of its own; null is the scene's. */
  setPrivateCamera(camera: Properties | null): void {
    this.privateCamera.value = camera;
  }

  showAll(): void {
    this.hidden.value = new Set();
  }

  toggleMeasuring(): void {
    this.measured.value = this.measured.value === null ? [] : null;
  }

  /** Ends what clicks in the picture are for besides selecting; false when that was nothing. */
  cancelTool(): boolean {
    const isUsed = this.measured.value !== null || this.clickTool.value !== null;
    this.measured.value = null;
    this.clickTool.value = null;
    return isUsed;
  }

  /** Whether the picture has the whole screen then: browsers may refuse. */
  async enterFullScreen(): Promise<boolean> {
    try {
      await document.getElementById(VIEW_ID)?.requestFullscreen();
    } catch {
      return false;
    }
    return document.fullscreenElement !== null;
  }

  toggleFullScreen(): void {
    if (document.fullscreenElement !== null) void document.exitFullscreen();
    else void this.enterFullScreen();
  }

  setMode(mode: ViewMode): void {
    this.mode.value = mode;
    storeViewMode(mode);
  }

  setGrid(shown: boolean): void {
    this.grid.value = shown;
    storeFlag("grid", shown);
  }

  /** Resets what belongs to the session that is left. */
  reset(): void {
    this.privateCamera.value = null;
    this.moving.value = false;
    this.ghost.value = null;
    this.hidden.value = new Set();
    this.locked.value = new Set();
    this.measured.value = null;
    this.clickTool.value = null;
    this.savedRenders.clear();
  }
}
