import { type Material, MeshStandardMaterial, type Texture } from "three";
import { withHaze } from "./haze";
import type { Images } from "./images";
import { materialKey, materialOf } from "./materials";
import type { Part } from "./parts";
import { patternKey } from "./pattern-shader";
import { type Laid, type PatternUniforms, uniformsOf, withPattern } from "./patterned";
import { type QuickLight, quickKindOf, quickMaterial, quickPatterned } from "./quick";
import type { Surface } from "./surface";

/** All materials, made once each: they are few, and dear to compile. */
export class Wardrobe {
  readonly #whole = new Map<string, Material>();
  readonly #quick = new Map<string, Material>();
  /** Materials of one object's pattern each, by its key: the whole and the quick ones, which share their uniforms. */
  readonly #patterned = new Map<string, { uniforms: PatternUniforms; materials: Map<string, Material> }>();
  #isQuick = false;
  #reflected: Texture | null = null;

  constructor(
    private readonly light: QuickLight,
    private readonly images: Images,
    /** Whether the processor draws. */
    private readonly slow: boolean,
  ) {}

  setQuick(quick: boolean): void {
    this.#isQuick = quick;
  }

  /** What glossy things mirror. */
  setReflected(map: Texture): void {
    this.#reflected?.dispose();
    this.#reflected = map;
    for (const material of this.#whole.values()) this.#mirror(material);
    for (const { materials } of this.#patterned.values()) {
      for (const material of materials.values()) this.#mirror(material);
    }
  }

  /** A material of its own for a part of one object; the same again with another pattern of the same kind. */
  patterned(id: string, surface: Surface, side: Part["side"], laid: Laid): Material {
    const key = patternedKey(id, surface, laid);
    const image = laid.pattern.image === null ? null : this.images.get(laid.pattern.image);
    const uniforms = uniformsOf(laid, image);
    const known = this.#patterned.get(key) ?? { uniforms, materials: new Map<string, Material>() };
    this.#patterned.set(key, known);
    // The very objects that programs were given.
    for (const name of Object.keys(uniforms) as (keyof PatternUniforms)[]) {
      Object.assign(known.uniforms[name], uniforms[name]);
    }
    return kept(known.materials, `${this.#isQuick} ${side}`, () =>
      this.#isQuick
        ? quickPatterned(side, this.light, laid, known.uniforms)
        : this.#mirror(withPattern(this.#made(surface, side), laid, known.uniforms, this.slow)),
    );
  }

  /** Frees the materials of objects that are not among the keys. */
  keepPatterned(keys: ReadonlySet<string>): void {
    for (const [key, { materials }] of this.#patterned) {
      if (keys.has(key)) continue;
      for (const material of materials.values()) material.dispose();
      this.#patterned.delete(key);
    }
  }

  material(surface: Surface, side: Part["side"]): Material {
    const kind = quickKindOf(surface);
    return this.#isQuick
      ? kept(this.#quick, `${kind} ${side}`, () => quickMaterial(kind, side, this.light, false))
      : kept(this.#whole, materialKey({ surface, side }), () => this.#mirror(this.#made(surface, side)));
  }

  /** The quick material of parts that are drawn as one mesh. */
  mergedMaterial(surface: Surface, side: Part["side"]): Material {
    const kind = quickKindOf(surface);
    return kept(this.#quick, `merged ${kind} ${side}`, () => quickMaterial(kind, side, this.light, true));
  }

  dispose(): void {
    for (const material of [...this.#whole.values(), ...this.#quick.values()]) material.dispose();
    this.keepPatterned(new Set());
    this.#reflected?.dispose();
    this.#whole.clear();
    this.#quick.clear();
  }

  #made(surface: Surface, side: Part["side"]): Material {
    return withHaze(materialOf(surface, side), this.light.uniforms);
  }

  /** Not as the scene's environment: matte materials would take it, too, and have their light twice. */
  #mirror(material: Material): Material {
    if (material instanceof MeshStandardMaterial) material.envMap = this.#reflected;
    return material;
  }
}

/** Parts of one key are drawn by the same materials, which have a pattern. */
export function patternedKey(id: string, surface: Surface, { pattern, chart }: Laid): string {
  return `${id} | ${materialKey({ surface, side: "both" })} | ${patternKey(pattern, chart.surface)}`;
}

function kept(map: Map<string, Material>, key: string, make: () => Material): Material {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
