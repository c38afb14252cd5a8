import {
  BackSide,
  DoubleSide,
  FrontSide,
  type Material,
  MeshBasicMaterial,
  MeshLambertMaterial,
  MeshStandardMaterial,
  ShaderChunk,
} from "three";
import { unreachable } from "../../unreachable";
import type { Part } from "../objects/parts";
import type { Surface } from "./surface";

/** Parts of one key are drawn with one material; their colours may differ. */
export function materialKey({ surface, side }: Pick<Part, "surface" | "side">): string {
  const { kind, roughness, metalness } = surface;
  return kind === "glossy"
    ? `${kind} ${roughness.toFixed(2)} ${metalness.toFixed(2)} ${side}`
    : `${kind} ${side}`;
}

/** What all materials have in common: the grid lies on what has its height. */
export function commonParameters(side: Part["side"]) {
  return { side: SIDES[side], polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 };
}

const SIDES = { both: DoubleSide, front: FrontSide, back: BackSide } as const;

/** The material of a key; the colour comes with each part. */
export function createMaterial({ kind, roughness, metalness }: Surface, side: Part["side"]): Material {
  const common = commonParameters(side);
  switch (kind) {
    case "matte":
      return new MeshLambertMaterial(common);
    case "glossy":
      return withReflectionsOnly(new MeshStandardMaterial({ ...common, roughness, metalness }));
    case "glass":
      return withFresnelOpacity(
        new MeshStandardMaterial({ ...common, roughness: 0.05, transparent: true, depthWrite: false }),
      );
    case "emissive":
    case "black":
      return new MeshBasicMaterial(common);
    default:
      return unreachable(kind);
  }
}

/** Matte light from the sky comes from one hemisphere light for all; only reflections are taken from the map. */
function withReflectionsOnly(material: MeshStandardMaterial): MeshStandardMaterial {
  const maps = ShaderChunk.lights_fragment_maps.replace(
    "iblIrradiance += getIBLIrradiance( geometryNormal );",
    "",
  );
  material.onBeforeCompile = (shader) => {
    shader.fragmentShader = shader.fragmentShader.replace("#include <lights_fragment_maps>", maps);
  };
  material.customProgramCacheKey = () => "reflections only";
  return material;
}

/** Glass is transparent seen straight on, and reflects at grazing angles (Fresnel). */
function withFresnelOpacity(material: MeshStandardMaterial): MeshStandardMaterial {
  const reflections = withReflectionsOnly(material);
  const { onBeforeCompile } = reflections;
  reflections.onBeforeCompile = (shader, renderer) => {
    onBeforeCompile(shader, renderer);
    shader.fragmentShader = shader.fragmentShader.replace(
      "#include <opaque_fragment>",
      `float grazing = 1.0 - abs( dot( normal, normalize( vViewPosition ) ) );
      diffuseColor.a = mix( 0.16, 0.85, grazing * grazing * grazing );
      #include <opaque_fragment>`,
    );
  };
  reflections.customProgramCacheKey = () => "glass";
  return reflections;
}
