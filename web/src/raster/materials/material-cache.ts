import { type Material, MeshStandardMaterial } from "three";
import type { EnvironmentPicture } from "../environment/surroundings";
import { withFog } from "../lighting/fog";
import type { Part } from "../objects/parts";
import type { ImageTextures } from "./image-textures";
import {
  type LowDetailLight,
  lowDetailKind,
  lowDetailMaterial,
  lowDetailPatternedMaterial,
} from "./low-detail";
import { createMaterial, materialKey } from "./materials";
import { patternKey } from "./pattern-shader";
import { type ChartedPattern, type PatternUniforms, patternUniforms, withPattern } from "./patterned";
import type { Surface } from "./surface";

/** Materials by what they look like, each made once: they are few, and compiling them is slow. */
export class MaterialCache {
  readonly #full = new Map<string, Material>();
  readonly #lowDetail = new Map<string, Material>();
  /** Materials of one object's pattern each, by its key: the full and the low-detail ones, which share their uniforms. */
  readonly #patterned = new Map<string, { uniforms: PatternUniforms; materials: Map<string, Material> }>();
  #isLowDetail = false;
  #reflections: EnvironmentPicture | null = null;

  constructor(
    private readonly light: LowDetailLight,
    private readonly images: ImageTextures,
    /** Whether WebGL is rendered in software. */
    private readonly isSoftware: boolean,
  ) {}

  setLowDetail(isLowDetail: boolean): void {
    this.#isLowDetail = isLowDetail;
  }

  /** What reflective materials show of the surroundings; whoever made the texture frees it. */
  setReflections(picture: EnvironmentPicture): void {
    this.#reflections = picture;
    for (const material of this.#full.values()) this.#withReflections(material);
    for (const { materials } of this.#patterned.values()) {
      for (const material of materials.values()) this.#withReflections(material);
    }
  }

  /** A material of its own for a part of one object; the same again with another pattern of the same kind. */
  patternedMaterial(id: string, surface: Surface, side: Part["side"], charted: ChartedPattern): Material {
    const key = patternedKey(id, surface, charted);
    const image = charted.pattern.image === null ? null : this.images.get(charted.pattern.image);
    const uniforms = patternUniforms(charted, image);
    const known = this.#patterned.get(key) ?? { uniforms, materials: new Map<string, Material>() };
    this.#patterned.set(key, known);
    // The very objects that programs were given.
    for (const name of Object.keys(uniforms) as (keyof PatternUniforms)[]) {
      Object.assign(known.uniforms[name], uniforms[name]);
    }
    return cached(known.materials, `${this.#isLowDetail} ${side}`, () =>
      this.#isLowDetail
        ? lowDetailPatternedMaterial(side, this.light, charted, known.uniforms)
        : this.#withReflections(
            withPattern(this.#create(surface, side), charted, known.uniforms, this.isSoftware),
          ),
    );
  }

  /** Frees the materials of objects that are not among the keys. */
  retainPatterned(keys: ReadonlySet<string>): void {
    for (const [key, { materials }] of this.#patterned) {
      if (keys.has(key)) continue;
      for (const material of materials.values()) material.dispose();
      this.#patterned.delete(key);
    }
  }

  material(surface: Surface, side: Part["side"]): Material {
    const kind = lowDetailKind(surface);
    return this.#isLowDetail
      ? cached(this.#lowDetail, `${kind} ${side}`, () => lowDetailMaterial(kind, side, this.light, false))
      : cached(this.#full, materialKey({ surface, side }), () =>
          this.#withReflections(this.#create(surface, side)),
        );
  }

  /** The low-detail material of parts that are drawn as one mesh. */
  mergedMaterial(surface: Surface, side: Part["side"]): Material {
    const kind = lowDetailKind(surface);
    return cached(this.#lowDetail, `merged ${kind} ${side}`, () =>
      lowDetailMaterial(kind, side, this.light, true),
    );
  }

  dispose(): void {
    for (const material of [...this.#full.values(), ...this.#lowDetail.values()]) material.dispose();
    this.retainPatterned(new Set());
    this.#full.clear();
    this.#lowDetail.clear();
  }

  #create(surface: Surface, side: Part["side"]): Material {
    return withFog(createMaterial(surface, side), this.light.uniforms);
  }

  /** Not as the scene's environment: matte materials would take it, too, and have their light twice. */
  #withReflections(material: Material): Material {
    if (material instanceof MeshStandardMaterial && this.#reflections !== null) {
      const { texture, strength, turn } = this.#reflections;
      material.envMap = texture;
      material.envMapIntensity = strength;
      material.envMapRotation.set(0, turn, 0);
    }
    return material;
  }
}

/** Parts of one key are drawn by the same materials, which have a pattern. */
export function patternedKey(id: string, surface: Surface, { pattern, chart }: ChartedPattern): string {
  return `${id} | ${materialKey({ surface, side: "both" })} | ${patternKey(pattern, chart.surface)}`;
}

function cached(map: Map<string, Material>, key: string, make: () => Material): Material {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
