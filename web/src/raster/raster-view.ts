import { Sphere, type Texture, Vector3 } from "three";
import type { Box } from "../document/placement";
import type { Properties, SceneDocument } from "../document/scene";
import { isTriple, type Triple } from "../document/vector";
import type { Ghost } from "../view/ghost";
import type { Surfaces } from "../view/surfaces";
import { applyCameraProperties, cameraPropertiesOf, isSameView, setDepthRange } from "./camera/camera-pose";
import { Navigation } from "./camera/navigation";
import { ViewportCamera } from "./camera/viewport-camera";
import { Panoramas } from "./environment/panorama";
import { environmentMap } from "./environment/sky";
import { panoramaAssetOf, type Surroundings, surroundingsOf } from "./environment/surroundings";
import { type MeshSource, ServerMeshes, serverMeshKeys } from "./geometry/server-meshes";
import { BodyDrag } from "./helpers/body-drag";
import { GhostView } from "./helpers/ghost-view";
import { Gizmo, type GizmoHost, type GizmoState } from "./helpers/gizmo";
import { Grid, gridStep } from "./helpers/grid";
import { Markers } from "./helpers/markers";
import { pivotOf } from "./helpers/pivot";
import { type FogUniforms, fogOf, setFogUniforms } from "./lighting/fog";
import { Lighting } from "./lighting/lighting";
import { contentOf } from "./lighting/shadows";
import { ImageTextures } from "./materials/image-textures";
import { DrawnSurfaces, heightBelow } from "./objects/drawn-surfaces";
import type { ModelFormat } from "./objects/model-export";
import { Picking } from "./objects/picking";
import { SceneObjects } from "./objects/scene-objects";
import { AdaptiveQuality } from "./render/adaptive-quality";
import { CanvasRenderer, type RasterVisibility } from "./render/canvas-renderer";
import { Fade } from "./render/fade";

/** Callbacks of the raster view. */
export interface RasterViewHost extends Omit<GizmoHost, "redraw" | "boxOf" | "heightBelow">, MeshSource {
  /** The user has moved the camera. */
  cameraChanged(camera: Properties): void;
  /** Whether a pointer moves the camera. */
  orbiting(active: boolean): void;
  /** The URL of an uploaded image. */
  imageUrl(asset: string): string;
}

export interface BoundingSphere {
  center: Triple;
  /** In metres. */
  radius: number;
}

export interface RasterViewState {
  scene: SceneDocument;
  /** The viewport's camera. */
  camera: Properties;
  hidden: ReadonlySet<string>;
  grid: boolean;
  /** Width over height. */
  aspect: number;
  /** Whether the viewport has a camera of its own. */
  isPrivate: boolean;
  /** Whether an animation is played: each of its frames has to be drawn in time. */
  isPlaying: boolean;
}

/** The scene rendered by three.js, with orbit controls and a gizmo on the selection. Renders on demand. */
export class RasterView {
  /** What rays find in what is drawn. */
  readonly surfaces: Surfaces;
  readonly serverMeshKeys = serverMeshKeys;
  readonly #camera = new ViewportCamera();
  readonly #objects: SceneObjects;
  readonly #meshes: ServerMeshes;
  readonly #images: ImageTextures;
  readonly #panoramas: Panoramas;
  readonly #lighting = new Lighting();
  readonly #markers = new Markers();
  readonly #grid = new Grid();
  readonly #ghost = new GhostView();
  readonly #navigation: Navigation;
  readonly #gizmo: Gizmo;
  readonly #picking: Picking;
  readonly #bodyDrag: BodyDrag;
  readonly #quality: AdaptiveQuality;
  /** Null without WebGL: then there is only a camera to move. */
  readonly #renderer: CanvasRenderer | null;
  #state: RasterViewState | null = null;
  #surroundings: Surroundings | null = null;
  /** What reflections show without a picture. */
  #skyMap: Texture | null = null;
  readonly #fade = new Fade();
  /** Whether a pointer holds the camera. */
  #held = false;
  /** Whether the off-screen render is up to date, or will be. */
  #isPrepared = false;
  #frame = 0;

  constructor(
    canvas: HTMLCanvasElement,
    private readonly host: RasterViewHost,
  ) {
    this.#meshes = new ServerMeshes(host, (ids) => {
      for (const id of ids) this.#objects.invalidate(id);
      if (this.#state !== null) this.show(this.#state);
    });
    this.#renderer = createRenderer(canvas, this.#lighting.lowDetail.uniforms);
    const isSlow = this.#renderer?.isSoftware ?? false;
    this.#images = new ImageTextures(host.imageUrl, () => this.redraw());
    this.#panoramas = new Panoramas(host.imageUrl, () => {
      this.#surroundings = null;
      if (this.#state !== null) this.show(this.#state);
    });
    this.#objects = new SceneObjects(this.#meshes, this.#lighting.lowDetail, this.#images, isSlow);
    const surfaces = new DrawnSurfaces(this.#objects);
    this.surfaces = surfaces;
    this.#quality = new AdaptiveQuality(isSlow, ({ resolutionScale, detailLevel }) => {
      this.#renderer?.setResolutionScale(resolutionScale);
      this.#objects.setDetailLevel(detailLevel);
      this.#renderer?.setShadows(detailLevel === "full");
      this.redraw();
    });
    this.#navigation = new Navigation(
      this.#camera,
      (point) => surfaces.groundBelow(point.toArray()),
      () => this.#moved(),
      (active) => this.#hold(active),
    );
    this.#gizmo = new Gizmo(this.#camera, {
      preview: (calls) => {
        this.#quality.cameraMoved();
        host.preview(calls);
      },
      commit: (calls) => host.commit(calls),
      dragging: (active) => {
        this.#navigation.enabled = !active;
        this.#quality.setHeld(active);
        host.dragging(active);
      },
      redraw: () => this.#drawSoon(),
      boxOf: (ids) => this.boxOf(ids),
      // From above what is seen from here, so that a box gets onto a table, but not onto the ceiling.
      heightBelow: (box, ignored) =>
        heightBelow(this.surfaces, box, Math.max(this.#camera.position.y, box.max[1]), ignored),
    });
    this.#picking = new Picking(this.#camera, this.#objects, this.#markers, this.surfaces);
    this.#bodyDrag = new BodyDrag(this.#picking, this.#gizmo, this);
    // What is compiled now does not hold up the first move.
    if (this.#quality.isSlow) this.#quality.cameraMoved();
    this.#renderer?.add(this.#objects.group, this.#lighting.group, this.#markers.group, this.#grid.lines);
    this.#renderer?.add(this.#ghost.group);
    this.#renderer?.overlay.add(...this.#gizmo.objects);
  }

  /** Where pointers are heard: handles on the first, the camera on all. */
  connect(elements: readonly HTMLElement[]): void {
    const [first] = elements;
    // Handles are asked before the camera.
    if (first !== undefined) {
      this.#gizmo.connect(first);
      this.#bodyDrag.connect(first);
    }
    this.#navigation.connect(elements);
  }

  resize(width: number, height: number): void {
    if (width > 0 && height > 0 && this.#renderer?.resize(width, height)) this.redraw();
  }

  show(state: RasterViewState): void {
    const before = this.#state;
    this.#state = state;
    const { scene, camera, hidden, aspect, isPrivate, grid, isPlaying } = state;
    const changed = this.#objects.show(scene, hidden);
    // All of many things is drawn once they stay as they are: each time takes a slow machine long.
    const waits = changed && this.#quality.isSlow && this.#objects.isLarge;
    if (waits || isPlaying) this.#quality.cameraMoved();
    const surroundings = this.#surroundingsOf(scene.environment, before?.scene.environment);
    const isNewSky = surroundings !== this.#surroundings;
    this.#surroundings = surroundings;
    if (changed || scene.lights !== before?.scene.lights || isNewSky) {
      const bounds = this.#objects.bounds();
      const content = contentOf(this.#objects.boxes());
      this.#lighting.show(scene, surroundings, hidden, bounds?.center ?? new Vector3(), content);
      this.#renderer?.shadowsChanged();
      const highest = bounds === null ? 0 : bounds.center.y + bounds.radius;
      const { environment } = scene;
      setFogUniforms(this.#lighting.lowDetail.uniforms, fogOf(environment, surroundings.sky, highest));
    }
    if (isNewSky) this.#showSurroundings(surroundings);
    const { exposure } = scene.camera;
    if (exposure !== before?.scene.camera.exposure) {
      const factor = typeof exposure === "number" ? 2 ** exposure : 1;
      this.#renderer?.setExposure(factor);
      this.#lighting.lowDetail.uniforms.exposure.value = factor;
    }
    if (camera !== before?.camera || aspect !== before.aspect) {
      applyCameraProperties(this.#camera, camera, aspect);
      if (isTriple(camera.look_at)) this.#navigation.setTarget(new Vector3(...camera.look_at));
    }
    this.#grid.lines.visible = grid;
    const size = 0.15 * this.#distance();
    this.#markers.show(scene, hidden, isPrivate ? scene.camera : null, aspect, size);
    this.redraw();
  }

  /** With handles at a chosen pivot, or with null where they are best. */
  showGizmo(handles: Omit<GizmoState, "step" | "pivot">, chosen: Triple | null): void {
    const pivot = () => pivotOf(handles.members, handles.mode, chosen, this);
    this.#gizmo.show({ ...handles, pivot, step: gridStep(this.#distance()) });
    this.#drawSoon();
  }

  /** Shows an object where it would stand; null for none. */
  showGhost(ghost: Ghost | null): void {
    if (!this.#ghost.show(ghost)) return;
    this.#quality.cameraMoved();
    this.redraw();
  }

  /** How much of the scene is drawn: it comes at once, and fades out. */
  setVisibility(visibility: RasterVisibility): void {
    const isSudden = this.#quality.isSlow || matchMedia("(prefers-reduced-motion: reduce)").matches;
    // Nothing is on the canvas yet: what costs little comes at once, all of it when it is ready.
    const comes = this.#fade.visibility.opacity === 0 && visibility.opacity > 0;
    if (this.#quality.isSlow && comes && !this.#isPrepared) this.#quality.cameraMoved();
    this.#fade.set(visibility, isSudden);
    this.#drawSoon();
  }

  /** Whether there is a picture at all. */
  get hasWebGl(): boolean {
    return this.#renderer !== null;
  }

  /** The object that a point of the picture shows, (0, 0) its top left and (1, 1) its bottom right corner. */
  pick(x: number, y: number, ignored?: ReadonlySet<string>): string | null {
    return this.#picking.pick(x, y, ignored);
  }

  /** The point of a surface, or else of the ground, that a point of the picture shows. */
  pointAt(x: number, y: number): Triple | null {
    return this.#picking.pointAt(x, y);
  }

  /** Whether a point of the picture shows what is selected, which a pointer can move from there. */
  isMovable(x: number, y: number): boolean {
    return this.#bodyDrag.isMovable(x, y);
  }

  /** Whether a pointer is on a handle or holds one. */
  get isGizmoActive(): boolean {
    return this.#gizmo.dragging || this.#gizmo.pointed;
  }

  cancelDrag(): boolean {
    return this.#bodyDrag.cancel() || this.#gizmo.cancel();
  }

  /** Moves the camera as a key says; false when it says nothing. */
  key(event: Pick<KeyboardEvent, "key" | "shiftKey">): boolean {
    return this.#navigation.key(event);
  }

  /** A ball around what is drawn, of some objects or of all; null for nothing. */
  bounds(ids: readonly string[] | null): BoundingSphere | null {
    const box = ids === null ? null : this.#objects.boxOf(ids);
    if (box?.isEmpty()) return null;
    const ball = box === null ? this.#objects.bounds() : box.getBoundingSphere(new Sphere());
    return ball === null ? null : { center: ball.center.toArray(), radius: ball.radius };
  }

  /** The box around what is drawn of some objects; null for nothing. */
  boxOf(ids: readonly string[]): Box | null {
    const box = this.#objects.boxOf(ids);
    return box.isEmpty() ? null : { min: box.min.toArray(), max: box.max.toArray() };
  }

  /** How high the surfaces right below a box reach, those of some objects left out. */
  heightBelow(box: Box, ignored: ReadonlySet<string>): number {
    const { min, max } = box;
    return heightBelow(this.surfaces, box, Math.max(0.5 * (min[1] + max[1]), min[1] + 0.01), ignored);
  }

  /** What is drawn as a PNG, without grid, marks and handles; null where nothing can be drawn. */
  async capture(): Promise<Blob | null> {
    const aside = [this.#grid.lines, this.#markers.group].filter(({ visible }) => visible);
    for (const each of aside) each.visible = false;
    setDepthRange(this.#camera, this.#drawnBounds());
    const captured = this.#renderer?.capture(this.#camera) ?? null;
    for (const each of aside) each.visible = true;
    this.redraw();
    return captured;
  }

  /** What is drawn, as a file for other programs. */
  async exportModel(format: ModelFormat): Promise<Blob> {
    const { exportModel } = await import("./objects/model-export");
    return exportModel(this.#objects.exportedParts(), format);
  }

  /** The scene is no longer as it was drawn. */
  redraw(): void {
    this.#isPrepared = false;
    this.#drawSoon();
  }

  #drawSoon(): void {
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame((now) => {
      this.#frame = 0;
      this.#draw(now);
    });
  }

  dispose(): void {
    cancelAnimationFrame(this.#frame);
    this.#quality.dispose();
    this.#navigation.dispose();
    this.#gizmo.dispose();
    this.#bodyDrag.dispose();
    this.#ghost.dispose();
    this.#objects.dispose();
    this.#meshes.dispose();
    this.#images.dispose();
    this.#panoramas.dispose();
    this.#skyMap?.dispose();
    this.#lighting.dispose();
    this.#markers.dispose();
    this.#grid.dispose();
    this.#renderer?.dispose();
  }

  #draw(now: number): void {
    if (this.#state === null || this.#renderer === null) return;
    setDepthRange(this.#camera, this.#drawnBounds());
    this.#grid.show(this.#navigation.target, this.#distance());
    const { visibility } = this.#fade;
    const isOffscreen = this.#quality.isSlowAtFullQuality && visibility.opacity > 0;
    if (isOffscreen && !this.#prepare(this.#renderer)) {
      this.#drawSoon();
      return;
    }
    this.#renderer.draw(this.#camera, visibility, isOffscreen);
    this.#quality.frameDrawn(now);
    if (this.#fade.step(now)) this.#drawSoon();
  }

  /** Around all that is drawn; null for nothing. */
  #drawnBounds(): Sphere | null {
    const bounds = this.#ghost.bounds.union(this.#objects.bounds() ?? new Sphere().makeEmpty());
    return bounds.isEmpty() ? null : bounds;
  }

  /** Renders the scene off screen, so that the page stays responsive; true when that has finished. */
  #prepare(picture: CanvasRenderer): boolean {
    if (!this.#isPrepared) picture.prepare(this.#camera);
    this.#isPrepared = true;
    return picture.isPrepared;
  }

  /** What is around the scene: as it was where nothing of it changed. */
  #surroundingsOf(environment: Properties, before: Properties | undefined): Surroundings {
    if (this.#surroundings !== null && environment === before) return this.#surroundings;
    const asset = panoramaAssetOf(environment);
    this.#panoramas.retain(asset);
    return surroundingsOf(environment, asset === null ? null : this.#panoramas.get(asset));
  }

  #showSurroundings(surroundings: Surroundings): void {
    const { sky, picture } = surroundings;
    this.#renderer?.setSurroundings(surroundings);
    const map = picture === null ? environmentMap(sky) : null;
    const reflected = picture ?? (map === null ? null : { texture: map, strength: 1, turn: 0 });
    if (reflected !== null) this.#objects.setReflections(reflected);
    this.#skyMap?.dispose();
    this.#skyMap = map;
  }

  #moved(): void {
    if (this.#state === null) return;
    const { camera } = this.#state;
    const look = cameraPropertiesOf(this.#camera, this.#navigation.target, camera);
    // A pointer that only clicks moves nothing.
    if (isSameView(look, camera)) return;
    this.#quality.cameraMoved();
    if (this.#held) this.host.orbiting(true);
    this.host.cameraChanged(look);
    this.redraw();
  }

  #hold(active: boolean): void {
    this.#held = active;
    this.#quality.setHeld(active);
    if (!active) this.host.orbiting(false);
  }

  #distance(): number {
    return this.#camera.position.distanceTo(this.#navigation.target);
  }
}

function createRenderer(canvas: HTMLCanvasElement, fog: FogUniforms): CanvasRenderer | null {
  try {
    return new CanvasRenderer(canvas, fog);
  } catch {
    return null;
  }
}
