import { type BufferGeometry, Color, DynamicDrawUsage, InstancedMesh, type Material, Matrix4 } from "three";
import type { Part } from "./parts";
import type { Laid } from "./patterned";

/** Room for more than there is, so that adding one thing does not make all anew. */
const SPARE = 1.5;
const LEAST_ROOM = 4;

/** Where a part stands in a batch; it moves up when another goes. */
export interface Slot {
  batch: Batch;
  index: number;
}

/** What the parts of a batch have in common; a pattern is of one object alone. */
export interface Kind extends Pick<Part, "form" | "surface" | "side"> {
  patterned: { id: string; laid: Laid } | null;
}

/** How the parts of a batch are drawn. */
export interface Dress {
  geometry: BufferGeometry;
  material: Material;
}

/** Parts of one form and one material, drawn by one call. */
export class Batch {
  mesh: InstancedMesh;
  /** What is drawn, in the order of the instances. */
  readonly #entries: { id: string; slot: Slot }[] = [];

  constructor(
    /** What its parts have in common. */
    public kind: Kind,
    dress: Dress,
    private readonly onReplaced: (before: InstancedMesh, after: InstancedMesh) => void,
  ) {
    this.mesh = this.#meshFor(LEAST_ROOM, dress);
  }

  /** Draws the same parts in another way. */
  wear({ geometry, material }: Dress): void {
    if (this.mesh.geometry !== geometry) {
      this.mesh.geometry = geometry;
      this.#forgetBounds();
    }
    this.mesh.material = material;
  }

  /** Takes other looks of the same kind. */
  become(kind: Kind, dress: Dress): void {
    this.kind = kind;
    this.wear(dress);
  }

  get size(): number {
    return this.#entries.length;
  }

  /** The id of the object whose part an instance is. */
  idOf(instance: number): string | null {
    return this.#entries[instance]?.id ?? null;
  }

  add(id: string, { matrix, surface }: Part): Slot {
    const index = this.#entries.length;
    if (index === this.mesh.instanceMatrix.count) this.#grow();
    const slot: Slot = { batch: this, index };
    this.#entries.push({ id, slot });
    this.mesh.setMatrixAt(index, matrix);
    this.mesh.setColorAt(index, new Color(...surface.colour));
    this.#changed();
    return slot;
  }

  /** The last part takes the place of the one that goes. */
  remove({ index }: Slot): void {
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

  /** Frees the buffers of the instances; geometry and material belong to others. */
  dispose(): void {
    this.mesh.removeFromParent();
    this.mesh.dispose();
  }

  #changed(): void {
    this.mesh.count = this.#entries.length;
    this.mesh.instanceMatrix.needsUpdate = true;
    if (this.mesh.instanceColor !== null) this.mesh.instanceColor.needsUpdate = true;
    this.#forgetBounds();
  }

  #forgetBounds(): void {
    this.mesh.boundingSphere = null;
    this.mesh.boundingBox = null;
  }

  #grow(): void {
    const before = this.mesh;
    const after = this.#meshFor(Math.ceil(SPARE * before.instanceMatrix.count), {
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

  #meshFor(room: number, { geometry, material }: Dress): InstancedMesh {
    const mesh = new InstancedMesh(geometry, material, room);
    mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    mesh.count = 0;
    mesh.matrixAutoUpdate = false;
    // All of them are somewhere in view: what asks for their bounds costs more than it saves.
    mesh.frustumCulled = false;
    mesh.userData.batch = this;
    return mesh;
  }
}
