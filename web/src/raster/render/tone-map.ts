import { CustomToneMapping, ShaderChunk, type WebGLRenderer } from "three";

/** Linear sRGB to Rec. 2020 with the inset of AgX, and back; columns as in `tracer/src/display/tonemap.rs`. */
const MATRICES = `
  const mat3 AGX_INSET = mat3( 0.54490814, 0.14044006, 0.08882741, 0.37377946, 0.7541096, 0.17887712, 0.08138498, 0.10543359, 0.73225 );
  const mat3 AGX_OUTSET = mat3( 1.964551, - 0.29932243, - 0.16436834, - 0.85585845, 1.3264511, - 0.23822464, - 0.10886711, - 0.02708402, 1.4026653 );
`;

/** 0 to 1 for 10 stops below middle gray to 6.5 above. */
const PLACE = "clamp( ( log2( max( AGX_INSET * light, 1e-10 ) ) + 12.47393 ) / 16.5, 0.0, 1.0 )";

/**
 * AgX as the tracer has it, which is that of Blender. That of three.js brightens middle gray by a twelfth, so that the
 * picture would jump from one view to the other.
 */
const CUSTOM_TONE_MAPPING = `
  ${MATRICES}
  vec3 CustomToneMapping( vec3 color ) {
    vec3 light = color * toneMappingExposure;
    vec3 place = ${PLACE};
    // The S-curve: toe and shoulder are hyperbolas that meet in middle gray.
    vec3 isBright = step( 20.0 / 33.0, place );
    vec3 away = abs( mix( 35.3559527 - 58.3373220 * place, 46.1410502 * place - 27.9642728, isBright ) );
    vec3 bend = pow( 1.0 + 0.0196130869 * away * sqrt( away ), vec3( - 2.0 / 3.0 ) );
    vec3 curve = 0.4894370896 + 2.4 * ( place - 20.0 / 33.0 ) * bend;
    return clamp( AGX_OUTSET * pow( max( curve, 0.0 ), vec3( 2.4 ) ), 0.0, 1.0 );
  }
`;

/**
 * The same with the sRGB encoding, as one polynomial: grays within 3 of 255. Colors are mixed after the encoding, which
 * saves powers.
 */
export const CHEAP_TONE_MAP_GLSL = `
  ${MATRICES}
  vec3 toneMapped( vec3 light ) {
    vec3 x = ${PLACE};
    vec3 y = ( ( ( ( ( 34.4061 * x - 94.2366 ) * x + 88.335 ) * x - 32.3617 ) * x + 5.02032 ) * x - 0.144745 ) * x - 0.00902;
    return clamp( AGX_OUTSET * y, 0.0, 1.0 );
  }
`;

const NO_CUSTOM_TONE_MAPPING = "vec3 CustomToneMapping( vec3 color ) { return color; }";

/** Has a renderer show light as the tracer's pictures do. */
export function setToneMap(renderer: WebGLRenderer): void {
  ShaderChunk.tonemapping_pars_fragment = ShaderChunk.tonemapping_pars_fragment.replace(
    NO_CUSTOM_TONE_MAPPING,
    CUSTOM_TONE_MAPPING,
  );
  renderer.toneMapping = CustomToneMapping;
}
