import { type Material, MeshStandardMaterial, type Texture } from "three";
import { materialKey, materialOf } from "./materials";
import type { Part } from "./parts";
import { type QuickLight, quickKindOf, quickMaterial } from "./quick";
import type { Surface } from "./surface";

/** All materials, made once each: they are few, and dear to compile. */
export class Wardrobe {
  readonly #whole = new Map<string, Material>();
  readonly #quick = new Map<string, Material>();
  #isQuick = false;
  #reflected: Texture | null = null;

  constructor(private readonly light: QuickLight) {}

  setQuick(quick: boolean): void {
    this.#isQuick = quick;
  }

  /** What glossy things mirror. */
  setReflected(map: Texture): void {
    this.#reflected?.dispose();
    this.#reflected = map;
    for (const material of this.#whole.values()) this.#mirror(material);
  }

  material(surface: Surface, side: Part["side"]): Material {
    const kind = quickKindOf(surface);
    return this.#isQuick
      ? kept(this.#quick, `${kind} ${side}`, () => quickMaterial(kind, side, this.light, false))
      : kept(this.#whole, materialKey({ surface, side }), () => this.#mirror(materialOf(surface, side)));
  }

  /** The quick material of parts that are drawn as one mesh. */
  mergedMaterial(surface: Surface, side: Part["side"]): Material {
    const kind = quickKindOf(surface);
    return kept(this.#quick, `merged ${kind} ${side}`, () => quickMaterial(kind, side, this.light, true));
  }

  dispose(): void {
    for (const material of [...this.#whole.values(), ...this.#quick.values()]) material.dispose();
    this.#reflected?.dispose();
    this.#whole.clear();
    this.#quick.clear();
  }

  /** Not as the scene's environment: matte materials would take it, too, and have their light twice. */
  #mirror(material: Material): Material {
    if (material instanceof MeshStandardMaterial) material.envMap = this.#reflected;
    return material;
  }
}

function kept(map: Map<string, Material>, key: string, make: () => Material): Material {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
