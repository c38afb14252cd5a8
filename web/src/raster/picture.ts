import {
  AgXToneMapping,
  CustomBlending,
  type Group,
  Mesh,
  MeshBasicMaterial,
  type Object3D,
  OrthographicCamera,
  type PerspectiveCamera,
  PlaneGeometry,
  Scene,
  SrcAlphaFactor,
  WebGLRenderer,
  ZeroFactor,
} from "three";
import { Aside } from "./aside";
import type { HazeUniforms } from "./haze";
import { Backdrop, type Sky } from "./sky";

/** How much of the picture is drawn, and how strongly. */
export interface Exposure {
  /** Of the scene, 0 to 1; what stands over everything is always whole. */
  opacity: number;
  /** From the left, how much of the width the scene takes, 0 to 1. */
  width: number;
}

/** Sharper than this nobody sees, and it costs. */
const MOST_PIXELS_A_POINT = 2;

/** Draws the scene with its sky on a canvas, and over it what is no part of the scene. */
export class Picture {
  readonly scene = new Scene();
  /** Handles: drawn over everything, also where the scene is not drawn. */
  readonly overlay = new Scene();
  /** Whether the processor draws: then every pixel is dear. */
  readonly isSlow: boolean;
  readonly #renderer: WebGLRenderer;
  readonly #backdrop: Backdrop;
  readonly #aside: Aside;
  readonly #veil = veil();
  readonly #veilCamera = new OrthographicCamera(-1, 1, 1, -1, 0, 1);
  #size = { width: 1, height: 1 };
  #sharpness = 1;
  /** How many pixels the canvas has; it is emptied when that changes, so that waits for what is drawn next. */
  #fitted = "";

  /** Fails where there is no WebGL. */
  constructor(
    readonly canvas: HTMLCanvasElement,
    haze: HazeUniforms,
  ) {
    this.#backdrop = new Backdrop(haze);
    this.isSlow = isSoftware();
    this.#renderer = new WebGLRenderer({
      canvas,
      alpha: true,
      antialias: !this.isSlow,
      powerPreference: "high-performance",
    });
    this.#renderer.autoClear = false;
    this.#renderer.setClearColor(0, 0);
    // As the tracer's previews are shown.
    this.#renderer.toneMapping = AgXToneMapping;
    this.scene.add(this.#backdrop.mesh);
    this.#aside = new Aside(this.#renderer);
  }

  add(...objects: (Object3D | Group)[]): void {
    this.scene.add(...objects);
  }

  setSky(sky: Sky): void {
    this.#backdrop.show(sky);
  }

  /** In CSS pixels; true when it differs from before. */
  resize(width: number, height: number): boolean {
    if (this.#size.width === width && this.#size.height === height) return false;
    this.#size = { width, height };
    return true;
  }

  /** 1 is as sharp as the screen; less is quicker. */
  setSharpness(sharpness: number): void {
    this.#sharpness = sharpness;
  }

  /** Begins to draw the scene where nobody sees it. */
  prepare(camera: PerspectiveCamera): void {
    const ratio = this.#ratio;
    const { width, height } = this.#size;
    this.#aside.draw(this.scene, camera, Math.floor(width * ratio), Math.floor(height * ratio));
  }

  /** Whether what was begun last is drawn. */
  get isPrepared(): boolean {
    return this.#aside.isDone;
  }

  /** `prepared`: what was drawn aside is shown, instead of the scene being drawn. */
  draw(camera: PerspectiveCamera, { opacity, width }: Exposure, prepared: boolean): void {
    const renderer = this.#renderer;
    this.#fit();
    renderer.setScissorTest(false);
    renderer.clear();
    if (opacity > 0 && width > 0) {
      renderer.setScissorTest(width < 1);
      renderer.setScissor(0, 0, width * this.#size.width, this.#size.height);
      if (prepared) this.#aside.put();
      else renderer.render(this.scene, camera);
      if (opacity < 1) {
        this.#veil.material.opacity = opacity;
        renderer.render(this.#veil, this.#veilCamera);
      }
      renderer.setScissorTest(false);
    }
    renderer.clearDepth();
    renderer.render(this.overlay, camera);
  }

  /** What was drawn last, for measuring. */
  get info() {
    return this.#renderer.info;
  }

  dispose(): void {
    this.#aside.dispose();
    this.#backdrop.dispose();
    this.#veil.geometry.dispose();
    this.#veil.material.dispose();
    this.#renderer.dispose();
  }

  get #ratio(): number {
    return Math.min(globalThis.devicePixelRatio || 1, MOST_PIXELS_A_POINT) * this.#sharpness;
  }

  #fit(): void {
    const { width, height } = this.#size;
    const fitted = `${width} ${height} ${this.#ratio}`;
    if (this.#fitted === fitted) return;
    this.#fitted = fitted;
    this.#renderer.setPixelRatio(this.#ratio);
    this.#renderer.setSize(width, height, false);
  }
}

/** Multiplies what was drawn by its opacity. */
function veil() {
  const material = new MeshBasicMaterial({
    blending: CustomBlending,
    blendSrc: ZeroFactor,
    blendDst: SrcAlphaFactor,
    blendSrcAlpha: ZeroFactor,
    blendDstAlpha: SrcAlphaFactor,
    transparent: true,
    depthTest: false,
    depthWrite: false,
    toneMapped: false,
  });
  const mesh = new Mesh(new PlaneGeometry(2, 2), material);
  mesh.frustumCulled = false;
  return mesh;
}

/** Whether WebGL is drawn by the processor; asked of a canvas that nobody sees. */
function isSoftware(): boolean {
  const context = document.createElement("canvas").getContext("webgl2");
  const details = context?.getExtension("WEBGL_debug_renderer_info");
  const name = details == null ? "" : String(context?.getParameter(details.UNMASKED_RENDERER_WEBGL));
  context?.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}
