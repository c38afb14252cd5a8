import {
  DataTexture,
  EquirectangularReflectionMapping,
  FloatType,
  LinearFilter,
  LinearSRGBColorSpace,
  RGBAFormat,
} from "three";
import type { Triple } from "../../document/vector";

/** Radiance straight up and straight down; between them it changes evenly with the height. */
export interface Sky {
  top: Triple;
  bottom: Triple;
}

/** Rows of the map of the sky: it is smooth. */
const ROWS = 32;

/** How much darker than the sky below is what mirrors show there: the ground and what stands on it. */
const GROUND = 0.4;

/** The sky as what mirrors show of it. */
export function environmentMap({ top, bottom }: Sky): DataTexture {
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
