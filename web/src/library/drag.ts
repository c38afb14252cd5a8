import type { PicturePoint } from "../document/camera";
import type { Triple } from "../document/vector";
import type { Library } from "./library";
import type { LibraryObject } from "./objects";
import { placeUnderPointer, turnTowardsCamera } from "./placement";

/** In degrees. */
const TURN_STEP = 15;

/** An object on its way from the library into the view. */
export class ObjectDrag {
  #turn: number;
  /** Where in the picture the pointer is; null beside it. */
  #point: PicturePoint | null = null;

  constructor(
    private readonly library: Library,
    private readonly object: LibraryObject,
  ) {
    const { editor, view } = library.studio;
    this.#turn = turnTowardsCamera(editor.cameraView);
    view.moving.value = true;
    void library.loadShapes(object.name).then(() => {
      if (library.dragged.value?.object === object) this.#show();
    });
  }

  /** The pointer is at a place of the page, and at a point of the picture where it is over one. */
  move(pointer: { x: number; y: number }, point: PicturePoint | null): void {
    const { rasterStatus } = this.library.studio.view;
    this.#point = point;
    const isShown = point !== null && rasterStatus.value.phase === "ready";
    this.library.dragged.value = { object: this.object, pointer, isShown };
    this.#show();
  }

  /** Turns it a step to the left, or to the right with -1. */
  turn(steps: number): void {
    this.#turn = (this.#turn + TURN_STEP * steps + 360) % 360;
    this.#show();
  }

  /** Adds it where it is; beside the picture it is taken back. */
  drop(): void {
    const place = this.#place();
    this.cancel();
    if (place !== null) void this.library.addAt(this.object, place, this.#turn);
  }

  cancel(): void {
    const { view } = this.library.studio;
    this.library.dragged.value = null;
    view.ghost.value = null;
    view.moving.value = false;
  }

  #show(): void {
    const place = this.#place();
    this.library.studio.view.ghost.value =
      place === null ? null : this.library.ghostOf(this.object, place, this.#turn);
  }

  #place(): Triple | null {
    if (this.#point === null) return null;
    const { surfaces, studio } = this.library;
    const standing = { size: this.object.size, turn: this.#turn };
    return placeUnderPointer(surfaces, studio.editor.cameraView, this.#point, standing);
  }
}
