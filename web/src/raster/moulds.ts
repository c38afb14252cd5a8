import type { BufferGeometry } from "three";
import { type Detail, type Form, formKey, geometryOf } from "./forms";
import type { Triangles } from "./triangles";

/** The geometries of forms, made once for each detail. Triangles from the server belong to who asked for them. */
export class Moulds {
  readonly #made = new Map<string, Map<Detail, BufferGeometry>>();

  constructor(private readonly triangles: Triangles) {}

  geometry(form: Form, detail: Detail): BufferGeometry {
    if (form.kind === "triangles") return this.triangles.geometry(form.key);
    const key = formKey(form);
    const details = this.#made.get(key) ?? new Map<Detail, BufferGeometry>();
    this.#made.set(key, details);
    const geometry = details.get(detail) ?? geometryOf(form, detail);
    details.set(detail, geometry);
    return geometry;
  }

  /** Frees what nothing of these forms, by key, needs. */
  keepOnly(keys: ReadonlySet<string>): void {
    for (const [key, details] of this.#made) {
      if (keys.has(key)) continue;
      for (const geometry of details.values()) geometry.dispose();
      this.#made.delete(key);
    }
  }

  dispose(): void {
    this.keepOnly(new Set());
  }
}
