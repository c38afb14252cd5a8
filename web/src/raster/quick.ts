import { Color, ShaderMaterial, Vector3, Vector4 } from "three";
import { HAZE_GLSL, hazeUniforms } from "./haze";
import type { Lamp } from "./lamps";
import { commonOf } from "./materials";
import type { Part } from "./parts";
import { isNumbered, patternGlsl } from "./pattern-shader";
import type { Laid, PatternUniforms } from "./patterned";
import type { Sky } from "./sky";
import type { Surface } from "./surface";

/** The brightest lamps count. */
const LAMPS = 3;

/** The light of the scene as quick materials take it; shared by all of them. */
export class QuickLight {
  readonly uniforms = {
    ...hazeUniforms(),
    lampCount: { value: 0 },
    skyTop: { value: new Color() },
    skyBottom: { value: new Color() },
    /** Where each is, and the cosine of its cone; below -1 for all around. */
    lampPlaces: { value: Array.from({ length: LAMPS }, () => new Vector4()) },
    lampWays: { value: Array.from({ length: LAMPS }, () => new Vector3(0, 1, 0)) },
    lampIntensities: { value: Array.from({ length: LAMPS }, () => new Color()) },
  };

  show(lamps: readonly Lamp[], { top, bottom }: Sky): void {
    const { lampCount, skyTop, skyBottom, lampPlaces, lampWays, lampIntensities } = this.uniforms;
    lampCount.value = Math.min(LAMPS, lamps.length);
    skyTop.value.setRGB(...top);
    skyBottom.value.setRGB(...bottom);
    for (let index = 0; index < LAMPS; index += 1) {
      const lamp = lamps[index];
      lampIntensities.value[index]?.setRGB(...(lamp?.intensity ?? ([0, 0, 0] as const)));
      if (lamp === undefined) continue;
      const { place, direction, cone } = lamp;
      lampPlaces.value[index]?.set(...place, direction === null ? -2 : Math.cos(cone));
      if (direction !== null) lampWays.value[index]?.set(...direction);
    }
  }
}

/**
 * All of the shading is done for corners, and spread over triangles. `displayed` is AgX with the sRGB encoding, without
 * the powers between its steps: within 1.5 % of it on average, 4.5 % for 19 of 20 colours.
 */
const VERTEX = `
  #include <common>
  const mat3 INSET = mat3( 0.54481, 0.14042, 0.08882, 0.3738, 0.75411, 0.17886, 0.08138, 0.1054, 0.73232 );
  const mat3 OUTSET = mat3( 1.9649, -0.2994, -0.1644, -0.8559, 1.3264, -0.2382, -0.1088, -0.027, 1.4025 );
  uniform int lampCount;
  uniform vec3 skyTop;
  uniform vec3 skyBottom;
  uniform vec4 lampPlaces[ ${LAMPS} ];
  uniform vec3 lampWays[ ${LAMPS} ];
  uniform vec3 lampIntensities[ ${LAMPS} ];
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

  ${HAZE_GLSL}
  vec3 displayed( vec3 radiance ) {
    // With parallel sight lines w is 1 everywhere.
    vec3 light = isOrthographic ? radiance : hazy( radiance, gl_Position.w );
    vec3 x = clamp( ( log2( max( INSET * light, 1e-10 ) ) + 12.47393 ) / 16.5, 0.0, 1.0 );
    vec3 y = ( ( ( ( ( 15.5 * x - 40.14 ) * x + 31.96 ) * x - 6.868 ) * x + 0.4298 ) * x + 0.1191 ) * x - 0.00232;
    return clamp( OUTSET * y, 0.0, 1.0 );
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
      for ( int index = 0; index < lampCount; index ++ ) {
        vec3 way = lampPlaces[ index ].xyz - place.xyz;
        float square = dot( way, way );
        way *= inversesqrt( square );
        float inCone = smoothstep( lampPlaces[ index ].w, 1.0, dot( lampWays[ index ], - way ) );
        float share = lampPlaces[ index ].w < -1.0 ? 1.0 : inCone;
        arriving += lampIntensities[ index ] * RECIPROCAL_PI * share * max( 0.0, dot( facing, way ) ) / square;
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
export function quickPatterned(
  side: Part["side"],
  { uniforms }: QuickLight,
  { pattern, chart }: Laid,
  ofPattern: PatternUniforms,
): ShaderMaterial {
  return new ShaderMaterial({
    ...commonOf(side),
    uniforms: { ...uniforms, ...ofPattern },
    vertexShader: VERTEX,
    fragmentShader: PATTERNED_FRAGMENT.replace("PATTERN", patternGlsl(pattern, chart.surface, 1)),
    defines: { LIT: "", PATTERNED: "", ...(isNumbered(pattern, chart.surface) && { NUMBERED: "" }) },
    toneMapped: false,
  });
}

/**
 * What stands for a surface while the camera moves on a slow machine: its colour in the light, without highlights.
 * `merged`: for parts that stand in the world already, with their colours at their corners.
 */
export function quickMaterial(
  kind: QuickKind,
  side: Part["side"],
  { uniforms }: QuickLight,
  merged: boolean,
): ShaderMaterial {
  const isGlass = kind === "glass";
  return new ShaderMaterial({
    ...commonOf(side),
    uniforms,
    vertexShader: VERTEX,
    fragmentShader: FRAGMENT,
    vertexColors: merged,
    defines: {
      OPACITY: isGlass ? "0.3" : "1.0",
      ...(kind !== "glow" && { LIT: "" }),
      ...(merged && { MERGED: "" }),
    },
    transparent: isGlass,
    depthWrite: !isGlass,
    toneMapped: false,
  });
}

/** What quick materials tell apart. */
export type QuickKind = "lit" | "glass" | "glow";

export function quickKindOf({ kind }: Surface): QuickKind {
  if (kind === "glow" || kind === "dark") return "glow";
  return kind === "glass" ? "glass" : "lit";
}
