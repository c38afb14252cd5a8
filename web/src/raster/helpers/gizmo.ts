import { MathUtils, Matrix4, Object3D, type PerspectiveCamera, Quaternion, Vector3 } from "three";
import { TransformControls } from "three/addons/controls/TransformControls.js";
import { type Box, movedBox } from "../../document/placement";
import { type Member, updateCall } from "../../document/subject";
import { stretchAxes, stretchedProperties } from "../../document/transform/stretch";
import { IDENTITY, type Transform } from "../../document/transform/transform";
import { transformCalls } from "../../document/transform/transform-calls";
import type { Triple } from "../../document/vector";
import type { EditCall } from "../../protocol";
import type { GizmoMode } from "../../view/modes";
import { ScaleHandle } from "./scale-handle";

/** What a drag leads to. */
export interface GizmoHost {
  /** Shown by this page alone; nothing shows the scene as it is. */
  preview(calls: readonly EditCall[]): void;
  commit(calls: readonly EditCall[]): void;
  dragging(active: boolean): void;
  redraw(): void;
  /** The box around what is drawn of some objects; null for nothing. */
  boxOf(ids: readonly string[]): Box | null;
  /** How high the surfaces below a box reach, those of some objects left out. */
  heightBelow(box: Box, ignored: ReadonlySet<string>): number;
}

export interface GizmoState {
  members: readonly Member[];
  mode: GizmoMode;
  snapping: boolean;
  /** Whether what is moved stands on what is below it. */
  surfaceSnapping: boolean;
  /** The step of moving when snapping, in metres. */
  step: number;
  /** Around which it turns and grows. */
  pivot: () => Triple | null;
}

const MODES = { move: "translate", rotate: "rotate", scale: "scale" } as const;
const ROTATION_STEP = MathUtils.degToRad(15);
const SCALE_STEP = 0.1;

/** Handles that move, turn and scale what is selected: one undo step a drag. */
export class Gizmo {
  readonly #controls: TransformControls;
  readonly #uniform: ScaleHandle;
  /** What the handles hold. */
  readonly #proxy = new Object3D();
  readonly #start = { place: new Vector3(), turn: new Quaternion() };
  #state: GizmoState | null = null;
  #members: readonly Member[] = [];
  #dragged: readonly Member[] = [];
  /** The box around what is dragged, when that began. */
  #box: Box | null = null;
  #calls: readonly EditCall[] = [];
  /** Whether it is moved by its body and not by a handle. */
  #isGrabbed = false;

  constructor(
    camera: PerspectiveCamera,
    private readonly host: GizmoHost,
  ) {
    this.#controls = new TransformControls(camera);
    this.#controls.size = 0.8;
    this.#controls.setColors(0xe5484d, 0x46a758, 0x3e82f7, 0xffd98a);
    this.#uniform = new ScaleHandle(this.#controls);
    this.#controls.addEventListener("change", () => host.redraw());
    this.#controls.addEventListener("mouseDown", () => this.#begin());
    this.#controls.addEventListener("objectChange", () => this.#follow());
    this.#controls.addEventListener("mouseUp", () => this.#end());
    // What was told during a drag counts when it is over.
    this.#controls.addEventListener("dragging-changed", ({ value }) => {
      if (value === false && this.#state !== null) this.show(this.#state);
    });
  }

  /** To put into the scene that is drawn over everything. */
  get objects(): Object3D[] {
    return [this.#proxy, this.#controls.getHelper()];
  }

  get dragging(): boolean {
    return this.#controls.dragging || this.#isGrabbed;
  }

  /** Whether the pointer is on a handle. */
  get pointed(): boolean {
    return this.#controls.axis !== null;
  }

  connect(element: HTMLElement): void {
    if (this.#controls.domElement === element) return;
    if (this.#controls.domElement !== null) this.#controls.disconnect();
    this.#controls.connect(element);
  }

  show(state: GizmoState): void {
    this.#state = state;
    const { members, mode, snapping, step } = state;
    this.#controls.setTranslationSnap(snapping ? step : null);
    this.#controls.setRotationSnap(snapping ? ROTATION_STEP : null);
    this.#controls.setScaleSnap(snapping ? SCALE_STEP : null);
    if (this.dragging) return;
    this.#members = members;
    const pivot = members.length === 0 ? null : state.pivot();
    if (pivot === null) {
      this.#controls.detach();
      return;
    }
    this.#controls.setMode(MODES[mode]);
    this.#proxy.position.set(...pivot);
    this.#proxy.scale.set(1, 1, 1);
    this.#proxy.quaternion.identity();
    const axes = mode === "scale" ? localAxes(members) : null;
    this.#uniform.show(!canStretch(members));
    if (axes !== null) this.#proxy.quaternion.copy(rotationOf(axes));
    this.#proxy.updateMatrixWorld();
    if (this.#controls.object !== this.#proxy) this.#controls.attach(this.#proxy);
  }

  /** The ids of what the handles hold. */
  get ids(): readonly string[] {
    return this.#members.map(({ object }) => object.id);
  }

  /** Begins to move what is selected by its body; false without any. */
  grab(): boolean {
    if (this.dragging || this.#controls.object === undefined) return false;
    this.#isGrabbed = true;
    this.#begin();
    return true;
  }

  /** Moves what is held by its body; with snapping to steps of the grid, as the handles do. */
  dragBy(way: Triple): void {
    if (!this.#isGrabbed) return;
    const step = this.#state?.snapping ? this.#state.step : 0;
    const place = this.#start.place.toArray().map((from, axis) => snappedTo(from, way[axis] ?? 0, step));
    this.#proxy.position.fromArray(place);
    this.#proxy.updateMatrixWorld();
    this.#follow();
    this.host.redraw();
  }

  release(): void {
    if (!this.#isGrabbed) return;
    this.#isGrabbed = false;
    this.#end();
    if (this.#state !== null) this.show(this.#state);
  }

  /** Takes a drag of a handle back; false when there is none. */
  cancel(): boolean {
    if (!this.#controls.dragging) return false;
    this.#controls.reset();
    // The reset fired a change event; drop the calls it made.
    this.#calls = [];
    this.#controls.pointerUp(null);
    return true;
  }

  dispose(): void {
    this.#controls.detach();
    this.#uniform.dispose();
    this.#controls.dispose();
  }

  get #isMoving(): boolean {
    return this.#isGrabbed || this.#controls.mode === "translate";
  }

  #begin(): void {
    this.#dragged = this.#members;
    this.#box = this.host.boxOf(this.#dragged.map(({ object }) => object.id));
    this.#calls = [];
    this.#start.place.copy(this.#proxy.position);
    this.#start.turn.copy(this.#proxy.quaternion);
    this.host.dragging(true);
  }

  #follow(): void {
    this.#calls = this.#callsNow();
    this.host.preview(this.#calls);
  }

  #end(): void {
    const calls = this.#calls;
    this.#calls = [];
    if (calls.length > 0) this.host.commit(calls);
    else this.host.preview([]);
    this.host.dragging(false);
    this.host.redraw();
  }

  /** Puts what is moved sideways onto what is below it. */
  #stand(): void {
    const isUpright = !this.#isGrabbed && this.#controls.axis === "Y";
    if (this.#box === null || !this.#state?.surfaceSnapping || !this.#isMoving || isUpright) return;
    const { position } = this.#proxy;
    const { place } = this.#start;
    const box = movedBox(this.#box, [position.x - place.x, 0, position.z - place.z]);
    const height = this.host.heightBelow(box, new Set(this.#dragged.map(({ object }) => object.id)));
    position.y = place.y + height - box.min[1];
    this.#proxy.updateMatrixWorld();
  }

  #callsNow(): EditCall[] {
    this.#stand();
    const { position, quaternion, scale } = this.#proxy;
    const pivot = this.#start.place.toArray();
    const factors = scale.toArray();
    if (this.#controls.mode === "scale" && !this.#isMoving) {
      if (factors.every((factor) => factor === 1)) return [];
      const [only] = this.#dragged;
      if (this.#dragged.length === 1 && only !== undefined) {
        const stretched = stretchedProperties(only.object, positive(factors), pivot);
        if (stretched !== null) return [updateCall(only, { properties: stretched })];
      }
      // It grows in all directions.
      const factor = positive(factors).reduce((a, b) =>
        Math.abs(Math.log(b)) > Math.abs(Math.log(a)) ? b : a,
      );
      return transformCalls(this.#dragged, { ...IDENTITY, pivot, factor });
    }
    const translation = position.clone().sub(this.#start.place).toArray();
    const turn = quaternion.clone().multiply(this.#start.turn.clone().invert());
    if (translation.every((way) => way === 0) && Math.abs(turn.w) === 1) return [];
    const axes = [new Vector3(1, 0, 0), new Vector3(0, 1, 0), new Vector3(0, 0, 1)].map((axis) =>
      axis.applyQuaternion(turn).toArray(),
    ) as unknown as Transform["axes"];
    return transformCalls(this.#dragged, { pivot, axes, factor: 1, translation });
  }
}

/** Where a coordinate goes: to a multiple of the step, if it is moved by half of one at least. */
export function snappedTo(from: number, way: number, step: number): number {
  if (step === 0) return from + way;
  return Math.abs(way) < step / 2 ? from : Math.round((from + way) / step) * step;
}

/** Handles never turn things inside out. */
function positive(factors: readonly number[]): Triple {
  return factors.map((factor) => Math.max(Math.abs(factor), 0.01)) as unknown as Triple;
}

/** Whether it is a single thing that can be wider and no higher. */
function canStretch([only, ...others]: readonly Member[]): boolean {
  return only !== undefined && others.length === 0 && stretchedProperties(only.object, [1, 1, 1]) !== null;
}

/** The axes along which a single thing can be stretched. */
function localAxes(members: readonly Member[]): readonly [Triple, Triple, Triple] | null {
  const [only, ...others] = members;
  return only === undefined || others.length > 0 ? null : stretchAxes(only.object);
}

function rotationOf(axes: readonly [Triple, Triple, Triple]): Quaternion {
  const [x, y, z] = axes.map((axis) => new Vector3(...axis)) as [Vector3, Vector3, Vector3];
  return new Quaternion().setFromRotationMatrix(new Matrix4().makeBasis(x, y, z));
}
