import { effect, type Signal, signal } from "@preact/signals";
import type { Properties } from "../../document/scene";
import { RasterView, type RasterViewHost } from "../../raster/raster-view";
import { framingCamera } from "../../view/camera-moves";
import { Playback } from "../../view/playback";
import { withoutStage } from "../../view/viewport-controller";
import { fromBase64, joinMesh, type WebPageContents } from "../contents";

/** The elements of the page. */
interface ViewerElements {
  stage: HTMLElement;
  canvas: HTMLCanvasElement;
  note: HTMLElement;
}

const HINT = "Drag to look around";
const NO_WEBGL = "This browser has no WebGL, which is needed to look around.";
const NOTHING: ReadonlySet<string> = new Set();

/** A scene that was saved as a web page: its traced picture, and the raster view once somebody takes hold of it. */
export class Viewer {
  /** Null for the scene's. */
  readonly camera: Signal<Properties | null>;
  readonly showsPicture: Signal<boolean> = signal(true);
  readonly playback: Playback;
  readonly #aspect: Signal<number> = signal(1);
  #raster: RasterView | null = null;

  constructor(
    readonly contents: WebPageContents,
    private readonly elements: ViewerElements,
  ) {
    this.camera = signal(contents.camera);
    this.playback = new Playback({
      scene: signal(contents.scene),
      revision: signal(contents.moments?.revision ?? null),
      load: async () => contents.moments,
      nextFrame: (callback) => void requestAnimationFrame(callback),
    });
  }

  /** Builds the scene and takes pointers and keys; false where the browser cannot draw. */
  start(): boolean {
    const { stage, canvas, note } = this.elements;
    const raster = new RasterView(canvas, this.#host());
    if (!raster.hasWebGl) {
      note.textContent = NO_WEBGL;
      return false;
    }
    this.#raster = raster;
    this.playback.start();
    note.textContent = HINT;
    const measure = () => {
      const { clientWidth: width, clientHeight: height } = stage;
      if (width * height === 0) return;
      raster.resize(width, height);
      this.#aspect.value = width / height;
    };
    measure();
    new ResizeObserver(measure).observe(stage);
    raster.connect([stage]);
    effect(() => this.#show(raster));
    effect(() => {
      const isPicture = this.showsPicture.value;
      raster.setVisibility({ opacity: isPicture ? 0 : 1, width: 1 });
      stage.dataset.shows = isPicture ? "picture" : "scene";
      if (!isPicture) note.textContent = "";
    });
    canvas.addEventListener("webglcontextlost", (event) => {
      // Otherwise it does not come back.
      event.preventDefault();
      this.showsPicture.value = true;
    });
    canvas.addEventListener("webglcontextrestored", () => raster.redraw());
    stage.addEventListener("keydown", (event) => {
      if (!event.ctrlKey && !event.metaKey && !event.altKey && raster.key(event)) event.preventDefault();
    });
    return true;
  }

  /** Back to what was seen first. */
  showPicture(): void {
    this.playback.stop();
    this.camera.value = this.contents.camera;
    this.showsPicture.value = true;
  }

  lookFrom(camera: Properties): void {
    this.camera.value = camera;
    this.showsPicture.value = false;
  }

  /** Looks at everything. */
  fit(): void {
    const scene = this.playback.scene.value;
    const ids = withoutStage(scene, []).map(({ object }) => object.id);
    const ball = this.#raster?.bounds(ids.length === 0 ? null : ids) ?? null;
    if (ball === null) return;
    this.lookFrom(framingCamera(drawable(this.camera.value ?? scene.camera), ball, this.#aspect.value));
  }

  togglePlaying(): void {
    this.showsPicture.value = false;
    this.playback.toggle();
  }

  #show(raster: RasterView): void {
    const scene = this.playback.scene.value;
    raster.show({
      scene,
      camera: drawable(this.camera.value ?? scene.camera),
      hidden: NOTHING,
      grid: false,
      aspect: this.#aspect.value,
      isPrivate: false,
      isPlaying: this.playback.playing.value,
    });
  }

  #host(): RasterViewHost {
    const { meshes, bodies } = this.contents;
    const meshOf = new Map(meshes.map((mesh) => [mesh.shape, mesh]));
    const pictures = new Map(this.contents.pictures);
    const atRest = new Set(this.contents.scene.shapes);
    return {
      cameraChanged: (camera) => this.lookFrom(camera),
      orbiting: () => {},
      dragging: () => {},
      preview: () => {},
      commit: () => {},
      whenSettled: () => Promise.resolve(),
      knows: (shape) => atRest.has(shape),
      loadMesh: async (shape) => {
        const mesh = meshOf.get(shape);
        if (mesh === undefined) throw new Error(`this page has no triangles of '${shape}'`);
        return joinMesh(mesh.header, fromBase64(bodies[mesh.body] ?? ""));
      },
      imageUrl: (asset) => pictures.get(asset) ?? "data:,",
    };
  }
}

/** A panoramic camera is for pictures only: from its place one looks with perspective. */
function drawable(camera: Properties): Properties {
  return camera.projection === "panoramic" ? { ...camera, projection: "perspective" } : camera;
}
