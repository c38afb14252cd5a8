import { Box3, Group, type InstancedMesh, type Intersection, Sphere, type Texture } from "three";
import type { SceneDocument, SceneObject } from "../document/scene";
import { Batch, type Dress, type Slot } from "./batch";
import { type Detail, formKey, isClosed } from "./forms";
import { materialKey } from "./materials";
import { Moulds } from "./moulds";
import { type Part, partsOfLight, partsOfShape } from "./parts";
import { PRESETS } from "./presets";
import type { QuickLight } from "./quick";
import { Throng } from "./throng";
import type { Triangles } from "./triangles";
import { Wardrobe } from "./wardrobe";

/** Past so many parts each gets fewer triangles. */
const MANY_PARTS = 300;
/** Past so many parts all of their triangles are too many for each frame of a move on a slow machine. */
const SOME_PARTS = 30;

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
  #detail: Detail = "fine";
  #isQuick = false;
  #hidden: ReadonlySet<string> = new Set();

  constructor(
    private readonly triangles: Triangles,
    light: QuickLight,
  ) {
    this.#moulds = new Moulds(triangles);
    this.#wardrobe = new Wardrobe(light);
  }

  /** What glossy things mirror. */
  setReflected(map: Texture): void {
    this.#wardrobe.setReflected(map);
  }

  /** Draws what costs little, or the whole of it. */
  setQuick(quick: boolean): void {
    if (quick === this.#isQuick) return;
    this.#isQuick = quick;
    this.#wardrobe.setQuick(quick);
    for (const batch of this.#batches.values()) batch.wear(this.#dressOf(batch.kind));
    if (quick) this.#gather();
    else this.#scatter();
  }

  /** Draws the document, without what is hidden; true when anything changed. */
  show({ shapes, lights }: Pick<SceneDocument, "shapes" | "lights">, hidden: ReadonlySet<string>): boolean {
    const detail: Detail = shapes.length + lights.length > MANY_PARTS ? "coarse" : "fine";
    if (detail !== this.#detail) {
      this.clear();
      this.#detail = detail;
    }
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
    if (changed) this.#dropEmpty();
    if (changed && this.#isQuick) this.#gather();
    return changed;
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

  /** The box around what is drawn of some objects; empty for nothing. */
  boxOf(ids: readonly string[]): Box3 {
    const whole = new Box3();
    for (const { form, matrix } of ids.flatMap((id) => this.#drawn.get(id)?.parts ?? [])) {
      const geometry = this.#moulds.geometry(form, this.#detail);
      if (geometry.boundingBox === null) geometry.computeBoundingBox();
      if (geometry.boundingBox !== null) whole.union(geometry.boundingBox.clone().applyMatrix4(matrix));
    }
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
    const slots = parts.map((part) => this.#put(object.id, part));
    this.#drawn.set(object.id, { object, parts, slots });
    return true;
  }

  #put(id: string, part: Part): Slot {
    const key = `${formKey(part.form)} | ${materialKey(part)}`;
    let batch = this.#batches.get(key);
    if (batch === undefined) {
      const replaced = (before: InstancedMesh, after: InstancedMesh) => {
        this.group.remove(before);
        this.group.add(after);
      };
      batch = new Batch(part, this.#dressOf(part), replaced);
      this.group.add(batch.mesh);
      this.#batches.set(key, batch);
    }
    return batch.add(id, part);
  }

  #take(slots: readonly Slot[]): void {
    for (const slot of slots) slot.batch.remove(slot);
  }

  #dressOf({ form, surface, side }: Batch["kind"]): Dress {
    const detail = this.#isQuick ? this.#quickDetail() : this.#detail;
    const seen = this.#isQuick ? seenSide({ form, side }) : side;
    return {
      geometry: this.#moulds.geometry(form, detail),
      material: this.#wardrobe.material(surface, seen),
    };
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

  #quickDetail(): Detail {
    if (this.#detail === "coarse") return "rough";
    return this.#drawn.size > SOME_PARTS ? "coarse" : this.#detail;
  }

  /** Lets go of geometries that nothing uses; materials are few and dear to compile, so they stay. */
  #dropEmpty(): void {
    const used = new Set<string>();
    for (const [key, batch] of this.#batches) {
      if (batch.size > 0) used.add(formKey(batch.kind.form));
      else {
        batch.dispose();
        this.#batches.delete(key);
      }
    }
    this.#moulds.keepOnly(used);
  }
}

/** Half of the triangles of what is closed are turned away. */
function seenSide({ form, side }: Pick<Part, "form" | "side">): Part["side"] {
  return side === "both" && isClosed(form) ? "front" : side;
}
