import {
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
import { Backdrop } from "../environment/backdrop";
import type { Surroundings } from "../environment/surroundings";
import type { FogUniforms } from "../lighting/fog";
import { OffscreenTarget } from "./offscreen-target";
import { setToneMap } from "./tone-map";

/** Which part of the raster view is shown, and how opaque. */
export interface RasterVisibility {
  /** Of the scene, 0 to 1; what stands over everything is always whole. */
  opacity: number;
  /** From the left, how much of the width the scene takes, 0 to 1. */
  width: number;
}

/** More pixels per CSS pixel are not visible, and slow. */
const MAX_PIXEL_RATIO = 2;

/** Renders the scene with its sky to a canvas, and overlays on top of it. */
export class CanvasRenderer {
  readonly scene = new Scene();
  /** Handles: drawn over everything, also where the scene is not drawn. */
  readonly overlay = new Scene();
  /** Whether WebGL is rendered in software: then every pixel is slow. */
  readonly isSoftware: boolean;
  readonly #renderer: WebGLRenderer;
  readonly #backdrop: Backdrop;
  readonly #offscreen: OffscreenTarget;
  readonly #fadeQuad = createFadeQuad();
  readonly #fadeCamera = new OrthographicCamera(-1, 1, 1, -1, 0, 1);
  #size = { width: 1, height: 1 };
  #resolutionScale = 1;
  #showsShadows = true;
  #staleShadows = true;
  /** How many pixels the canvas has; it is emptied when that changes, so that waits for what is drawn next. */
  #bufferKey = "";

  /** Fails where there is no WebGL. */
  constructor(
    readonly canvas: HTMLCanvasElement,
    fog: FogUniforms,
  ) {
    this.#backdrop = new Backdrop(fog);
    this.isSoftware = detectSoftwareRendering();
    this.#renderer = new WebGLRenderer({
      canvas,
      alpha: true,
      antialias: !this.isSoftware,
      powerPreference: "high-performance",
    });
    this.#renderer.autoClear = false;
    this.#renderer.setClearColor(0, 0);
    setToneMap(this.#renderer);
    this.#renderer.shadowMap.enabled = true;
    // Shadows are as the camera finds them until something moves.
    this.#renderer.shadowMap.autoUpdate = false;
    this.scene.add(this.#backdrop.mesh);
    this.#offscreen = new OffscreenTarget(this.#renderer);
  }

  add(...objects: (Object3D | Group)[]): void {
    this.scene.add(...objects);
  }

  /** What light is multiplied by ahead of the tone map. */
  setExposure(factor: number): void {
    this.#renderer.toneMappingExposure = factor;
  }

  /** What casts shadows is no longer as it was. */
  shadowsChanged(): void {
    this.#staleShadows = true;
  }

  /** Whether what is drawn has shadows: things of low detail cast none, and show none. */
  setShadows(shown: boolean): void {
    this.#showsShadows = shown;
  }

  setSurroundings(surroundings: Surroundings): void {
    this.#backdrop.show(surroundings);
  }

  /** In CSS pixels; true when it differs from before. */
  resize(width: number, height: number): boolean {
    if (this.#size.width === width && this.#size.height === height) return false;
    this.#size = { width, height };
    return true;
  }

  /** 1 is as sharp as the screen; less is quicker. */
  setResolutionScale(scale: number): void {
    this.#resolutionScale = scale;
  }

  /** Begins to render the scene off screen. */
  prepare(camera: PerspectiveCamera): void {
    this.#updateShadows();
    const ratio = this.#ratio;
    const { width, height } = this.#size;
    this.#offscreen.draw(this.scene, camera, Math.floor(width * ratio), Math.floor(height * ratio));
  }

  /** Whether the off-screen render has finished. */
  get isPrepared(): boolean {
    return this.#offscreen.isDone;
  }

  /** `prepared`: copies the off-screen render instead of rendering the scene. */
  draw(camera: PerspectiveCamera, { opacity, width }: RasterVisibility, prepared: boolean): void {
    const renderer = this.#renderer;
    this.#resizeBuffer();
    renderer.setScissorTest(false);
    renderer.clear();
    if (opacity > 0 && width > 0) {
      renderer.setScissorTest(width < 1);
      renderer.setScissor(0, 0, width * this.#size.width, this.#size.height);
      if (prepared) this.#offscreen.copyToCanvas();
      else {
        this.#updateShadows();
        renderer.render(this.scene, camera);
      }
      if (opacity < 1) {
        this.#fadeQuad.material.opacity = opacity;
        renderer.render(this.#fadeQuad, this.#fadeCamera);
      }
      renderer.setScissorTest(false);
    }
    renderer.clearDepth();
    renderer.render(this.overlay, camera);
  }

  /** The scene as a PNG, as sharp as the screen, without what stands over it. The canvas has to be drawn anew then. */
  capture(camera: PerspectiveCamera): Promise<Blob | null> {
    const scale = this.#resolutionScale;
    this.#resolutionScale = 1;
    this.#resizeBuffer();
    this.#resolutionScale = scale;
    this.#renderer.clear();
    this.#updateShadows();
    this.#renderer.render(this.scene, camera);
    // Before the browser shows the canvas, which empties it.
    return new Promise((resolve) => this.canvas.toBlob(resolve, "image/png"));
  }

  /** What was drawn last, for measuring. */
  get info() {
    return this.#renderer.info;
  }

  dispose(): void {
    this.#offscreen.dispose();
    this.#backdrop.dispose();
    this.#fadeQuad.geometry.dispose();
    this.#fadeQuad.material.dispose();
    this.#renderer.dispose();
  }

  /** Has shadow maps drawn with the next picture, where they are old. */
  #updateShadows(): void {
    if (!this.#staleShadows || !this.#showsShadows) return;
    this.#staleShadows = false;
    this.#renderer.shadowMap.needsUpdate = true;
  }

  get #ratio(): number {
    return Math.min(globalThis.devicePixelRatio || 1, MAX_PIXEL_RATIO) * this.#resolutionScale;
  }

  #resizeBuffer(): void {
    const { width, height } = this.#size;
    const fitted = `${width} ${height} ${this.#ratio}`;
    if (this.#bufferKey === fitted) return;
    this.#bufferKey = fitted;
    this.#renderer.setPixelRatio(this.#ratio);
    this.#renderer.setSize(width, height, false);
  }
}

/** A quad that multiplies what was drawn by an opacity. */
function createFadeQuad() {
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

/** Whether WebGL is rendered in software; asked of a canvas that is not in the page. */
function detectSoftwareRendering(): boolean {
  const context = document.createElement("canvas").getContext("webgl2");
  const details = context?.getExtension("WEBGL_debug_renderer_info");
  const name = details == null ? "" : String(context?.getParameter(details.UNMASKED_RENDERER_WEBGL));
  context?.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}
