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
  /** How low a gesture may take the camera; null where there is no ground below it. */
  #lowest: number | null = null;

  constructor(
    private readonly camera: ViewportCamera,
    /** The height of the ground below a point; null for none. */
    private readonly groundBelow: (point: Vector3) => number | null,
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
    this.#findLowest();
    this.#limitTilt(controls);
    if (way !== undefined && shiftKey) this.#pan(way);
    else if (way !== undefined) {
      controls.rotateLeft(way[0] * KEY_ORBIT);
      controls.rotateUp(way[1] * KEY_ORBIT);
    } else if (key === "+" || key === "=") this.#dolly(controls, KEY_ZOOM);
    else if (key === "-" || key === "_") this.#dolly(controls, 1 / KEY_ZOOM);
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

  #dolly(controls: OrbitControls, factor: number): void {
    if (this.camera.isOrthographic) {
      this.camera.zoom /= factor;
      this.camera.updateProjectionMatrix();
      return;
    }
    this.camera.position.sub(this.target).multiplyScalar(factor).add(this.target);
    this.#limitTilt(controls);
    controls.update();
  }

  /** A camera that is above the ground stays there; one that is below already, or has none, is free. */
  #findLowest(): void {
    const { position, up } = this.camera;
    const ground = up.y > 0.999 ? this.groundBelow(position) : null;
    this.#lowest = ground === null ? null : lowestHeight(position.y, ground, this.#distance());
  }

  #limitTilt(controls: OrbitControls): void {
    controls.maxPolarAngle =
      this.#lowest === null ? Math.PI : largestTilt(this.#lowest, this.target.y, this.#distance());
  }

  #distance(): number {
    return this.camera.position.distanceTo(this.target);
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
        const isTouch = event.pointerType === "touch";
        controls.rotateSpeed = rotateSpeed(element.clientHeight, isTouch ? FINGER_TURN_PX : MOUSE_TURN_PX);
      });
      controls.update();
      let distance = 0;
      controls.addEventListener("change", () => {
        const now = this.#distance();
        // Farther away, the same tilt is lower.
        if (this.#lowest !== null && now > distance * (1 + 1e-9)) {
          distance = now;
          this.#limitTilt(controls);
          controls.update();
        }
        this.onMoved();
      });
      controls.addEventListener("start", () => {
        distance = this.#distance();
        this.#findLowest();
        this.#limitTilt(controls);
        this.onActive(true);
      });
      controls.addEventListener("end", () => this.onActive(false));
      return controls;
    });
    position.copy(before.position);
    quaternion.copy(before.quaternion);
  }
}

/** A whole turn, in pixels, where the picture is not higher: by default its height is one, which is fast on a small one. */
const FINGER_TURN_PX = 700;
const MOUSE_TURN_PX = 1200;

export function rotateSpeed(height: number, turn: number): number {
  return Math.min(1, height / turn);
}

/** How far above the ground the camera stays, as a share of its distance from what it looks at. */
const CLEARANCE = 0.01;

/** How low a camera at a height above the ground may go. */
export function lowestHeight(height: number, ground: number, distance: number): number {
  return Math.min(height, ground + CLEARANCE * distance);
}

/** From straight above, in radians, until a camera at a distance from its target is as low as `lowest`. */
export function largestTilt(lowest: number, target: number, distance: number): number {
  return Math.acos(Math.min(1, Math.max(-1, (lowest - target) / distance)));
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
