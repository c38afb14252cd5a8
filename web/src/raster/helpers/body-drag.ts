import { Plane, Vector3 } from "three";
import type { Triple } from "../../document/vector";
import type { Picking } from "../objects/picking";
import type { Gizmo } from "./gizmo";

/** A shorter way is a click. */
const MIN_DRAG_PX = 4;
/** Where one looks along the ground by less than this sine, a small move of the pointer would be a long way. */
const MIN_SLOPE = 0.12;

/**
 * Moves what is selected by a pointer on its body: over the ground, or where one looks along the ground, across the
 * view. Elsewhere, and with other buttons, the pointer is the camera's.
 */
export class BodyDrag {
  #element: HTMLElement | null = null;
  #listening = new AbortController();
  #press: { id: number; clientX: number; clientY: number; point: Vector3; plane: Plane } | null = null;
  #isDragging = false;

  constructor(
    private readonly picking: Picking,
    private readonly gizmo: Gizmo,
    private readonly drawn: { bounds(ids: readonly string[]): { center: Triple; radius: number } | null },
  ) {}

  get active(): boolean {
    return this.#isDragging;
  }

  /**
   * Whether a point of the picture shows what is selected, which a pointer can move from there. What one stands on, or
   * in, stays: the camera would be meant far more often.
   */
  isMovable(x: number, y: number): boolean {
    const { ids, pointed } = this.gizmo;
    const id = pointed || ids.length === 0 ? null : this.picking.pick(x, y);
    const ball = id !== null && ids.includes(id) ? this.drawn.bounds(ids) : null;
    return ball !== null && this.picking.eye.distanceTo(new Vector3(...ball.center)) > ball.radius;
  }

  /** To be called before the camera listens to the element, and after the handles do. */
  connect(element: HTMLElement): void {
    if (this.#element === element) return;
    this.#listening.abort();
    this.#listening = new AbortController();
    this.#element = element;
    const { signal } = this.#listening;
    element.addEventListener("pointerdown", (event) => this.#down(event), { signal });
    element.addEventListener("pointermove", (event) => this.#move(event), { signal });
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"] as const)
      element.addEventListener(end, (event) => this.#up(event), { signal });
  }

  /** Takes the drag back; false when there is none. */
  cancel(): boolean {
    this.#press = null;
    if (!this.#isDragging) return false;
    this.gizmo.dragBy([0, 0, 0]);
    this.#end();
    return true;
  }

  dispose(): void {
    this.#listening.abort();
  }

  #down(event: PointerEvent): void {
    const held = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
    // Fingers turn and zoom, two of them at once.
    if (event.button !== 0 || held || event.pointerType === "touch") return;
    const [x, y] = this.#place(event);
    if (!this.isMovable(x, y)) return;
    const start = this.picking.pointAt(x, y);
    if (start === null) return;
    const point = new Vector3(...start);
    const ray = this.picking.directionAt(x, y);
    const isLevel = Math.abs(ray.y) < MIN_SLOPE;
    const normal = isLevel ? ray.clone().negate() : new Vector3(0, 1, 0);
    const plane = new Plane().setFromNormalAndCoplanarPoint(normal, point);
    const { pointerId: id, clientX, clientY } = event;
    this.#press = { id, clientX, clientY, point, plane };
    // The camera stays where it is.
    event.stopImmediatePropagation();
  }

  #move(event: PointerEvent): void {
    const press = this.#press;
    if (press === null || event.pointerId !== press.id) return;
    if (!this.#isDragging) {
      if (Math.hypot(event.clientX - press.clientX, event.clientY - press.clientY) < MIN_DRAG_PX) return;
      if (!this.gizmo.grab()) {
        this.#press = null;
        return;
      }
      this.#isDragging = true;
      this.#element?.setPointerCapture(press.id);
    }
    // Above the horizon there is no ground: it stays where it was last.
    const point = this.picking.pointOn(press.plane, ...this.#place(event));
    if (point !== null) this.gizmo.dragBy(point.sub(press.point).toArray());
  }

  #up(event: PointerEvent): void {
    if (this.#press === null || event.pointerId !== this.#press.id) return;
    this.#press = null;
    if (this.#isDragging) this.#end();
  }

  #end(): void {
    this.#isDragging = false;
    this.gizmo.release();
  }

  #place({ clientX, clientY }: PointerEvent): [number, number] {
    const { left, top, width, height } = (this.#element as HTMLElement).getBoundingClientRect();
    return [(clientX - left) / width, (clientY - top) / height];
  }
}
