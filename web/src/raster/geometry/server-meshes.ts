import { BufferAttribute, BufferGeometry, Matrix4, Vector3 } from "three";
import type { SceneObject } from "../../document/scene";
import type { Transform } from "../../document/transform/transform";
import { transformBetween } from "../../document/transform/transform-between";
import { add, isTriple, rotatedAxes, scale, type Triple } from "../../document/vector";
import { type PlacedPrimitive, placedPrimitive } from "../../kinds/primitives";

/** Where the triangles of shapes come from, in the form that `docs/protocol.md` describes. */
export interface MeshSource {
  /** Waits until the server has the scene as this page shows it. */
  whenSettled(): Promise<void>;
  /** Whether the server has a shape like this, or will: it does not know what an animation has moved. */
  knows(shape: SceneObject): boolean;
  loadMesh(shapeId: string): Promise<ArrayBuffer>;
}

interface LoadedMesh {
  geometry: BufferGeometry;
  /** From the shape's own frame to the world, as the server said. */
  matrix: Matrix4;
}

/** So many unused meshes are cached: undo may bring them back. */
const MAX_UNUSED = 64;

/** The meshes of shapes that this page cannot tessellate itself: uploads, and kinds without a primitive. */
export class ServerMeshes {
  readonly #loaded = new Map<string, LoadedMesh>();
  /** Keys that are being loaded; a failed one is retried when the shape changes. */
  readonly #loading = new Set<string>();
  /** The key that each shape asked for last, until all is settled. */
  readonly #asked = new Map<string, string>();
  /** The key of what each shape is to show. */
  readonly #wanted = new Map<string, string>();
  /** What each shape showed last, while its new mesh is loading. */
  readonly #last = new Map<string, { key: string; shape: SceneObject }>();
  #isSettling = false;

  constructor(
    private readonly source: MeshSource,
    private readonly onLoaded: (shapeIds: readonly string[]) => void,
  ) {}

  /** The mesh of a shape; until it has loaded the one before, moved as the shape was; null for none. */
  placedMesh(shape: SceneObject): PlacedPrimitive | null {
    const key = keyOf(shape);
    this.#wanted.set(shape.id, key);
    const known = this.#loaded.get(key);
    if (known !== undefined) {
      this.#last.set(shape.id, { key, shape });
      return { primitive: { kind: "triangles", key }, matrix: meshMatrix(shape) ?? known.matrix };
    }
    if (this.source.knows(shape)) {
      this.#asked.set(shape.id, key);
      void this.#loadAsked();
    }
    const last = this.#last.get(shape.id);
    const before = last === undefined ? undefined : this.#loaded.get(last.key);
    if (last === undefined || before === undefined) return null;
    const way = transformBetween(last.shape, shape);
    // Where more than its place and size has changed, it stays as it was.
    const matrix = way === null ? before.matrix : transformMatrix(way).multiply(before.matrix);
    return { primitive: { kind: "triangles", key: last.key }, matrix };
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

  /** Loads what is asked for once all is settled: what a drag only passes through is never asked for. */
  async #loadAsked(): Promise<void> {
    if (this.#isSettling) return;
    this.#isSettling = true;
    await this.source.whenSettled();
    this.#isSettling = false;
    const asked = [...this.#asked];
    this.#asked.clear();
    for (const [id, key] of asked) if (this.#wanted.get(id) === key) void this.#load(key, id);
  }

  async #load(key: string, id: string): Promise<void> {
    if (this.#loading.has(key) || this.#loaded.has(key)) return;
    this.#loading.add(key);
    try {
      this.#loaded.set(key, parseMesh(await this.source.loadMesh(id)));
      this.#trim(key);
    } catch (error) {
      // Its box, where the document tells it, stands for it.
      console.warn("the triangles of a shape could not be loaded", error);
      return;
    } finally {
      this.#loading.delete(key);
    }
    this.onLoaded(this.#shapesOf(key));
  }

  /** The ids of the shapes that are to show a mesh. */
  #shapesOf(key: string): string[] {
    return [...this.#wanted].filter(([, wanted]) => wanted === key).map(([id]) => id);
  }

  #trim(newest: string): void {
    const used = new Set([...[...this.#last.values()].map((last) => last.key), newest]);
    for (const [key, { geometry }] of this.#loaded) {
      if (this.#loaded.size <= MAX_UNUSED) return;
      if (used.has(key)) continue;
      geometry.dispose();
      this.#loaded.delete(key);
    }
  }
}

/** The shapes whose triangles come from the server, with the key of each. */
export function serverMeshKeys(shapes: readonly SceneObject[]): [shape: string, key: string][] {
  return shapes
    .filter(({ type, properties }) => placedPrimitive(type, properties) === null)
    .map((shape) => [shape.id, keyOf(shape)]);
}

/** Names the triangles: meshes of one upload share them, wherever they stand. */
function keyOf({ type, properties }: SceneObject): string {
  if (type === "mesh") return `mesh ${String(properties.asset)}`;
  const { material: _, ...geometry } = properties;
  return `${type} ${JSON.stringify(geometry)}`;
}

function transformMatrix({ pivot, axes, factor, translation }: Transform): Matrix4 {
  const [x, y, z] = axes.map((axis) => new Vector3(...axis)) as [Vector3, Vector3, Vector3];
  const back = new Matrix4().makeTranslation(...scale(pivot, -1));
  return new Matrix4()
    .makeTranslation(...add(pivot, translation))
    .multiply(new Matrix4().makeBasis(x, y, z).scale(new Vector3(factor, factor, factor)))
    .multiply(back);
}

/** A mesh is scaled, then turned, then moved; null for other types. */
function meshMatrix({ type, properties }: SceneObject): Matrix4 | null {
  if (type !== "mesh") return null;
  const { translation, rotation, scale: factors = 1 } = properties;
  const sizes: Triple = isTriple(factors)
    ? factors
    : typeof factors === "number"
      ? [factors, factors, factors]
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
