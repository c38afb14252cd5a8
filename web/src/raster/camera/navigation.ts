import { Vector3 } from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import type { ViewportCamera } from "./viewport-camera";

/** How far an arrow key turns, in radians, and pans, as a share of the distance. */
const KEY_ORBIT = Math.PI / 24;
const KEY_PAN = 0.08;

/** Orbit, pan and zoom by pointer, wheel, touch and keys, on one or two elements with the same view. */
export class Navigation {
  readonly target = new Vector3();
  #controls: OrbitControls[] = [];
  #elements: readonly HTMLElement[] = [];
  #enabled = true;
  readonly #up = new Vector3();

  constructor(
    private readonly camera: ViewportCamera,
    /** The camera has moved; `active` while a pointer holds it. */
    private readonly onMoved: () => void,
    private readonly onActive: (active: boolean) => void,
  ) {}

  connect(elements: readonly HTMLElement[]): void {
    if (
      elements.length === this.#elements.length &&
      elements.every((each, at) => each === this.#elements[at])
    )
      return;
    this.#elements = elements;
    this.#rebuild();
  }

  set enabled(enabled: boolean) {
    this.#enabled = enabled;
    for (const controls of this.#controls) controls.enabled = enabled;
  }

  /** The camera was set from elsewhere. */
  setTarget(target: Vector3): void {
    this.target.copy(target);
    if (!this.#up.equals(this.camera.up)) this.#rebuild();
  }

  /** Does what a key means; false when it means nothing. */
  key({ key, shiftKey }: Pick<KeyboardEvent, "key" | "shiftKey">): boolean {
    const [controls] = this.#controls;
    const way = ARROWS[key];
    if (controls === undefined || !this.#enabled) return false;
    if (way !== undefined && shiftKey) this.#pan(way);
    else if (way !== undefined) {
      controls.rotateLeft(way[0] * KEY_ORBIT);
      controls.rotateUp(way[1] * KEY_ORBIT);
    } else if (key === "+" || key === "=") this.#dolly(KEY_ZOOM);
    else if (key === "-" || key === "_") this.#dolly(1 / KEY_ZOOM);
    else return false;
    this.onMoved();
    return true;
  }

  dispose(): void {
    for (const controls of this.#controls) controls.dispose();
    this.#controls = [];
  }

  #pan([x, y]: readonly [number, number]): void {
    const way = KEY_PAN * this.camera.position.distanceTo(this.target);
    const shift = new Vector3(x * way, y * way, 0).applyQuaternion(this.camera.quaternion);
    this.camera.position.add(shift);
    this.target.add(shift);
  }

  #dolly(factor: number): void {
    if (this.camera.isOrthographic) {
      this.camera.zoom /= factor;
      this.camera.updateProjectionMatrix();
      return;
    }
    this.camera.position.sub(this.target).multiplyScalar(factor).add(this.target);
  }

  /** What one orbits around is fixed when controls are made; making them turns the camera. */
  #rebuild(): void {
    this.dispose();
    const { position, quaternion, up } = this.camera;
    const before = { position: position.clone(), quaternion: quaternion.clone() };
    this.#up.copy(up);
    this.#controls = this.#elements.map((element) => {
      const controls = new OrbitControls(this.camera, element);
      controls.target = this.target;
      controls.enabled = this.#enabled;
      controls.zoomSpeed = ZOOM_SPEED;
      element.addEventListener("pointerdown", (event) => {
        controls.rotateSpeed = event.pointerType === "touch" ? touchRotateSpeed(element.clientHeight) : 1;
      });
      controls.update();
      controls.addEventListener("change", () => this.onMoved());
      controls.addEventListener("start", () => this.onActive(true));
      controls.addEventListener("end", () => this.onActive(false));
      return controls;
    });
    position.copy(before.position);
    quaternion.copy(before.quaternion);
  }
}

/** A finger turns a small picture no more than a large one of so many pixels: by default its height is a whole turn. */
const CALM_HEIGHT_PX = 700;

export function touchRotateSpeed(height: number): number {
  return Math.min(1, height / CALM_HEIGHT_PX);
}

/** By wheel; the default takes long. */
const ZOOM_SPEED = 1.5;
const KEY_ZOOM = 0.9;

const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};
