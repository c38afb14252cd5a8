import {
  BoxGeometry,
  type BufferGeometry,
  CylinderGeometry,
  Mesh,
  MeshBasicMaterial,
  type Object3D,
} from "three";
import { type TransformControls, TransformControlsGizmo } from "three/addons/controls/TransformControls.js";

/** A drag on it scales in all directions alike. */
const UNIFORM = "XYZ";
/** Of the handle, in lengths of the other handles. */
const HEIGHT = 0.5;

/**
 * The handle of what can only grow in all directions alike: one upright handle in place of one for each axis. The small
 * one in the middle is none for this: next to it the size doubles with every pixel.
 */
export class ScaleHandle {
  readonly #own: Object3D[] = [];
  readonly #others: Object3D[] = [];

  constructor(controls: TransformControls) {
    for (const child of controls.getHelper().children) {
      if (!(child instanceof TransformControlsGizmo)) continue;
      this.#others.push(...child.gizmo.scale.children, ...child.picker.scale.children);
      const drawn = [
        handle(new BoxGeometry(0.12, 0.12, 0.12).translate(0, HEIGHT, 0), true),
        handle(new CylinderGeometry(0.01, 0.01, HEIGHT).translate(0, HEIGHT / 2, 0), true),
      ];
      const pointed = handle(new CylinderGeometry(0.15, 0.15, HEIGHT).translate(0, 0.75 * HEIGHT, 0), false);
      child.gizmo.scale.add(...drawn);
      child.picker.scale.add(pointed);
      this.#own.push(...drawn, pointed);
    }
    this.show(false);
  }

  /** Shows it alone, or the others alone. */
  show(shown: boolean): void {
    for (const each of this.#own) setShown(each, shown);
    for (const each of this.#others) setShown(each, !shown);
  }

  dispose(): void {
    for (const each of this.#own) {
      if (!(each instanceof Mesh)) continue;
      each.geometry.dispose();
      each.material.dispose();
    }
  }
}

function handle(geometry: BufferGeometry, visible: boolean): Mesh<BufferGeometry, MeshBasicMaterial> {
  const material = new MeshBasicMaterial({
    color: 0xffffff,
    depthTest: false,
    depthWrite: false,
    fog: false,
    toneMapped: false,
    transparent: true,
    opacity: visible ? 1 : 0,
  });
  const mesh = new Mesh(geometry, material);
  mesh.name = UNIFORM;
  mesh.renderOrder = Infinity;
  return mesh;
}

/** The controls themselves say each time what is visible; layers are left to us. */
function setShown({ layers }: Object3D, shown: boolean): void {
  if (shown) layers.enable(0);
  else layers.disable(0);
}
