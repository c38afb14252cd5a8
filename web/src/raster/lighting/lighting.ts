import {
  Color,
  Group,
  HemisphereLight,
  type Light,
  PointLight,
  type Sphere,
  SpotLight,
  Vector3,
} from "three";
import type { SceneDocument } from "../../document/scene";
import { add, scale, type Triple } from "../../document/vector";
import { punctualLightOf } from "../../kinds/light-sources";
import type { Sky } from "../environment/sky";
import type { Surroundings } from "../environment/surroundings";
import { LowDetailLight } from "../materials/low-detail";
import { PRESETS } from "../materials/presets";
import { distantLight, type PunctualLight, powerOf, punctualLightOfShape } from "./punctual-lights";
import { createShadowLight, MAX_SHADOWS, restOf, setShadowLight, shadowLightsOf } from "./shadows";

/** Each costs every pixel; the brightest count. */
const MAX_LIGHTS = 8;

/** The light of the document, and what of it falls on matte surfaces from the sky. */
export class Lighting {
  readonly group = new Group();
  readonly #sky = new HemisphereLight(0, 0, Math.PI);
  readonly #points: PointLight[] = [];
  readonly #spots: SpotLight[] = [];
  readonly #casters = Array.from({ length: MAX_SHADOWS }, createShadowLight);

  /** The same light for low-detail materials. */
  readonly lowDetail = new LowDetailLight();

  constructor() {
    this.group.add(this.#sky, ...this.#casters);
  }

  /** `center` is the middle of the scene, `content` what shadows are drawn of. */
  show(
    { shapes, lights }: SceneDocument,
    { sky: { top, bottom }, sun }: Surroundings,
    hidden: ReadonlySet<string>,
    center: Vector3,
    content: Sphere | null,
  ): void {
    const seen = <T extends { id: string }>(objects: readonly T[]) =>
      objects.filter(({ id }) => !hidden.has(id));
    const middle = center.toArray();
    const sources = [
      sun === null ? null : distantLight(sun.towards, sun.irradiance, middle),
      ...seen(lights).map((light) => punctualLightOf(light, middle)),
      ...seen(shapes).map((shape) => punctualLightOfShape(shape, PRESETS)),
    ]
      .filter((source) => source !== null)
      .sort((a, b) => powerOf(b) - powerOf(a))
      .slice(0, MAX_LIGHTS);
    const cones = shadowLightsOf(sources, content);
    const casting = [...cones.values()];
    for (const [index, light] of this.#casters.entries()) setShadowLight(light, casting[index], content);
    const others = sources.flatMap((source) => {
      const cone = cones.get(source);
      return cone === undefined ? [source] : (restOf(source, cone) ?? []);
    });
    const isSpot = ({ direction }: PunctualLight) => direction !== null;
    const points = others.filter((source) => !isSpot(source));
    const spots = others.filter(isSpot);
    const point = () => new PointLight(0, 0, 0, 2);
    const spot = () => new SpotLight(0, 0, 0, 0, 0, 2);
    this.#resizePool(this.#points, points.length, point);
    this.#resizePool(this.#spots, spots.length, spot);
    for (const [index, light] of this.#points.entries()) setPointLight(light, points[index]);
    for (const [index, light] of this.#spots.entries()) setSpotLight(light, spots[index]);
    const bounced = indirectLight(sources, center);
    const sky = { top: add(top, bounced), bottom: add(bottom, bounced) };
    this.#setSky(sky);
    this.lowDetail.show(sources, sky);
  }

  dispose(): void {
    for (const light of [...this.#points, ...this.#spots, ...this.#casters]) light.dispose();
    this.#sky.dispose();
  }

  /** Resizes to a power of two, the rest dark: another number of lights makes three.js recompile all materials. */
  #resizePool<T extends Light>(lights: T[], count: number, make: () => T): void {
    const room = count === 0 ? 0 : 2 ** Math.ceil(Math.log2(count));
    while (lights.length > room) {
      const light = lights.pop();
      light?.removeFromParent();
      light?.dispose();
    }
    while (lights.length < room) {
      const light = make();
      lights.push(light);
      this.group.add(light);
    }
  }

  /**
   * What falls on a surface that faces along `n` from a sky that grows evenly from bottom to top is pi times the
   * mean of both, and two thirds as much of their difference as the light has that three.js gives.
   */
  #setSky({ top, bottom }: Sky): void {
    const mix = (share: number) =>
      new Color(...top).multiplyScalar(share).add(new Color(...bottom).multiplyScalar(1 - share));
    this.#sky.color.copy(mix(5 / 6));
    this.#sky.groundColor.copy(mix(1 / 6));
  }
}

/** How much of the light that falls on the middle of the scene comes back from everywhere: what lights do not reach is not black. */
const INDIRECT_FRACTION = 0.12;

function indirectLight(sources: readonly PunctualLight[], center: Vector3): Triple {
  return sources.reduce<Triple>(
    (sum, { position, intensity, direction, coneAngle }) => {
      const square = Math.max(center.distanceToSquared(new Vector3(...position)), 1e-2);
      // A cone lights little that could send it back.
      const lit = direction === null ? 1 : 0.5 * (1 - Math.cos(coneAngle));
      return add(sum, scale(intensity, (lit * INDIRECT_FRACTION) / (Math.PI * square)));
    },
    [0, 0, 0],
  );
}

function setPointLight(light: Light, source: PunctualLight | undefined): void {
  const intensity = Math.max(...(source?.intensity ?? [0]));
  light.intensity = intensity;
  if (source === undefined || intensity === 0) return;
  light.color.setRGB(...source.intensity).multiplyScalar(1 / intensity);
  light.position.set(...source.position);
}

function setSpotLight(light: SpotLight, source: PunctualLight | undefined): void {
  setPointLight(light, source);
  if (source?.direction == null) return;
  light.angle = source.coneAngle;
  light.penumbra = source.penumbra;
  const [x, y, z] = source.direction;
  light.target.position.set(light.position.x + x, light.position.y + y, light.position.z + z);
  light.target.updateMatrixWorld();
}
