import { BufferAttribute, BufferGeometry, Group, type Material, Mesh } from "three";
import { isCostly } from "../../document/texture";
import type { Batch } from "./batch";

/** Parts of more vertices than this are drawn by themselves. */
const MAX_VERTICES = 400;

/**
 * Many small parts as one mesh, for software rendering: it treats each instance as a draw call of its own, which
 * costs more than the triangles of small things.
 */
export class MergedBatches {
  readonly group = new Group();
  readonly #replaced = new Set<Batch>();

  /** Replaces small batches; those of one material, by `materialOf`, become one mesh. */
  show(batches: Iterable<Batch>, materialOf: (kind: Batch["kind"]) => Material): void {
    this.hide();
    const alike = new Map<Material, Batch[]>();
    for (const batch of batches) {
      const isPatterned = batch.kind.patterned !== null && !isCostly(batch.kind.patterned.charted.pattern);
      if (batch.size === 0 || isPatterned || vertexCount(batch) > MAX_VERTICES) continue;
      const material = materialOf(batch.kind);
      alike.set(material, [...(alike.get(material) ?? []), batch]);
      this.#replaced.add(batch);
      batch.mesh.visible = false;
    }
    for (const [material, members] of alike) {
      const mesh = new Mesh(mergeBatches(members), material);
      mesh.matrixAutoUpdate = false;
      mesh.frustumCulled = false;
      // A pointer meets the parts themselves.
      mesh.raycast = () => {};
      this.group.add(mesh);
    }
  }

  /** Draws the batches themselves again. */
  hide(): void {
    for (const batch of this.#replaced) batch.mesh.visible = true;
    this.#replaced.clear();
    for (const mesh of this.group.children) (mesh as Mesh).geometry.dispose();
    this.group.clear();
  }
}

function vertexCount({ mesh }: Batch): number {
  const { position, normal } = mesh.geometry.attributes;
  const isWhole = mesh.geometry.index !== null && normal !== undefined;
  return isWhole ? (position?.count ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY;
}

/** The parts of some batches in world space, with vertex colours. */
function mergeBatches(batches: readonly Batch[]): BufferGeometry {
  const total = (count: (batch: Batch) => number) =>
    batches.reduce((sum, batch) => sum + batch.size * count(batch), 0);
  const corners = total(({ mesh }) => mesh.geometry.getAttribute("position").count);
  const target = {
    positions: new Float32Array(3 * corners),
    normals: new Float32Array(3 * corners),
    colours: new Float32Array(3 * corners),
    indices: new Uint32Array(total(({ mesh }) => mesh.geometry.index?.count ?? 0)),
  };
  let [corner, index] = [0, 0];
  for (const batch of batches) {
    const count = batch.mesh.geometry.getAttribute("position").count;
    const indices = batch.mesh.geometry.index?.array ?? [];
    for (let instance = 0; instance < batch.size; instance += 1) {
      writeVertices(batch, instance, corner, target);
      for (let at = 0; at < indices.length; at += 1) {
        target.indices[index + at] = corner + (indices[at] as number);
      }
      corner += count;
      index += indices.length;
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(target.positions, 3));
  geometry.setAttribute("normal", new BufferAttribute(target.normals, 3));
  geometry.setAttribute("color", new BufferAttribute(target.colours, 3));
  return geometry.setIndex(new BufferAttribute(target.indices, 1));
}

type Target = Record<"positions" | "normals" | "colours", Float32Array>;

/** Writes the vertices of one part; normals are not normalized. */
function writeVertices({ mesh }: Batch, instance: number, corner: number, target: Target): void {
  const places = mesh.geometry.getAttribute("position").array;
  const normals = mesh.geometry.getAttribute("normal").array;
  const matrix = mesh.instanceMatrix.array.subarray(16 * instance, 16 * instance + 16);
  const colour = mesh.instanceColor?.array.subarray(3 * instance, 3 * instance + 3) ?? [1, 1, 1];
  // Columns stand at right angles, or on the one that counts: a normal grows where its axis shrinks.
  const squares = [0, 4, 8].map(
    (at) => entry(matrix, at) ** 2 + entry(matrix, at + 1) ** 2 + entry(matrix, at + 2) ** 2,
  );
  for (let from = 0; from < places.length; from += 3) {
    const to = 3 * corner + from;
    for (let row = 0; row < 3; row += 1) {
      let place = entry(matrix, 12 + row);
      let normal = 0;
      for (let column = 0; column < 3; column += 1) {
        const share = entry(matrix, 4 * column + row);
        place += share * entry(places, from + column);
        normal += (share * entry(normals, from + column)) / (squares[column] || 1);
      }
      target.positions[to + row] = place;
      target.normals[to + row] = normal;
      target.colours[to + row] = entry(colour, row);
    }
  }
}

function entry(list: ArrayLike<number>, at: number): number {
  return list[at] as number;
}
