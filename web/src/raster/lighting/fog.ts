import { Color, type IUniform, type Material } from "three";
import type { Properties } from "../../document/scene";
import { asProperties } from "../../document/texture";
import { isTriple, type Triple } from "../../document/vector";
import type { Sky } from "../environment/sky";

/** Fog, as rasters draw it: what is far fades into one colour. */
export interface Fog {
  /** Radiance of fog one cannot see through. */
  colour: Triple;
  /** What share of light is lost in a metre, in the limit of short ways, 1/m; 0 is clear air. */
  extinction: number;
  /** The y it reaches up to. */
  top: number;
}

const CLEAR: Fog = { colour: [0, 0, 0], extinction: 0, top: 0 };
/** -ln 0.02: at the visibility a fiftieth of the contrast is left. */
const OPTICAL_DEPTH_AT_VISIBILITY = 3.912;

/** The fog of an environment; `highest` is the y of the highest thing. It is lit by the sky alone. */
export function fogOf(environment: Properties, { top, bottom }: Sky, highest: number): Fog {
  const { visibility, color, height } = asProperties(environment.fog);
  if (typeof visibility !== "number" || !(visibility > 0)) return CLEAR;
  const share = isTriple(color) ? color : ([1, 1, 1] as const);
  const mean = (channel: 0 | 1 | 2) => 0.5 * (top[channel] + bottom[channel]);
  return {
    colour: [share[0] * mean(0), share[1] * mean(1), share[2] * mean(2)],
    extinction: OPTICAL_DEPTH_AT_VISIBILITY / visibility,
    top: typeof height === "number" ? height : Math.max(0.25 * visibility, highest),
  };
}

export interface FogUniforms {
  fogColour: IUniform<Color>;
  fogExtinction: IUniform<number>;
  fogTop: IUniform<number>;
}

export function createFogUniforms(): FogUniforms {
  return { fogColour: { value: new Color() }, fogExtinction: { value: 0 }, fogTop: { value: 0 } };
}

export function setFogUniforms(uniforms: FogUniforms, { colour, extinction, top }: Fog): void {
  uniforms.fogColour.value.setRGB(...colour);
  uniforms.fogExtinction.value = extinction;
  uniforms.fogTop.value = top;
}

export const FOG_GLSL = `
  uniform vec3 fogColour;
  uniform float fogExtinction;
  vec3 fogged( vec3 light, float away ) { return mix( fogColour, light, exp( - fogExtinction * away ) ); }
`;

/** Has one of three.js's own materials fade into the fog, ahead of the tone map; not with an orthographic projection. */
export function withFog<M extends Material>(material: M, uniforms: FogUniforms): M {
  const { onBeforeCompile } = material;
  const base = material.customProgramCacheKey();
  material.onBeforeCompile = (shader, renderer) => {
    onBeforeCompile.call(material, shader, renderer);
    Object.assign(shader.uniforms, uniforms);
    shader.fragmentShader = shader.fragmentShader
      .replace("#include <common>", `#include <common>\n${FOG_GLSL}`)
      .replace(
        "#include <tonemapping_fragment>",
        "if ( ! isOrthographic ) gl_FragColor.rgb = fogged( gl_FragColor.rgb, 1.0 / gl_FragCoord.w );\n#include <tonemapping_fragment>",
      );
  };
  material.customProgramCacheKey = () => `${base} fog`;
  return material;
}
