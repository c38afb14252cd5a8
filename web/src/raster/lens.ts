import { PerspectiveCamera } from "three";

/**
 * A camera that sees with perspective or with parallel sight lines: one object, which controls and handles keep.
 * three.js asks its cameras which of both they are.
 */
export class Lens extends PerspectiveCamera {
  /** Half of what is seen with parallel sight lines, in metres. */
  top = 1;
  bottom = -1;
  left = -1;
  right = 1;

  /** Sees `halfHeight` at distance 1 each way up and down. */
  seePerspective(halfHeight: number, aspect: number): void {
    this.#become(false);
    this.fov = (2 * Math.atan(halfHeight) * 180) / Math.PI;
    this.aspect = aspect;
    this.updateProjectionMatrix();
  }

  /** Sees `half` metres each way up and down, at any distance. */
  seeParallel(half: number, aspect: number): void {
    this.#become(true);
    this.aspect = aspect;
    this.zoom = 1;
    [this.top, this.bottom, this.left, this.right] = [half, -half, -half * aspect, half * aspect];
    this.updateProjectionMatrix();
  }

  /** Whether what is farther away is as large. */
  get isParallel(): boolean {
    return (this as { isPerspectiveCamera: boolean }).isPerspectiveCamera === false;
  }

  override updateProjectionMatrix(): void {
    if (!this.isParallel) {
      super.updateProjectionMatrix();
      return;
    }
    const { left, right, top, bottom, near, far, zoom } = this;
    this.projectionMatrix.makeOrthographic(left / zoom, right / zoom, top / zoom, bottom / zoom, near, far);
    this.projectionMatrixInverse.copy(this.projectionMatrix).invert();
  }

  #become(parallel: boolean): void {
    Object.assign(this, { isPerspectiveCamera: !parallel, isOrthographicCamera: parallel });
  }
}
