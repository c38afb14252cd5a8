import { type BufferGeometry, Color, DynamicDrawUsage, InstancedMesh, type Material, Matrix4 } from "three";
import type { ChartedPattern } from "../materials/patterned";
import { castsShadow } from "../materials/surface";
import type { Part } from "./parts";

/** Growth factor of the instance buffers, so that adding an object rarely reallocates them. */
const GROWTH = 1.5;
const MIN_CAPACITY = 4;

/** The place of a part in a batch; it changes when another is removed. */
export interface InstanceSlot {
  batch: Batch;
  index: number;
}

/** What the parts of a batch have in common; a pattern belongs to one object. */
export interface BatchKind extends Pick<Part, "primitive" | "surface" | "side"> {
  patterned: { id: string; charted: ChartedPattern } | null;
}

/** How the parts of a batch are drawn. */
export interface Appearance {
  geometry: BufferGeometry;
  material: Material;
}

/** Parts of one primitive and one material, drawn by one call. */
export class Batch {
  mesh: InstancedMesh;
  /** What is drawn, in the order of the instances. */
  readonly #entries: { id: string; slot: InstanceSlot }[] = [];

  constructor(
    /** What its parts have in common. */
    public kind: BatchKind,
    appearance: Appearance,
    private readonly onReplaced: (before: InstancedMesh, after: InstancedMesh) => void,
  ) {
    this.mesh = this.#createMesh(MIN_CAPACITY, appearance);
  }

  /** Sets geometry and material. */
  setAppearance({ geometry, material }: Appearance): void {
    if (this.mesh.geometry !== geometry) {
      this.mesh.geometry = geometry;
      this.#invalidateBounds();
    }
    this.mesh.material = material;
  }

  /** Changes the pattern. */
  update(kind: BatchKind, appearance: Appearance): void {
    this.kind = kind;
    this.setAppearance(appearance);
  }

  get size(): number {
    return this.#entries.length;
  }

  /** The id of the object whose part an instance is. */
  idOf(instance: number): string | null {
    return this.#entries[instance]?.id ?? null;
  }

  add(id: string, { matrix, surface }: Part): InstanceSlot {
    const index = this.#entries.length;
    if (index === this.mesh.instanceMatrix.count) this.#grow();
    const slot: InstanceSlot = { batch: this, index };
    this.#entries.push({ id, slot });
    this.mesh.setMatrixAt(index, matrix);
    this.mesh.setColorAt(index, new Color(...surface.colour));
    this.#changed();
    return slot;
  }

  /** The last part takes the place of the removed one. */
  remove({ index }: InstanceSlot): void {
    const last = this.#entries.pop();
    if (last === undefined) return;
    if (last.slot.index !== index) {
      const matrix = new Matrix4();
      const colour = new Color();
      this.mesh.getMatrixAt(last.slot.index, matrix);
      this.mesh.getColorAt(last.slot.index, colour);
      this.mesh.setMatrixAt(index, matrix);
      this.mesh.setColorAt(index, colour);
      last.slot.index = index;
      this.#entries[index] = last;
    }
    this.#changed();
  }

  /** Frees the instance buffers; geometry and material are shared. */
  dispose(): void {
    this.mesh.removeFromParent();
    this.mesh.dispose();
  }

  #changed(): void {
    this.mesh.count = this.#entries.length;
    this.mesh.instanceMatrix.needsUpdate = true;
    if (this.mesh.instanceColor !== null) this.mesh.instanceColor.needsUpdate = true;
    this.#invalidateBounds();
  }

  #invalidateBounds(): void {
    this.mesh.boundingSphere = null;
    this.mesh.boundingBox = null;
  }

  #grow(): void {
    const before = this.mesh;
    const after = this.#createMesh(Math.ceil(GROWTH * before.instanceMatrix.count), {
      geometry: before.geometry,
      material: before.material as Material,
    });
    after.instanceMatrix.array.set(before.instanceMatrix.array);
    after.setColorAt(0, new Color());
    if (before.instanceColor !== null) after.instanceColor?.array.set(before.instanceColor.array);
    this.mesh = after;
    this.onReplaced(before, after);
    before.dispose();
  }

  #createMesh(room: number, { geometry, material }: Appearance): InstancedMesh {
    const mesh = new InstancedMesh(geometry, material, room);
    mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    mesh.count = 0;
    mesh.matrixAutoUpdate = false;
    // Culling costs more than it saves: some instance is nearly always in view.
    mesh.frustumCulled = false;
    mesh.castShadow = castsShadow(this.kind.surface);
    mesh.receiveShadow = mesh.castShadow;
    mesh.userData.batch = this;
    return mesh;
  }
}
