import { Color, type IUniform, type Material } from "three";
import type { Properties } from "../document/scene";
import { isTriple, type Triple } from "../document/vector";
import type { Sky } from "./sky";
import { asProperties } from "./texture";

/** Fog, as rasters draw it: what is far fades into one colour. */
export interface Haze {
  /** Radiance of fog one cannot see through. */
  colour: Triple;
  /** What share of light is lost in a metre, in the limit of short ways, 1/m; 0 is clear air. */
  extinction: number;
  /** The y it reaches up to. */
  top: number;
}

const CLEAR: Haze = { colour: [0, 0, 0], extinction: 0, top: 0 };
/** -ln 0.02: as far as one sees, a fiftieth of the contrast is left. */
const DEPTH_OF_VISIBILITY = 3.912;

/** The fog of an environment; `highest` is the y of the highest thing. It is lit by the sky alone. */
export function hazeOf(environment: Properties, { top, bottom }: Sky, highest: number): Haze {
  const { visibility, color, height } = asProperties(environment.fog);
  if (typeof visibility !== "number" || !(visibility > 0)) return CLEAR;
  const share = isTriple(color) ? color : ([1, 1, 1] as const);
  const mean = (channel: 0 | 1 | 2) => 0.5 * (top[channel] + bottom[channel]);
  return {
    colour: [share[0] * mean(0), share[1] * mean(1), share[2] * mean(2)],
    extinction: DEPTH_OF_VISIBILITY / visibility,
    top: typeof height === "number" ? height : Math.max(0.25 * visibility, highest),
  };
}

export interface HazeUniforms {
  hazeColour: IUniform<Color>;
  hazeExtinction: IUniform<number>;
  hazeTop: IUniform<number>;
}

export function hazeUniforms(): HazeUniforms {
  return { hazeColour: { value: new Color() }, hazeExtinction: { value: 0 }, hazeTop: { value: 0 } };
}

export function setHaze(uniforms: HazeUniforms, { colour, extinction, top }: Haze): void {
  uniforms.hazeColour.value.setRGB(...colour);
  uniforms.hazeExtinction.value = extinction;
  uniforms.hazeTop.value = top;
}

export const HAZE_GLSL = `
  uniform vec3 hazeColour;
  uniform float hazeExtinction;
  vec3 hazy( vec3 light, float away ) { return mix( hazeColour, light, exp( - hazeExtinction * away ) ); }
`;

/** Has one of three.js's own materials fade into the fog, ahead of the tone map; not with parallel sight lines. */
export function withHaze<M extends Material>(material: M, uniforms: HazeUniforms): M {
  const { onBeforeCompile } = material;
  const base = material.customProgramCacheKey();
  material.onBeforeCompile = (shader, renderer) => {
    onBeforeCompile.call(material, shader, renderer);
    Object.assign(shader.uniforms, uniforms);
    shader.fragmentShader = shader.fragmentShader
      .replace("#include <common>", `#include <common>\n${HAZE_GLSL}`)
      .replace(
        "#include <tonemapping_fragment>",
        "if ( ! isOrthographic ) gl_FragColor.rgb = hazy( gl_FragColor.rgb, 1.0 / gl_FragCoord.w );\n#include <tonemapping_fragment>",
      );
  };
  material.customProgramCacheKey = () => `${base} haze`;
  return material;
}
