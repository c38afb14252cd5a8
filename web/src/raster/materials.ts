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
import { unreachable } from "../unreachable";
import type { Part } from "./parts";
import type { Surface } from "./surface";

/** Parts of one key are drawn with one material; their colours may differ. */
export function materialKey({ surface, side }: Pick<Part, "surface" | "side">): string {
  const { kind, roughness, metalness } = surface;
  return kind === "glossy"
    ? `${kind} ${roughness.toFixed(2)} ${metalness.toFixed(2)} ${side}`
    : `${kind} ${side}`;
}

/** What all materials have in common: the grid lies on what has its height. */
export function commonOf(side: Part["side"]) {
  return { side: SIDES[side], polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 };
}

const SIDES = { both: DoubleSide, front: FrontSide, back: BackSide } as const;

/** The material of a key; the colour comes with each part. */
export function materialOf({ kind, roughness, metalness }: Surface, side: Part["side"]): Material {
  const common = commonOf(side);
  switch (kind) {
    case "matte":
      return new MeshLambertMaterial(common);
    case "glossy":
      return withoutSkyTwice(new MeshStandardMaterial({ ...common, roughness, metalness }));
    case "glass":
      return clearInTheMiddle(
        new MeshStandardMaterial({ ...common, roughness: 0.05, transparent: true, depthWrite: false }),
      );
    case "glow":
    case "dark":
      return new MeshBasicMaterial(common);
    default:
      return unreachable(kind);
  }
}

/** Matte light from the sky comes from one hemisphere light for all; only reflections are taken from the map. */
function withoutSkyTwice(material: MeshStandardMaterial): MeshStandardMaterial {
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

/** Glass lets light through where one looks straight at it, and mirrors where one looks along it. */
function clearInTheMiddle(material: MeshStandardMaterial): MeshStandardMaterial {
  const reflections = withoutSkyTwice(material);
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
