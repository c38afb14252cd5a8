import { PerspectiveCamera } from "three";

/**
 * A camera that sees with perspective or with an orthographic projection: one object, which controls and handles keep.
 * three.js asks its cameras which of both they are.
 */
export class ViewportCamera extends PerspectiveCamera {
  /** Half of what is seen with an orthographic projection, in metres. */
  top = 1;
  bottom = -1;
  left = -1;
  right = 1;

  /** Sees `halfHeight` at distance 1 each way up and down. */
  setPerspective(halfHeight: number, aspect: number): void {
    this.#setProjection(false);
    this.fov = (2 * Math.atan(halfHeight) * 180) / Math.PI;
    this.aspect = aspect;
    this.updateProjectionMatrix();
  }

  /** Sees `half` metres each way up and down, at any distance. */
  setOrthographic(half: number, aspect: number): void {
    this.#setProjection(true);
    this.aspect = aspect;
    this.zoom = 1;
    [this.top, this.bottom, this.left, this.right] = [half, -half, -half * aspect, half * aspect];
    this.updateProjectionMatrix();
  }

  /** Whether what is farther away is as large. */
  get isOrthographic(): boolean {
    return (this as { isPerspectiveCamera: boolean }).isPerspectiveCamera === false;
  }

  override updateProjectionMatrix(): void {
    if (!this.isOrthographic) {
      super.updateProjectionMatrix();
      return;
    }
    const { left, right, top, bottom, near, far, zoom } = this;
    this.projectionMatrix.makeOrthographic(left / zoom, right / zoom, top / zoom, bottom / zoom, near, far);
    this.projectionMatrixInverse.copy(this.projectionMatrix).invert();
  }

  #setProjection(parallel: boolean): void {
    Object.assign(this, { isPerspectiveCamera: !parallel, isOrthographicCamera: parallel });
  }
}
