import { type Material, Matrix3, type Texture, Vector3, Vector4 } from "three";
import { type Pattern, textureDefaults } from "../../document/texture";
import type { Triple } from "../../document/vector";
import type { Chart } from "../../kinds/uv-charts";
import { patternGlsl, patternKey, usesVertexUv } from "./pattern-shader";

/** A pattern on one shape. */
export interface ChartedPattern {
  pattern: Pattern;
  chart: Chart;
}

/** Hands the place and the normal in the world on to the fragments. */
const VERTEX_GLSL = `
  patternPlace = ( modelMatrix * instanceMatrix * vec4( position, 1.0 ) ).xyz;
  mat3 patternTurn = mat3( instanceMatrix );
  vec3 patternSquares = vec3( dot( patternTurn[ 0 ], patternTurn[ 0 ] ), dot( patternTurn[ 1 ], patternTurn[ 1 ] ), dot( patternTurn[ 2 ], patternTurn[ 2 ] ) );
  patternNormal = patternTurn * ( normal / patternSquares );
`;

/** Layers of noise where the processor draws: each costs every pixel. */
const SOFTWARE_OCTAVES = 1;
const MAX_OCTAVES = 8;

/** Has one of three.js's own materials take its colour from a pattern. */
export function withPattern(
  material: Material,
  { pattern, chart }: ChartedPattern,
  uniforms: PatternUniforms,
  slow: boolean,
): Material {
  const numbered = usesVertexUv(pattern, chart.surface);
  const octaves = slow ? SOFTWARE_OCTAVES : MAX_OCTAVES;
  const { onBeforeCompile } = material;
  const base = material.customProgramCacheKey();
  material.onBeforeCompile = (shader, renderer) => {
    onBeforeCompile.call(material, shader, renderer);
    Object.assign(shader.uniforms, uniforms);
    shader.vertexShader = shader.vertexShader
      .replace(
        "#include <common>",
        `#include <common>\nvarying vec3 patternPlace;\nvarying vec3 patternNormal;${numbered ? "\nvarying vec2 patternUv;" : ""}`,
      )
      .replace(
        "#include <begin_vertex>",
        `#include <begin_vertex>\n${VERTEX_GLSL}${numbered ? "patternUv = uv;" : ""}`,
      );
    shader.fragmentShader = shader.fragmentShader
      .replace("#include <common>", `#include <common>\n${patternGlsl(pattern, chart.surface, octaves)}`)
      .replace(
        "#include <color_fragment>",
        "diffuseColor.rgb = mix( patternFirst, patternSecond, patternShare() );",
      );
  };
  material.customProgramCacheKey = () => `${base} ${patternKey(pattern, chart.surface)}`;
  return material;
}

export type PatternUniforms = ReturnType<typeof patternUniforms>;

/** What a pattern on a shape is drawn by. */
export function patternUniforms({ pattern, chart }: ChartedPattern, image: Texture | null) {
  const numbers = (count: number, given: readonly number[]) =>
    Array.from({ length: count }, (_, at) => given[at] ?? 0);
  const [x = 0, y = 0, z = 0, w = 0] = pattern.numbers;
  return {
    chartOrigin: { value: new Vector3(...chart.origin) },
    chartAxes: { value: matrixOf(chart.axes) },
    chartNumbers: { value: numbers(8, chart.numbers) },
    patternRows: { value: matrixOf(pattern.rows) },
    patternOffset: { value: new Vector3(...pattern.offset) },
    patternFirst: { value: new Vector3(...pattern.first) },
    patternSecond: { value: new Vector3(...pattern.second) },
    patternNumbers: { value: new Vector4(x, y, z, w) },
    patternImage: { value: image },
    patternMean: { value: pattern.type === "stripes" ? x : textureDefaults(pattern.type).share },
  };
}

function matrixOf([x, y, z]: readonly [Triple, Triple, Triple]): Matrix3 {
  return new Matrix3().set(...x, ...y, ...z);
}
