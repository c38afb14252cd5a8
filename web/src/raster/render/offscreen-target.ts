import {
  type Camera,
  Mesh,
  NearestFilter,
  OrthographicCamera,
  PlaneGeometry,
  type Scene,
  ShaderMaterial,
  SRGBColorSpace,
  type WebGLRenderer,
  WebGLRenderTarget,
} from "three";

/**
 * The scene rendered off screen. The browser waits for what is drawn on the canvas before it composites the page, and on
 * a processor that draws that takes as long as all of the scene; what is drawn here is not, and then put on the canvas
 * as it is.
 */
export class OffscreenTarget {
  readonly #target = new WebGLRenderTarget(1, 1, { minFilter: NearestFilter, magFilter: NearestFilter });
  readonly #quad: Mesh<PlaneGeometry, ShaderMaterial>;
  readonly #camera = new OrthographicCamera(-1, 1, 1, -1, 0, 1);
  /** Signalled once rendering has finished; null before the first. */
  #fence: WebGLSync | null = null;

  constructor(private readonly renderer: WebGLRenderer) {
    const { texture } = this.#target;
    texture.colorSpace = SRGBColorSpace;
    // Shaders encode their colours themselves, as for the canvas.
    texture.internalFormat = "RGBA8";
    // With this flag three.js uses the same programs as for the canvas, tone mapping included.
    Object.assign(this.#target, { isXRRenderTarget: true });
    this.#quad = new Mesh(new PlaneGeometry(2, 2), copyMaterial(texture));
    this.#quad.frustumCulled = false;
  }

  /** Begins to render, `width` x `height` pixels; an unfinished render is dropped. */
  draw(scene: Scene, camera: Camera, width: number, height: number): void {
    const { renderer } = this;
    this.#target.setSize(width, height);
    renderer.setRenderTarget(this.#target);
    renderer.clear();
    renderer.render(scene, camera);
    renderer.setRenderTarget(null);
    const gl = this.#gl;
    gl.deleteSync(this.#fence);
    this.#fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl.flush();
  }

  /** Whether rendering has finished; does not wait. */
  get isDone(): boolean {
    const gl = this.#gl;
    return this.#fence !== null && gl.getSyncParameter(this.#fence, gl.SYNC_STATUS) === gl.SIGNALED;
  }

  /** Copies it to the canvas, which has the same size. */
  copyToCanvas(): void {
    this.renderer.render(this.#quad, this.#camera);
  }

  dispose(): void {
    this.#gl.deleteSync(this.#fence);
    this.#target.dispose();
    this.#quad.geometry.dispose();
    this.#quad.material.dispose();
  }

  get #gl(): WebGL2RenderingContext {
    return this.renderer.getContext() as WebGL2RenderingContext;
  }
}

function copyMaterial(texture: WebGLRenderTarget["texture"]): ShaderMaterial {
  return new ShaderMaterial({
    uniforms: { drawn: { value: texture } },
    vertexShader: "void main() { gl_Position = vec4( position.xy, 0.0, 1.0 ); }",
    fragmentShader: `
      uniform sampler2D drawn;
      void main() { gl_FragColor = texelFetch( drawn, ivec2( gl_FragCoord.xy ), 0 ); }`,
    depthTest: false,
    depthWrite: false,
    toneMapped: false,
  });
}
