import { Raycaster, Sphere, Vector2, Vector3 } from "three";
import type { Properties, SceneDocument } from "../document/scene";
import type { Member } from "../document/subject";
import { isTriple, type Triple } from "../document/vector";
import { Bodies } from "./bodies";
import { Gizmo, type GizmoHost, type GizmoState } from "./gizmo";
import { Ground, gridStep } from "./ground";
import { type HazeUniforms, hazeOf, setHaze } from "./haze";
import { Images } from "./images";
import { Lens } from "./lens";
import { Lighting } from "./lighting";
import { Markers } from "./markers";
import type { ModelFormat } from "./models";
import { Navigation } from "./navigation";
import { Pace } from "./pace";
import { type Exposure, Picture } from "./picture";
import { type Sky, skyMap, skyOf } from "./sky";
import { type LoadTriangles, Triangles } from "./triangles";
import { aim, isSamePlace, looking, setDepthRange } from "./viewpoint";

/** What the stage tells the page. */
export interface StageHost extends Omit<GizmoHost, "redraw"> {
  /** A person looks from elsewhere. */
  looked(camera: Properties): void;
  /** Whether a pointer moves the camera. */
  orbiting(active: boolean): void;
  loadTriangles: LoadTriangles;
  /** Where an uploaded picture is had from. */
  addressOfImage(asset: string): string;
}

export interface Ball {
  center: Triple;
  /** In metres. */
  radius: number;
}

export interface StageState {
  scene: SceneDocument;
  /** Through which it is looked at. */
  camera: Properties;
  hidden: ReadonlySet<string>;
  grid: boolean;
  /** Width over height. */
  aspect: number;
  /** Whether one looks from elsewhere than the scene's camera. */
  isPrivate: boolean;
}

/** How long the scene takes to fade out, in milliseconds. */
const FADE_MS = 150;

/** The scene as three.js draws it, with a camera that can be moved and handles on what is selected. Draws on demand. */
export class Stage {
  readonly #camera = new Lens();
  readonly #bodies: Bodies;
  readonly #triangles: Triangles;
  readonly #images: Images;
  readonly #lighting = new Lighting();
  readonly #markers = new Markers();
  readonly #ground = new Ground();
  readonly #navigation: Navigation;
  readonly #gizmo: Gizmo;
  readonly #pace: Pace;
  /** None where there is no WebGL: then there is a camera to be moved, and nothing else. */
  readonly #picture: Picture | null;
  #state: StageState | null = null;
  #exposure: Exposure = { opacity: 0, width: 1 };
  /** The opacity it fades to. */
  #goal = 0;
  /** When the fading went on last, in milliseconds. */
  #fadedAt: number | null = null;
  /** Whether a pointer holds the camera. */
  #held = false;
  /** Whether what is drawn aside, or will be, is the scene as it is now. */
  #isPrepared = false;
  #frame = 0;

  constructor(
    canvas: HTMLCanvasElement,
    private readonly host: StageHost,
  ) {
    this.#triangles = new Triangles(host.loadTriangles, (id) => {
      this.#bodies.renew(id);
      if (this.#state !== null) this.show(this.#state);
    });
    this.#picture = pictureOn(canvas, this.#lighting.quick.uniforms);
    const isSlow = this.#picture?.isSlow ?? false;
    this.#images = new Images(host.addressOfImage, () => this.redraw());
    this.#bodies = new Bodies(this.#triangles, this.#lighting.quick, this.#images, isSlow);
    this.#pace = new Pace(isSlow, ({ sharpness, ease }) => {
      this.#picture?.setSharpness(sharpness);
      this.#bodies.setEase(ease);
      this.redraw();
    });
    this.#navigation = new Navigation(
      this.#camera,
      () => this.#moved(),
      (active) => this.#hold(active),
    );
    this.#gizmo = new Gizmo(this.#camera, {
      preview: (calls) => {
        this.#pace.moving();
        host.preview(calls);
      },
      commit: (calls) => host.commit(calls),
      dragging: (active) => {
        this.#navigation.enabled = !active;
        this.#pace.hold(active);
        host.dragging(active);
      },
      redraw: () => this.#drawSoon(),
    });
    // What is compiled now does not hold up the first move.
    if (this.#pace.isSlow) this.#pace.moving();
    this.#picture?.add(this.#bodies.group, this.#lighting.group, this.#markers.group, this.#ground.lines);
    this.#picture?.overlay.add(...this.#gizmo.objects);
  }

  /** Where pointers are heard: handles on the first, the camera on all. */
  connect(elements: readonly HTMLElement[]): void {
    const [first] = elements;
    // Handles are asked before the camera.
    if (first !== undefined) this.#gizmo.connect(first);
    this.#navigation.connect(elements);
  }

  resize(width: number, height: number): void {
    if (width > 0 && height > 0 && this.#picture?.resize(width, height)) this.redraw();
  }

  show(state: StageState): void {
    const before = this.#state;
    this.#state = state;
    const { scene, camera, hidden, aspect, isPrivate, grid } = state;
    const changed = this.#bodies.show(scene, hidden);
    // All of many things is drawn once they stay as they are: each time takes a slow machine long.
    if (changed && this.#pace.isSlow && this.#bodies.areMany) this.#pace.moving();
    if (changed || scene.lights !== before?.scene.lights || scene.environment !== before.scene.environment) {
      const bounds = this.#bodies.bounds();
      this.#lighting.show(scene, hidden, bounds?.center ?? new Vector3());
      const highest = bounds === null ? 0 : bounds.center.y + bounds.radius;
      const { environment } = scene;
      setHaze(this.#lighting.quick.uniforms, hazeOf(environment, skyOf(environment), highest));
    }
    if (scene.environment !== before?.scene.environment) this.#showSky(skyOf(scene.environment));
    if (camera !== before?.camera || aspect !== before.aspect) {
      aim(this.#camera, camera, aspect);
      if (isTriple(camera.look_at)) this.#navigation.follow(new Vector3(...camera.look_at));
    }
    this.#ground.lines.visible = grid;
    const size = 0.15 * this.#distance();
    this.#markers.show(scene, hidden, isPrivate ? scene.camera : null, aspect, size);
    this.redraw();
  }

  showHandles(handles: Omit<GizmoState, "step" | "pivot">): void {
    const pivot = this.#pivotOf(handles.members);
    this.#gizmo.show({ ...handles, pivot, step: gridStep(this.#distance()) });
    this.#drawSoon();
  }

  /** How much of the scene is drawn: it comes at once, and fades out. */
  expose({ opacity, width }: Exposure): void {
    this.#goal = opacity;
    this.#fadedAt = null;
    const isSudden = this.#pace.isSlow || matchMedia("(prefers-reduced-motion: reduce)").matches;
    // Nothing is on the canvas yet: what costs little comes at once, all of it when it is ready.
    if (this.#pace.isSlow && this.#exposure.opacity === 0 && opacity > 0 && !this.#isPrepared)
      this.#pace.moving();
    const now = opacity > this.#exposure.opacity || isSudden ? opacity : this.#exposure.opacity;
    this.#exposure = { opacity: now, width };
    this.#drawSoon();
  }

  /** Whether there is a picture at all. */
  get draws(): boolean {
    return this.#picture !== null;
  }

  /** What a point of the picture shows, (0, 0) its top left and (1, 1) its bottom right corner. */
  pick(x: number, y: number): string | null {
    const [right, up] = [2 * x - 1, 1 - 2 * y];
    const mark = this.#markers.at(right, up, this.#camera);
    if (mark !== null) return mark;
    const ray = new Raycaster();
    ray.setFromCamera(new Vector2(right, up), this.#camera);
    const [first] = ray.intersectObject(this.#bodies.group, true);
    return first === undefined ? null : this.#bodies.idAt(first);
  }

  /** Whether a pointer is on a handle or holds one. */
  get handled(): boolean {
    return this.#gizmo.dragging || this.#gizmo.pointed;
  }

  cancelDrag(): boolean {
    return this.#gizmo.cancel();
  }

  /** Moves the camera as a key says; false when it says nothing. */
  key(event: Pick<KeyboardEvent, "key" | "shiftKey">): boolean {
    return this.#navigation.key(event);
  }

  /** A ball around what is drawn, of some objects or of all; null for nothing. */
  bounds(ids: readonly string[] | null): Ball | null {
    const box = ids === null ? null : this.#bodies.boxOf(ids);
    if (box?.isEmpty()) return null;
    const ball = box === null ? this.#bodies.bounds() : box.getBoundingSphere(new Sphere());
    return ball === null ? null : { center: ball.center.toArray(), radius: ball.radius };
  }

  /** What is drawn, as a file for other programs. */
  async writtenAs(format: ModelFormat): Promise<Blob> {
    const { written } = await import("./models");
    return written(this.#bodies.models(), format);
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
    this.#pace.dispose();
    this.#navigation.dispose();
    this.#gizmo.dispose();
    this.#bodies.dispose();
    this.#triangles.dispose();
    this.#images.dispose();
    this.#lighting.dispose();
    this.#markers.dispose();
    this.#ground.dispose();
    this.#picture?.dispose();
  }

  #draw(now: number): void {
    if (this.#state === null || this.#picture === null) return;
    setDepthRange(this.#camera, this.#bodies.bounds());
    this.#ground.show(this.#navigation.target, this.#distance());
    const isAside = this.#pace.isThorough && this.#exposure.opacity > 0;
    if (isAside && !this.#prepare(this.#picture)) {
      this.#drawSoon();
      return;
    }
    this.#picture.draw(this.#camera, this.#exposure, isAside);
    this.#pace.drawn(now);
    if (this.#fade(now)) this.#drawSoon();
  }

  /** Has the scene drawn aside, so that the page goes on meanwhile; true when that is done. */
  #prepare(picture: Picture): boolean {
    if (!this.#isPrepared) picture.prepare(this.#camera);
    this.#isPrepared = true;
    return picture.isPrepared;
  }

  #showSky(sky: Sky): void {
    this.#picture?.setSky(sky);
    this.#bodies.setReflected(skyMap(sky));
  }

  /** One step towards the opacity that is to be; whether there are more. */
  #fade(now: number): boolean {
    const { opacity, width } = this.#exposure;
    if (opacity <= this.#goal) return false;
    const passed = this.#fadedAt === null ? 0 : now - this.#fadedAt;
    this.#fadedAt = now;
    this.#exposure = { opacity: Math.max(this.#goal, opacity - passed / FADE_MS), width };
    return true;
  }

  #moved(): void {
    if (this.#state === null) return;
    const { camera } = this.#state;
    const look = looking(this.#camera, this.#navigation.target, camera);
    // A pointer that only clicks moves nothing.
    if (isSamePlace(look, camera)) return;
    this.#pace.moving();
    if (this.#held) this.host.orbiting(true);
    this.host.looked(look);
    this.redraw();
  }

  #hold(active: boolean): void {
    this.#held = active;
    this.#pace.hold(active);
    if (!active) this.host.orbiting(false);
  }

  /** A mesh is turned about its own origin, anything else about its middle, several things about theirs. */
  #pivotOf(members: readonly Member[]): Triple | null {
    const [only] = members;
    const { translation } = only?.object.properties ?? {};
    if (members.length === 1 && isTriple(translation)) return translation;
    const box = this.#bodies.boxOf(members.map(({ object }) => object.id));
    for (const { object } of members) {
      const { center } = object.properties;
      if (box.isEmpty() && isTriple(center)) box.expandByPoint(new Vector3(...center));
    }
    return box.isEmpty() ? null : box.getCenter(new Vector3()).toArray();
  }

  #distance(): number {
    return this.#camera.position.distanceTo(this.#navigation.target);
  }
}

function pictureOn(canvas: HTMLCanvasElement, haze: HazeUniforms): Picture | null {
  try {
    return new Picture(canvas, haze);
  } catch {
    return null;
  }
}
