import {
  DataTexture,
  EquirectangularReflectionMapping,
  FloatType,
  LinearFilter,
  LinearSRGBColorSpace,
  RepeatWrapping,
  RGBAFormat,
} from "three";
import type { Triple } from "../../document/vector";
import { type Pixels, readPixels } from "./panorama-files";
import type { Sky } from "./sky";

/** A sun in a panorama: much of its light from few pixels. */
export interface PanoramaSun {
  /** Towards it, in the panorama's own space. */
  direction: Triple;
  /** On what faces it. */
  irradiance: Triple;
}

/** A panorama as it lights a scene, unturned and at strength 1. */
export interface Panorama {
  texture: DataTexture;
  /** About what falls from above and from below, without the sun. */
  sky: Sky;
  sun: PanoramaSun | null;
}

/** Pixels so many times as bright as the mean belong to a sun, if they are few and have much of the light. */
const SUN_FACTOR = 25;
const MIN_SUN_SHARE = 0.15;
const MAX_SUN_ANGLE_SHARE = 0.02;

/** Panoramas by their assets, each loaded once; the last few are kept. */
export class Panoramas {
  readonly #known = new Map<string, Panorama | null>();

  constructor(
    private readonly urlOf: (asset: string) => string,
    private readonly onLoaded: () => void,
  ) {}

  /** Null while it is on its way, and where it cannot be read. */
  get(asset: string): Panorama | null {
    const known = this.#known.get(asset);
    if (known !== undefined) return known;
    this.#known.set(asset, null);
    this.#load(asset).catch((error: unknown) => console.warn(`the panorama ${asset} is not shown`, error));
    return null;
  }

  /** Frees all but one. */
  retain(asset: string | null): void {
    for (const [key, panorama] of this.#known) {
      if (key === asset) continue;
      panorama?.texture.dispose();
      this.#known.delete(key);
    }
  }

  dispose(): void {
    this.retain(null);
  }

  async #load(asset: string): Promise<void> {
    const response = await fetch(this.urlOf(asset));
    if (!response.ok) throw new Error(`status ${response.status}`);
    const pixels = await readPixels(await response.arrayBuffer());
    // Another was chosen meanwhile.
    if (!this.#known.has(asset)) return;
    this.#known.set(asset, panoramaOf(pixels));
    this.onLoaded();
  }
}

/** What a picture around the scene shows. */
export function panoramaOf(pixels: Pixels): Panorama {
  return { texture: textureOf(pixels), ...lightOf(pixels) };
}

/** As three.js has it: its left edge along -x, where ours is along +z. */
function textureOf(pixels: Pixels): DataTexture {
  const { width, height, data } = inQuarters(pixels);
  const shift = width / 4;
  const turned = new Float32Array(data.length);
  for (let row = 0; row < height; row += 1) {
    const line = data.subarray(4 * row * width, 4 * (row + 1) * width);
    turned.set(line.subarray(4 * shift), 4 * row * width);
    turned.set(line.subarray(0, 4 * shift), 4 * (row * width + width - shift));
  }
  const texture = new DataTexture(turned, width, height, RGBAFormat, FloatType);
  texture.mapping = EquirectangularReflectionMapping;
  texture.colorSpace = LinearSRGBColorSpace;
  texture.magFilter = LinearFilter;
  texture.minFilter = LinearFilter;
  texture.wrapS = RepeatWrapping;
  texture.needsUpdate = true;
  return texture;
}

/** With columns that can be turned by a quarter: where their number does not allow it, each is repeated. */
function inQuarters({ width, height, data }: Pixels): Pixels {
  const times = width % 4 === 0 ? 1 : width % 2 === 0 ? 2 : 4;
  if (times === 1) return { width, height, data };
  const wide = new Float32Array(times * data.length);
  for (let pixel = 0; pixel < times * width * height; pixel += 1) {
    const from = 4 * Math.floor(pixel / times);
    wide.set(data.subarray(from, from + 4), 4 * pixel);
  }
  return { width: times * width, height, data: wide };
}

/** Sums of radiance times solid angle. */
interface Sum {
  light: [number, number, number];
  angle: number;
}

function lightOf(pixels: Pixels): Pick<Panorama, "sky" | "sun"> {
  const whole = zero();
  eachPixel(pixels, (radiance, angle) => addTo(whole, radiance, angle));
  const limit = (SUN_FACTOR * brightness(whole.light)) / whole.angle;
  const [above, below, bright] = [zero(), zero(), zero()];
  const towards: [number, number, number] = [0, 0, 0];
  eachPixel(pixels, (radiance, angle, direction) => {
    const luminance = brightness(radiance);
    if (luminance > limit) {
      addTo(bright, radiance, angle);
      for (const axis of [0, 1, 2] as const) towards[axis] += direction[axis] * luminance * angle;
    } else addTo(direction[1] > 0 ? above : below, radiance, angle);
  });
  const isSun =
    brightness(bright.light) > MIN_SUN_SHARE * brightness(whole.light) &&
    bright.angle < MAX_SUN_ANGLE_SHARE * whole.angle;
  if (!isSun) for (const axis of [0, 1, 2] as const) above.light[axis] += bright.light[axis];
  const mean = ({ light, angle }: Sum): Triple => [light[0] / angle, light[1] / angle, light[2] / angle];
  // The hemisphere light changes evenly with the height: its ends are as far from its middle again.
  const [upper, lower] = [mean(above), mean(below)];
  const end = (near: Triple, far: Triple) =>
    near.map((part, axis) => Math.max(0, 1.5 * part - 0.5 * (far[axis] ?? 0))) as unknown as Triple;
  return {
    sky: { top: end(upper, lower), bottom: end(lower, upper) },
    sun: isSun ? { direction: unit(towards), irradiance: bright.light } : null,
  };
}

/** Calls with the radiance of each pixel, its solid angle, and the direction it is seen in. */
function eachPixel(
  { width, height, data }: Pixels,
  each: (radiance: Triple, angle: number, direction: Triple) => void,
): void {
  // Some of many are enough: what is small and bright is a sun, and larger than this.
  const step = Math.max(1, Math.floor(width / 512));
  for (let row = 0; row < height; row += step) {
    const up = -Math.cos((Math.PI * (row + 0.5)) / height);
    const flat = Math.sqrt(1 - up * up);
    const angle = flat * ((2 * Math.PI ** 2) / (width * height)) * step * step;
    for (let column = 0; column < width; column += step) {
      const at = 4 * (row * width + column);
      const turn = 2 * Math.PI * ((column + 0.5) / width - 0.5);
      const radiance = [data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0] as const;
      each(radiance, angle, [flat * Math.sin(turn), up, -flat * Math.cos(turn)]);
    }
  }
}

function zero(): Sum {
  return { light: [0, 0, 0], angle: 0 };
}

function addTo(sum: Sum, radiance: Triple, angle: number): void {
  for (const axis of [0, 1, 2] as const) sum.light[axis] += radiance[axis] * angle;
  sum.angle += angle;
}

function brightness([red, green, blue]: Triple): number {
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function unit([x, y, z]: Triple): Triple {
  const size = Math.hypot(x, y, z) || 1;
  return [x / size, y / size, z / size];
}
