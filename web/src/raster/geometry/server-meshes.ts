import { BufferAttribute, BufferGeometry, Matrix4 } from "three";
import type { SceneObject } from "../../document/scene";
import { isTriple, rotatedAxes, type Triple } from "../../document/vector";
import type { PlacedPrimitive } from "../../kinds/primitives";

/** Asks the server for the triangles of a shape, in the form that `docs/protocol.md` describes. */
export type LoadMesh = (shapeId: string) => Promise<ArrayBuffer>;

interface LoadedMesh {
  geometry: BufferGeometry;
  /** From the shape's own frame to the world, as the server said. */
  matrix: Matrix4;
}

/** So many unused meshes are cached: undo may bring them back. */
const MAX_UNUSED = 64;

/** The meshes of shapes that this page cannot tessellate itself: uploads, and kinds newer than it. */
export class ServerMeshes {
  readonly #loaded = new Map<string, LoadedMesh>();
  /** Keys that are being loaded; a failed one is retried when the shape changes. */
  readonly #loading = new Set<string>();
  /** What each shape showed last, while its new mesh is loading. */
  readonly #last = new Map<string, string>();

  constructor(
    private readonly load: LoadMesh,
    private readonly onLoaded: (shapeId: string) => void,
  ) {}

  /** The mesh of a shape; null until it has loaded. */
  placedMesh(shape: SceneObject): PlacedPrimitive | null {
    const key = keyOf(shape);
    const known = this.#loaded.get(key);
    if (known !== undefined) {
      this.#last.set(shape.id, key);
      return { primitive: { kind: "triangles", key }, matrix: meshMatrix(shape) ?? known.matrix };
    }
    void this.#request(shape.id, key);
    const last = this.#last.get(shape.id);
    const before = last === undefined ? undefined : this.#loaded.get(last);
    return last === undefined || before === undefined
      ? null
      : { primitive: { kind: "triangles", key: last }, matrix: before.matrix };
  }

  /** Whether their corners have u and v. */
  hasUv(key: string): boolean {
    return this.geometry(key).hasAttribute("uv");
  }

  geometry(key: string): BufferGeometry {
    return this.#loaded.get(key)?.geometry ?? new BufferGeometry();
  }

  dispose(): void {
    for (const { geometry } of this.#loaded.values()) geometry.dispose();
    this.#loaded.clear();
  }

  async #request(id: string, key: string): Promise<void> {
    if (this.#loading.has(key)) return;
    this.#loading.add(key);
    try {
      this.#loaded.set(key, parseMesh(await this.load(id)));
      this.#trim(key);
    } catch (error) {
      // Its box, where the document tells it, stands for it.
      console.warn(`the triangles of ${id} could not be had`, error);
      return;
    } finally {
      this.#loading.delete(key);
    }
    this.onLoaded(id);
  }

  #trim(newest: string): void {
    const used = new Set([...this.#last.values(), newest]);
    for (const [key, { geometry }] of this.#loaded) {
      if (this.#loaded.size <= MAX_UNUSED) return;
      if (used.has(key)) continue;
      geometry.dispose();
      this.#loaded.delete(key);
    }
  }
}

/** Names the triangles: meshes of one upload share them, wherever they stand. */
function keyOf({ type, properties }: SceneObject): string {
  if (type === "mesh") return `mesh ${String(properties.asset)}`;
  const { material: _, ...geometry } = properties;
  return `${type} ${JSON.stringify(geometry)}`;
}

/** A mesh is scaled, then turned, then moved; null for other types. */
function meshMatrix({ type, properties }: SceneObject): Matrix4 | null {
  if (type !== "mesh") return null;
  const { translation, rotation, scale } = properties;
  const sizes: Triple = isTriple(scale)
    ? scale
    : typeof scale === "number"
      ? [scale, scale, scale]
      : [1, 1, 1];
  const [x, y, z] = rotatedAxes(isTriple(rotation) ? rotation : [0, 0, 0]);
  const [a, b, c] = sizes;
  const [left, up, back] = isTriple(translation) ? translation : [0, 0, 0];
  return new Matrix4().set(
    ...([x[0] * a, y[0] * b, z[0] * c, left] as const),
    ...([x[1] * a, y[1] * b, z[1] * c, up] as const),
    ...([x[2] * a, y[2] * b, z[2] * c, back] as const),
    ...([0, 0, 0, 1] as const),
  );
}

/** Reads an answer; fails when it is not in its form. */
export function parseMesh(bytes: ArrayBuffer): LoadedMesh {
  const length = new DataView(bytes).getUint32(0, true);
  const text = new TextDecoder().decode(new Uint8Array(bytes, 4, length));
  const header = JSON.parse(text) as {
    vertices: number;
    triangles: number;
    normals: boolean;
    /** Not from servers that are older than this page. */
    uv?: boolean;
    matrix: number[][];
  };
  let at = 4 + length;
  const take = <T>(make: (start: number) => T, count: number): T => {
    const taken = make(at);
    at += 4 * count;
    return taken;
  };
  const floats = (each: number) => {
    const count = each * header.vertices;
    return new BufferAttribute(
      take((start) => new Float32Array(bytes, start, count), count),
      each,
    );
  };
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", floats(3));
  if (header.normals) geometry.setAttribute("normal", floats(3));
  const indices = take((start) => new Uint32Array(bytes, start, 3 * header.triangles), 3 * header.triangles);
  geometry.setIndex(new BufferAttribute(indices, 1));
  if (header.uv) geometry.setAttribute("uv", floats(2));
  const [x = [], y = [], z = []] = header.matrix;
  const rows = [...x, ...y, ...z, 0, 0, 0, 1] as Parameters<Matrix4["set"]>;
  const matrix = new Matrix4().set(...rows);
  if (header.normals) return { geometry, matrix };
  // Without normals each triangle is flat, so that no two share a corner.
  const flat = geometry.toNonIndexed();
  flat.computeVertexNormals();
  return { geometry: flat, matrix };
}
