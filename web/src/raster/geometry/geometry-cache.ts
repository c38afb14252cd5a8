import type { BufferGeometry } from "three";
import { createGeometry, type Primitive, primitiveKey, type Tessellation } from "./primitives";
import type { ServerMeshes } from "./server-meshes";

/** The geometries of primitives, one for each tessellation. Meshes from the server are owned by `ServerMeshes`. */
export class GeometryCache {
  readonly #geometries = new Map<string, Map<Tessellation, BufferGeometry>>();

  constructor(private readonly meshes: ServerMeshes) {}

  geometry(form: Primitive, detail: Tessellation): BufferGeometry {
    if (form.kind === "triangles") return this.meshes.geometry(form.key);
    const key = primitiveKey(form);
    const details = this.#geometries.get(key) ?? new Map<Tessellation, BufferGeometry>();
    this.#geometries.set(key, details);
    const geometry = details.get(detail) ?? createGeometry(form, detail);
    details.set(detail, geometry);
    return geometry;
  }

  /** Frees the geometries of primitives that are not among the keys. */
  retain(keys: ReadonlySet<string>): void {
    for (const [key, details] of this.#geometries) {
      if (keys.has(key)) continue;
      for (const geometry of details.values()) geometry.dispose();
      this.#geometries.delete(key);
    }
  }

  dispose(): void {
    this.retain(new Set());
  }
}
