import {
  BufferGeometry,
  Color,
  Float32BufferAttribute,
  Matrix4,
  Mesh,
  type PerspectiveCamera,
  ShaderMaterial,
  type Texture,
} from "three";
import { FOG_GLSL, type FogUniforms } from "../lighting/fog";
import type { Surroundings } from "./surroundings";

/** Fills the picture with the sky, or a picture of it, behind everything. */
export class Backdrop {
  readonly mesh: Mesh<BufferGeometry, ShaderMaterial>;
  readonly #top = new Color();
  readonly #bottom = new Color();
  readonly #toWorld = new Matrix4();

  constructor(fog: FogUniforms) {
    const geometry = new BufferGeometry();
    // One triangle that covers the picture.
    geometry.setAttribute("position", new Float32BufferAttribute([-1, -1, 0, 3, -1, 0, -1, 3, 0], 3));
    const material = new ShaderMaterial({
      uniforms: {
        top: { value: this.#top },
        bottom: { value: this.#bottom },
        toWorld: { value: this.#toWorld },
        panorama: { value: null as Texture | null },
        strength: { value: 0 },
        turn: { value: 0 },
        ...fog,
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
        uniform sampler2D panorama;
        uniform float strength;
        uniform float turn;
        uniform float fogTop;
        varying vec3 way;
        #include <common>
        ${FOG_GLSL}
        void main() {
          vec3 towards = normalize( way );
          float upwards = towards.y;
          vec3 sky = mix( bottom, top, 0.5 * upwards + 0.5 );
          if ( strength > 0.0 ) {
            float c = cos( turn );
            float s = sin( turn );
            vec3 own = vec3( c * towards.x - s * towards.z, upwards, s * towards.x + c * towards.z );
            sky = strength * texture( panorama, equirectUv( own ) ).rgb;
          }
          float through = max( fogTop - cameraPosition.y, 0.0 ) / max( upwards, 1e-4 );
          gl_FragColor = vec4( fogged( sky, through ), 1.0 );
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

  show({ sky: { top, bottom }, picture }: Surroundings): void {
    this.#top.setRGB(...top);
    this.#bottom.setRGB(...bottom);
    const { uniforms } = this.mesh.material;
    Object.assign(uniforms.panorama ?? {}, { value: picture?.texture ?? null });
    Object.assign(uniforms.strength ?? {}, { value: picture?.strength ?? 0 });
    Object.assign(uniforms.turn ?? {}, { value: picture?.turn ?? 0 });
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
  }
}
