import {
  BufferGeometry,
  Color,
  DataTexture,
  EquirectangularReflectionMapping,
  Float32BufferAttribute,
  FloatType,
  LinearFilter,
  LinearSRGBColorSpace,
  Matrix4,
  Mesh,
  type PerspectiveCamera,
  RGBAFormat,
  ShaderMaterial,
} from "three";
import type { Properties } from "../document/scene";
import { isTriple, type Triple } from "../document/vector";
import { daylight } from "./daylight";
import { HAZE_GLSL, type HazeUniforms } from "./haze";

/** Radiance straight up and straight down; between them it changes evenly with the height. */
export interface Sky {
  top: Triple;
  bottom: Triple;
}

const BLACK: Triple = [0, 0, 0];

/** Environments that are newer than this page are a dim grey. */
export function skyOf(environment: Properties): Sky {
  const { type, top_color, bottom_color, emission } = environment;
  switch (type) {
    case "sky":
      return daylight(environment);
    case "gradient":
      return {
        top: isTriple(top_color) ? top_color : [0.5, 0.7, 1],
        bottom: isTriple(bottom_color) ? bottom_color : [1, 1, 1],
      };
    case "uniform":
      return isTriple(emission) ? { top: emission, bottom: emission } : { top: BLACK, bottom: BLACK };
    case "none":
      return { top: BLACK, bottom: BLACK };
    default:
      return { top: [0.3, 0.3, 0.3], bottom: [0.3, 0.3, 0.3] };
  }
}

/** Rows of the map of the sky: it is smooth. */
const ROWS = 32;

/** How much darker than the sky below is what mirrors show there: the ground and what stands on it. */
const GROUND = 0.4;

/** The sky as what mirrors show of it. */
export function skyMap({ top, bottom }: Sky): DataTexture {
  const data = new Float32Array(2 * ROWS * ROWS * 4);
  for (let row = 0; row < ROWS; row += 1) {
    // The first row is straight down.
    const height = -Math.cos((Math.PI * (row + 0.5)) / ROWS);
    const share = 0.5 * (height + 1);
    const shade = height < 0 ? GROUND : 1;
    for (let column = 0; column < 2 * ROWS; column += 1) {
      const at = 4 * (row * 2 * ROWS + column);
      for (const channel of [0, 1, 2] as const) {
        data[at + channel] = shade * (top[channel] * share + bottom[channel] * (1 - share));
      }
      data[at + 3] = 1;
    }
  }
  const map = new DataTexture(data, 2 * ROWS, ROWS, RGBAFormat, FloatType);
  map.mapping = EquirectangularReflectionMapping;
  map.colorSpace = LinearSRGBColorSpace;
  map.magFilter = LinearFilter;
  map.minFilter = LinearFilter;
  map.needsUpdate = true;
  return map;
}

/** Fills the picture with the sky behind everything. */
export class Backdrop {
  readonly mesh: Mesh<BufferGeometry, ShaderMaterial>;
  readonly #top = new Color();
  readonly #bottom = new Color();
  readonly #toWorld = new Matrix4();

  constructor(haze: HazeUniforms) {
    const geometry = new BufferGeometry();
    // One triangle that covers the picture.
    geometry.setAttribute("position", new Float32BufferAttribute([-1, -1, 0, 3, -1, 0, -1, 3, 0], 3));
    const material = new ShaderMaterial({
      uniforms: {
        top: { value: this.#top },
        bottom: { value: this.#bottom },
        toWorld: { value: this.#toWorld },
        ...haze,
      },
      vertexShader: `
        uniform mat4 toWorld;
        varying vec3 way;
        void main() {
          gl_Position = vec4( position.xy, 1.0, 1.0 );
          vec4 far = toWorld * vec4( position.xy, 1.0, 1.0 );
          vec4 near = toWorld * vec4( position.xy, -1.0, 1.0 );
          way = far.xyz / far.w - near.xyz / near.w;
        }`,
      fragmentShader: `
        uniform vec3 top;
        uniform vec3 bottom;
        uniform float hazeTop;
        varying vec3 way;
        ${HAZE_GLSL}
        void main() {
          float upwards = normalize( way ).y;
          vec3 sky = mix( bottom, top, 0.5 * upwards + 0.5 );
          float through = max( hazeTop - cameraPosition.y, 0.0 ) / max( upwards, 1e-4 );
          gl_FragColor = vec4( hazy( sky, through ), 1.0 );
          #include <tonemapping_fragment>
          #include <colorspace_fragment>
        }`,
      depthTest: false,
      depthWrite: false,
    });
    this.mesh = new Mesh(geometry, material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = -1;
    this.mesh.onBeforeRender = (_renderer, _scene, camera) => {
      const { projectionMatrixInverse, matrixWorld } = camera as PerspectiveCamera;
      this.#toWorld.multiplyMatrices(matrixWorld, projectionMatrixInverse);
    };
  }

  show({ top, bottom }: Sky): void {
    this.#top.setRGB(...top);
    this.#bottom.setRGB(...bottom);
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
  }
}
