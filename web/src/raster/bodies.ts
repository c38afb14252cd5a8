import { Box3, Group, type InstancedMesh, type Intersection, Sphere, type Texture } from "three";
import type { SceneDocument, SceneObject } from "../document/scene";
import { Batch, type Dress, type Kind, type Slot } from "./batch";
import { chartOf } from "./chart";
import { type Detail, detailFor, type Ease, formKey, isClosed, SOME_PARTS } from "./forms";
import type { Images } from "./images";
import { materialKey } from "./materials";
import type { Model } from "./models";
import { Moulds } from "./moulds";
import { type Part, partsOfLight, partsOfShape } from "./parts";
import type { Laid } from "./patterned";
import { PRESETS } from "./presets";
import type { QuickLight } from "./quick";
import { isCostly } from "./texture";
import { Throng } from "./throng";
import type { Triangles } from "./triangles";
import { patternedKey, Wardrobe } from "./wardrobe";

/** So many objects are drawn with their patterns, a draw call each; others have about their mean colour. */
const MOST_PATTERNED = 64;

interface Drawn {
  /** As it was drawn; null when it is to be drawn anew. */
  object: SceneObject | null;
  parts: readonly Part[];
  slots: readonly Slot[];
}

/** All that can be seen of the document's shapes and lights: follows it by what changed. */
export class Bodies {
  readonly group = new Group();
  readonly #drawn = new Map<string, Drawn>();
  readonly #batches = new Map<string, Batch>();
  readonly #moulds: Moulds;
  readonly #wardrobe: Wardrobe;
  readonly #throng = new Throng();
  /** How many objects the document has, hidden ones among them. */
  #count = 0;
  #ease: Ease = "whole";
  /** How round everything is drawn at present. */
  #worn: Detail = "fine";
  #hidden: ReadonlySet<string> = new Set();

  constructor(
    private readonly triangles: Triangles,
    light: QuickLight,
    images: Images,
    /** Whether the processor draws. */
    slow: boolean,
  ) {
    this.#moulds = new Moulds(triangles);
    this.#wardrobe = new Wardrobe(light, images, slow);
  }

  /** What glossy things mirror. */
  setReflected(map: Texture): void {
    this.#wardrobe.setReflected(map);
  }

  /** Draws what costs little, or the whole of it. */
  setEase(ease: Ease): void {
    if (ease === this.#ease) return;
    this.#ease = ease;
    this.#wardrobe.setQuick(this.#isQuick);
    this.#dressAll();
    if (this.#isQuick) this.#gather();
    else this.#scatter();
  }

  /** Draws the document, without what is hidden; true when anything changed. */
  show({ shapes, lights }: Pick<SceneDocument, "shapes" | "lights">, hidden: ReadonlySet<string>): boolean {
    this.#count = shapes.length + lights.length;
    this.#hidden = hidden;
    const present = new Set<string>();
    let changed = false;
    for (const shape of shapes) changed = this.#follow(shape, "shape", present) || changed;
    for (const light of lights) changed = this.#follow(light, "light", present) || changed;
    for (const [id, { slots }] of this.#drawn) {
      if (present.has(id)) continue;
      this.#take(slots);
      this.#drawn.delete(id);
      changed = true;
    }
    if (this.#detail !== this.#worn) this.#dressAll();
    if (changed) this.#dropEmpty();
    if (changed && this.#isQuick) this.#gather();
    return changed;
  }

  /** Whether drawing all of it takes a processor long. */
  get areMany(): boolean {
    return this.#count > SOME_PARTS;
  }

  /** The id of what a ray met first. */
  idAt({ object, instanceId }: Intersection): string | null {
    const batch = object.userData.batch as Batch | undefined;
    return instanceId === undefined ? null : (batch?.idOf(instanceId) ?? null);
  }

  /** A ball around everything; null for nothing. */
  bounds(): Sphere | null {
    const whole = new Sphere().makeEmpty();
    for (const { mesh } of this.#batches.values()) {
      if (mesh.boundingSphere === null) mesh.computeBoundingSphere();
      if (mesh.boundingSphere !== null) whole.union(mesh.boundingSphere);
    }
    return whole.isEmpty() ? null : whole;
  }

  /** All that is drawn, with its triangles: of lights what is seen of them. */
  models(): Model[] {
    const detail = detailFor(this.#count, "whole");
    return [...this.#drawn].flatMap(([id, { parts }]) =>
      parts
        .filter(({ surface }) => surface.kind !== "dark")
        .map(({ form, matrix, surface }) => ({
          id,
          matrix,
          surface,
          geometry: this.#moulds.geometry(form, detail),
        })),
    );
  }

  /** The box around what is drawn of some objects; empty for nothing. */
  boxOf(ids: readonly string[]): Box3 {
    const whole = new Box3();
    for (const part of ids.flatMap((id) => this.#drawn.get(id)?.parts ?? []))
      whole.union(this.#boxOfPart(part));
    return whole;
  }

  /** Has an object drawn anew: its triangles have come. */
  renew(id: string): void {
    const drawn = this.#drawn.get(id);
    if (drawn !== undefined) drawn.object = null;
  }

  clear(): void {
    this.#scatter();
    for (const batch of this.#batches.values()) batch.dispose();
    this.#moulds.dispose();
    for (const map of [this.#drawn, this.#batches]) map.clear();
  }

  dispose(): void {
    this.clear();
    this.#wardrobe.dispose();
  }

  #follow(object: SceneObject, kind: "shape" | "light", present: Set<string>): boolean {
    if (this.#hidden.has(object.id)) return false;
    present.add(object.id);
    const before = this.#drawn.get(object.id);
    if (before?.object === object) return false;
    if (before !== undefined) this.#take(before.slots);
    const parts =
      kind === "shape"
        ? partsOfShape(object, PRESETS, (shape) => this.triangles.of(shape))
        : partsOfLight(object);
    const slots = parts.map((part) => this.#put(object.id, part, this.#laidOn(object, part)));
    this.#drawn.set(object.id, { object, parts, slots });
    return true;
  }

  /** The pattern that a part shows; null where it has none, and where there are too many. */
  #laidOn(object: SceneObject, part: Part): Laid | null {
    const { pattern } = part.surface;
    if (pattern === null) return null;
    // Of an object that is edited the batch is empty by now: it keeps its place.
    const shown = [...this.#batches.values()].filter(({ kind, size }) => kind.patterned !== null && size > 0);
    if (shown.length >= MOST_PATTERNED) return null;
    const isNumbered = part.form.kind === "triangles" && this.triangles.areNumbered(part.form.key);
    const chart = chartOf(object, () => this.#boxOfPart(part), isNumbered);
    return chart === null ? null : { pattern, chart };
  }

  #put(id: string, part: Part, laid: Laid | null): Slot {
    const { form, surface, side } = part;
    const looks = laid === null ? materialKey(part) : patternedKey(id, surface, laid);
    const key = `${formKey(form)} | ${looks}`;
    const kind: Kind = { form, surface, side, patterned: laid === null ? null : { id, laid } };
    let batch = this.#batches.get(key);
    if (batch === undefined) {
      const replaced = (before: InstancedMesh, after: InstancedMesh) => {
        this.group.remove(before);
        this.group.add(after);
      };
      batch = new Batch(kind, this.#dressOf(kind), replaced);
      this.group.add(batch.mesh);
      this.#batches.set(key, batch);
    } else if (laid !== null) batch.become(kind, this.#dressOf(kind));
    return batch.add(id, part);
  }

  #take(slots: readonly Slot[]): void {
    for (const slot of slots) slot.batch.remove(slot);
  }

  #dressOf({ form, surface, side, patterned }: Kind): Dress {
    const seen = this.#isQuick ? seenSide({ form, side }) : side;
    const material =
      patterned === null || (this.#isQuick && isCostly(patterned.laid.pattern))
        ? this.#wardrobe.material(surface, seen)
        : this.#wardrobe.patterned(patterned.id, surface, seen, patterned.laid);
    return { geometry: this.#moulds.geometry(form, this.#detail), material };
  }

  #boxOfPart({ form, matrix }: Part): Box3 {
    const geometry = this.#moulds.geometry(form, detailFor(this.#count, "whole"));
    if (geometry.boundingBox === null) geometry.computeBoundingBox();
    return (geometry.boundingBox ?? new Box3()).clone().applyMatrix4(matrix);
  }

  /** Draws what is small as one. */
  #gather(): void {
    this.#throng.show(this.#batches.values(), (kind) =>
      this.#wardrobe.mergedMaterial(kind.surface, seenSide(kind)),
    );
    this.group.add(this.#throng.group);
  }

  #scatter(): void {
    this.#throng.hide();
    this.#throng.group.removeFromParent();
  }

  get #isQuick(): boolean {
    return this.#ease !== "whole";
  }

  /** How round everything is to be drawn. */
  get #detail(): Detail {
    return detailFor(this.#count, this.#ease);
  }

  #dressAll(): void {
    this.#worn = this.#detail;
    for (const batch of this.#batches.values()) batch.wear(this.#dressOf(batch.kind));
  }

  /** Lets go of geometries that nothing uses; materials are few and dear to compile, so they stay. */
  #dropEmpty(): void {
    const used = new Set<string>();
    const patterned = new Set<string>();
    for (const [key, batch] of this.#batches) {
      if (batch.size > 0) {
        const { form, surface, patterned: own } = batch.kind;
        used.add(formKey(form));
        if (own !== null) patterned.add(patternedKey(own.id, surface, own.laid));
      } else {
        batch.dispose();
        this.#batches.delete(key);
      }
    }
    this.#moulds.keepOnly(used);
    this.#wardrobe.keepPatterned(patterned);
  }
}

/** Half of the triangles of what is closed are turned away. */
function seenSide({ form, side }: Pick<Part, "form" | "side">): Part["side"] {
  return side === "both" && isClosed(form) ? "front" : side;
}
