import { Color, Group, HemisphereLight, type Light, PointLight, SpotLight, Vector3 } from "three";
import type { SceneDocument } from "../document/scene";
import { add, scale, type Triple } from "../document/vector";
import { type Lamp, lampOf, lampOfShape, lampOfSky, powerOf } from "./lamps";
import { PRESETS } from "./presets";
import { QuickLight } from "./quick";
import { type Sky, skyOf } from "./sky";

/** Each costs every pixel; the brightest count. */
const MOST_LAMPS = 8;

/** The light of the document, and what of it falls on matte surfaces from the sky. */
export class Lighting {
  readonly group = new Group();
  readonly #sky = new HemisphereLight(0, 0, Math.PI);
  readonly #points: PointLight[] = [];
  readonly #spots: SpotLight[] = [];

  /** The same light for quick materials. */
  readonly quick = new QuickLight();

  constructor() {
    this.group.add(this.#sky);
  }

  /** `center` is the middle of the scene. */
  show({ shapes, lights, environment }: SceneDocument, hidden: ReadonlySet<string>, center: Vector3): void {
    const seen = <T extends { id: string }>(objects: readonly T[]) =>
      objects.filter(({ id }) => !hidden.has(id));
    const middle = center.toArray();
    const lamps = [
      lampOfSky(environment, middle),
      ...seen(lights).map((light) => lampOf(light, middle)),
      ...seen(shapes).map((shape) => lampOfShape(shape, PRESETS)),
    ]
      .filter((lamp) => lamp !== null)
      .sort((a, b) => powerOf(b) - powerOf(a))
      .slice(0, MOST_LAMPS);
    const isSpot = ({ direction }: Lamp) => direction !== null;
    const points = lamps.filter((lamp) => !isSpot(lamp));
    const spots = lamps.filter(isSpot);
    const point = () => new PointLight(0, 0, 0, 2);
    const spot = () => new SpotLight(0, 0, 0, 0, 0, 2);
    this.#fit(this.#points, points.length, point);
    this.#fit(this.#spots, spots.length, spot);
    for (const [index, light] of this.#points.entries()) setLamp(light, points[index]);
    for (const [index, light] of this.#spots.entries()) setSpot(light, spots[index]);
    const { top, bottom } = skyOf(environment);
    const bounced = bouncedLight(lamps, center);
    const sky = { top: add(top, bounced), bottom: add(bottom, bounced) };
    this.#setSky(sky);
    this.quick.show(lamps, sky);
  }

  dispose(): void {
    for (const light of [...this.#points, ...this.#spots]) light.dispose();
    this.#sky.dispose();
  }

  /** In powers of two, the rest dark: another number of lights makes all materials be compiled anew. */
  #fit<T extends Light>(lights: T[], count: number, make: () => T): void {
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

/** How much of the light that falls on the middle of the scene comes back from everywhere: what lamps do not reach is not black. */
const BOUNCED = 0.12;

function bouncedLight(lamps: readonly Lamp[], center: Vector3): Triple {
  return lamps.reduce<Triple>(
    (sum, { place, intensity }) => {
      const square = Math.max(center.distanceToSquared(new Vector3(...place)), 1e-2);
      return add(sum, scale(intensity, BOUNCED / (Math.PI * square)));
    },
    [0, 0, 0],
  );
}

function setLamp(light: Light, lamp: Lamp | undefined): void {
  const intensity = Math.max(...(lamp?.intensity ?? [0]));
  light.intensity = intensity;
  if (lamp === undefined || intensity === 0) return;
  light.color.setRGB(...lamp.intensity).multiplyScalar(1 / intensity);
  light.position.set(...lamp.place);
}

function setSpot(light: SpotLight, lamp: Lamp | undefined): void {
  setLamp(light, lamp);
  if (lamp?.direction == null) return;
  light.angle = lamp.cone;
  light.penumbra = lamp.softness;
  const [x, y, z] = lamp.direction;
  light.target.position.set(light.position.x + x, light.position.y + y, light.position.z + z);
  light.target.updateMatrixWorld();
}
