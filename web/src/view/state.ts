import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Properties } from "../document/scene";
import { storedFlag, storedViewMode, storeFlag, storeViewMode } from "../preferences";
import type { Stage } from "../raster/stage";
import { KeptPictures } from "./kept";
import type { GizmoMode, ViewMode } from "./modes";

/** Whether this page can draw by itself. */
export type RasterStatus =
  | { phase: "loading" | "ready" }
  /** It cannot now (`lost`), ever (`missing`), or with the camera one looks through (`unsuited`). */
  | { phase: "lost" | "missing" | "unsuited"; reason: string };

/** What a person wants to see; nobody else knows of it. */
export class ViewState {
  readonly mode: Signal<ViewMode> = signal(storedViewMode());
  /** The camera one looks through that is not the scene's; null for the scene's. */
  readonly look: Signal<Properties | null> = signal(null);
  /** Whether the camera is being moved, or a thing by its handles. */
  readonly moving: Signal<boolean> = signal(false);
  readonly raster: Signal<RasterStatus> = signal({ phase: "loading" });
  readonly gizmo: Signal<GizmoMode> = signal("move");
  readonly snapping: Signal<boolean> = signal(false);
  /** Whether the key is held that turns snapping round. */
  readonly snapKeyHeld: Signal<boolean> = signal(false);
  readonly grid: Signal<boolean> = signal(storedFlag("grid", true));
  /** What draws the raster, once it is there. */
  readonly stage: Signal<Stage | null> = signal(null);
  /** Ids of objects that this page does not show, neither drawn nor traced. */
  readonly hidden: Signal<ReadonlySet<string>> = signal(new Set());
  /** Width over height of the pictures. */
  readonly aspect: Signal<number> = signal(4 / 3);
  /** Where raster and traced picture meet, from the left, 0 to 1. */
  readonly divider: Signal<number> = signal(0.5);
  readonly kept = new KeptPictures();
  /** The mode that can be shown: without a raster everything is traced. */
  readonly shownMode: ReadonlySignal<ViewMode> = computed(() => {
    const { phase } = this.raster.value;
    return phase === "loading" || phase === "ready" ? this.mode.value : "traced";
  });

  /** Looks through a camera of one's own; null is the scene's. */
  lookThrough(camera: Properties | null): void {
    this.look.value = camera;
  }

  showAll(): void {
    this.hidden.value = new Set();
  }

  setMode(mode: ViewMode): void {
    this.mode.value = mode;
    storeViewMode(mode);
  }

  setGrid(shown: boolean): void {
    this.grid.value = shown;
    storeFlag("grid", shown);
  }

  /** Of another session nothing is kept but how it is shown. */
  leave(): void {
    this.look.value = null;
    this.moving.value = false;
    this.hidden.value = new Set();
    this.kept.clear();
  }
}
