import { Color, ShaderMaterial, Vector3, Vector4 } from "three";
import type { Sky } from "../environment/sky";
import { createFogUniforms, FOG_GLSL } from "../lighting/fog";
import type { PunctualLight } from "../lighting/punctual-lights";
import type { Part } from "../objects/parts";
import { CHEAP_TONE_MAP_GLSL } from "../render/tone-map";
import { commonParameters } from "./materials";
import { patternGlsl, usesVertexUv } from "./pattern-shader";
import type { ChartedPattern, PatternUniforms } from "./patterned";
import type { Surface } from "./surface";

/** The brightest lights count. */
const MAX_LIGHTS = 3;

/** The light of the scene as low-detail materials take it; shared by all of them. */
export class LowDetailLight {
  readonly uniforms = {
    ...createFogUniforms(),
    /** What light is multiplied by ahead of the tone map. */
    exposure: { value: 1 },
    lightCount: { value: 0 },
    skyTop: { value: new Color() },
    skyBottom: { value: new Color() },
    /** Where each is, and the cosine of its cone; below -1 for all around. */
    lightPositions: { value: Array.from({ length: MAX_LIGHTS }, () => new Vector4()) },
    lightDirections: { value: Array.from({ length: MAX_LIGHTS }, () => new Vector3(0, 1, 0)) },
    lightIntensities: { value: Array.from({ length: MAX_LIGHTS }, () => new Color()) },
  };

  show(lights: readonly PunctualLight[], { top, bottom }: Sky): void {
    const { lightCount, skyTop, skyBottom, lightPositions, lightDirections, lightIntensities } =
      this.uniforms;
    lightCount.value = Math.min(MAX_LIGHTS, lights.length);
    skyTop.value.setRGB(...top);
    skyBottom.value.setRGB(...bottom);
    for (let index = 0; index < MAX_LIGHTS; index += 1) {
      const light = lights[index];
      lightIntensities.value[index]?.setRGB(...(light?.intensity ?? ([0, 0, 0] as const)));
      if (light === undefined) continue;
      const { position, direction, coneAngle } = light;
      lightPositions.value[index]?.set(...position, direction === null ? -2 : Math.cos(coneAngle));
      if (direction !== null) lightDirections.value[index]?.set(...direction);
    }
  }
}

/** All of the shading is done for corners, and spread over triangles. */
const VERTEX = `
  #include <common>
  ${CHEAP_TONE_MAP_GLSL}
  uniform float exposure;
  uniform int lightCount;
  uniform vec3 skyTop;
  uniform vec3 skyBottom;
  uniform vec4 lightPositions[ ${MAX_LIGHTS} ];
  uniform vec3 lightDirections[ ${MAX_LIGHTS} ];
  uniform vec3 lightIntensities[ ${MAX_LIGHTS} ];
  varying vec3 shade;
  #ifdef PATTERNED
    uniform vec3 patternFirst;
    uniform vec3 patternSecond;
    varying vec3 patternPlace;
    varying vec3 patternNormal;
    varying vec3 shadeOfSecond;
  #endif
  #ifdef NUMBERED
    varying vec2 patternUv;
  #endif

  ${FOG_GLSL}
  vec3 displayed( vec3 radiance ) {
    // With an orthographic projection w is 1 everywhere.
    vec3 light = isOrthographic ? radiance : fogged( radiance, gl_Position.w );
    return toneMapped( light * exposure );
  }

  void main() {
    #ifdef MERGED
      vec4 place = vec4( position, 1.0 );
      vec3 light = color;
      vec3 across = normal;
    #else
      vec4 place = modelMatrix * instanceMatrix * vec4( position, 1.0 );
      vec3 light = instanceColor;
      mat3 turn = mat3( instanceMatrix );
      vec3 squares = vec3( dot( turn[ 0 ], turn[ 0 ] ), dot( turn[ 1 ], turn[ 1 ] ), dot( turn[ 2 ], turn[ 2 ] ) );
      vec3 across = turn * ( normal / squares );
    #endif
    gl_Position = projectionMatrix * viewMatrix * place;
    vec3 arriving = vec3( 1.0 );
    #ifdef LIT
      vec3 facing = normalize( across );
      facing = faceforward( facing, place.xyz - cameraPosition, facing );
      arriving = mix( skyBottom, skyTop, 0.5 + facing.y / 3.0 );
      for ( int index = 0; index < lightCount; index ++ ) {
        vec3 way = lightPositions[ index ].xyz - place.xyz;
        float square = dot( way, way );
        way *= inversesqrt( square );
        float inCone = smoothstep( lightPositions[ index ].w, 1.0, dot( lightDirections[ index ], - way ) );
        float share = lightPositions[ index ].w < -1.0 ? 1.0 : inCone;
        arriving += lightIntensities[ index ] * RECIPROCAL_PI * share * max( 0.0, dot( facing, way ) ) / square;
      }
    #endif
    #ifdef NUMBERED
      patternUv = uv;
    #endif
    #ifdef PATTERNED
      patternPlace = place.xyz;
      patternNormal = across;
      shade = displayed( patternFirst * arriving );
      shadeOfSecond = displayed( patternSecond * arriving );
    #else
      shade = displayed( light * arriving );
    #endif
  }`;

const FRAGMENT = `
  varying vec3 shade;
  void main() {
    gl_FragColor = vec4( shade, OPACITY );
  }`;

/** Both colours of a pattern are lit at the corners, and mixed in between. */
const PATTERNED_FRAGMENT = `
  #include <common>
  PATTERN
  varying vec3 shade;
  varying vec3 shadeOfSecond;
  void main() {
    gl_FragColor = vec4( mix( shade, shadeOfSecond, patternShare() ), 1.0 );
  }`;

/** What stands for a patterned surface while the camera moves on a slow machine. */
export function lowDetailPatternedMaterial(
  side: Part["side"],
  { uniforms }: LowDetailLight,
  { pattern, chart }: ChartedPattern,
  ofPattern: PatternUniforms,
): ShaderMaterial {
  return new ShaderMaterial({
    ...commonParameters(side),
    uniforms: { ...uniforms, ...ofPattern },
    vertexShader: VERTEX,
    fragmentShader: PATTERNED_FRAGMENT.replace("PATTERN", patternGlsl(pattern, chart.surface, 1)),
    defines: { LIT: "", PATTERNED: "", ...(usesVertexUv(pattern, chart.surface) && { NUMBERED: "" }) },
    toneMapped: false,
  });
}

/**
 * What stands for a surface while the camera moves on a slow machine: its colour in the light, without highlights.
 * `merged`: for parts that stand in the world already, with their colours at their corners.
 */
export function lowDetailMaterial(
  kind: LowDetailKind,
  side: Part["side"],
  { uniforms }: LowDetailLight,
  merged: boolean,
): ShaderMaterial {
  const isGlass = kind === "glass";
  return new ShaderMaterial({
    ...commonParameters(side),
    uniforms,
    vertexShader: VERTEX,
    fragmentShader: FRAGMENT,
    vertexColors: merged,
    defines: {
      OPACITY: isGlass ? "0.3" : "1.0",
      ...(kind !== "emissive" && { LIT: "" }),
      ...(merged && { MERGED: "" }),
    },
    transparent: isGlass,
    depthWrite: !isGlass,
    toneMapped: false,
  });
}

/** What low-detail materials tell apart. */
export type LowDetailKind = "lit" | "glass" | "emissive";

export function lowDetailKind({ kind }: Surface): LowDetailKind {
  if (kind === "emissive" || kind === "black") return "emissive";
  return kind === "glass" ? "glass" : "lit";
}
