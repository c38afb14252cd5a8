import {
  Box3,
  type BufferGeometry,
  Group,
  type InstancedMesh,
  type Intersection,
  Sphere,
  type Texture,
} from "three";
import type { SceneDocument, SceneObject } from "../document/scene";
import { Batch, type Slot } from "./batch";
import { type Detail, type Form, formKey, geometryOf } from "./forms";
import { materialKey } from "./materials";
import { type Part, partsOfLight, partsOfShape } from "./parts";
import { PRESETS } from "./presets";
import type { QuickLight } from "./quick";
import type { Triangles } from "./triangles";
import { Wardrobe } from "./wardrobe";

/** Past so many parts each gets fewer triangles. */
const MANY_PARTS = 300;

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
  readonly #geometries = new Map<string, BufferGeometry>();
  readonly #wardrobe: Wardrobe;
  #detail: Detail = "fine";
  #hidden: ReadonlySet<string> = new Set();

  constructor(
    private readonly triangles: Triangles,
    light: QuickLight,
  ) {
    this.#wardrobe = new Wardrobe(light);
  }

  /** What glossy things mirror. */
  setReflected(map: Texture): void {
    this.#wardrobe.setReflected(map);
  }

  /** Draws with materials that cost little, or with the whole ones. */
  setQuick(quick: boolean): void {
    if (!this.#wardrobe.setQuick(quick)) return;
    for (const batch of this.#batches.values())
      batch.material = this.#wardrobe.material(batch.surface, batch.side);
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
      const geometry = this.#geometry(form);
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
    for (const batch of this.#batches.values()) batch.dispose();
    for (const [key, geometry] of this.#geometries) if (!isBorrowed(key)) geometry.dispose();
    for (const map of [this.#drawn, this.#batches, this.#geometries]) map.clear();
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
      batch = new Batch(
        this.#geometry(part.form),
        this.#wardrobe.material(part.surface, part.side),
        part,
        replaced,
      );
      this.group.add(batch.mesh);
      this.#batches.set(key, batch);
    }
    return batch.add(id, part);
  }

  #take(slots: readonly Slot[]): void {
    for (const slot of slots) slot.batch.remove(slot);
  }

  #geometry(form: Form): BufferGeometry {
    const key = formKey(form);
    let geometry = this.#geometries.get(key);
    if (geometry === undefined) {
      geometry =
        form.kind === "triangles" ? this.triangles.geometry(form.key) : geometryOf(form, this.#detail);
      this.#geometries.set(key, geometry);
    }
    return geometry;
  }

  /** Lets go of geometries that nothing uses; materials are few and dear to compile, so they stay. */
  #dropEmpty(): void {
    const used = new Set<BufferGeometry>();
    for (const [key, batch] of this.#batches) {
      if (batch.size > 0) used.add(batch.geometry);
      else {
        batch.dispose();
        this.#batches.delete(key);
      }
    }
    for (const [key, geometry] of this.#geometries) {
      if (used.has(geometry)) continue;
      if (!isBorrowed(key)) geometry.dispose();
      this.#geometries.delete(key);
    }
  }
}

/** Triangles that came from the server belong to who asked for them. */
function isBorrowed(key: string): boolean {
  return key.startsWith("triangles ");
}
