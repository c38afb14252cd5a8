import { describe, expect, test } from "vitest";
import type { Triple } from "../../src/document/vector";
import { panoramaOf } from "../../src/raster/environment/panorama";
import type { Pixels } from "../../src/raster/environment/panorama-files";
import { surroundingsOf, turned } from "../../src/raster/environment/surroundings";

/** A picture of 64 x 32, by what is seen in a direction. */
function picture(radiance: (direction: Triple) => Triple): Pixels {
  const [width, height] = [64, 32];
  const data = new Float32Array(4 * width * height);
  for (let row = 0; row < height; row += 1) {
    const up = -Math.cos((Math.PI * (row + 0.5)) / height);
    const flat = Math.sqrt(1 - up * up);
    for (let column = 0; column < width; column += 1) {
      const turn = 2 * Math.PI * ((column + 0.5) / width - 0.5);
      const seen = radiance([flat * Math.sin(turn), up, -flat * Math.cos(turn)]);
      data.set([...seen, 1], 4 * (row * width + column));
    }
  }
  return { width, height, data };
}

describe("a picture around the scene", () => {
  test("an even one lights evenly, without a sun", () => {
    const { sky, sun } = panoramaOf(picture(() => [0.5, 0.4, 0.3]));
    for (const end of [sky.top, sky.bottom]) {
      for (const [axis, part] of [0.5, 0.4, 0.3].entries()) expect(end[axis]).toBeCloseTo(part, 5);
    }
    expect(sun).toBeNull();
  });

  test("light from above comes from above", () => {
    const { sky } = panoramaOf(picture(([, up]) => (up > 0 ? [1, 1, 1] : [0, 0, 0])));
    expect(sky.top[0]).toBeGreaterThan(1);
    expect(sky.bottom[0]).toBe(0);
  });

  test("a few bright pixels are a sun where they are seen", () => {
    const towards: Triple = [0.6, 0.64, -0.48];
    const { sun, sky } = panoramaOf(
      picture((d) =>
        d[0] * towards[0] + d[1] * towards[1] + d[2] * towards[2] > 0.99 ? [900, 800, 700] : [0.3, 0.3, 0.3],
      ),
    );
    if (sun === null) throw new Error("no sun");
    for (const axis of [0, 1, 2] as const) expect(sun.direction[axis]).toBeCloseTo(towards[axis], 1);
    expect(sun.irradiance[0]).toBeGreaterThan(sun.irradiance[2]);
    expect(sky.top[0]).toBeLessThan(1);
  });

  test("turning it turns its sun, and its strength counts", () => {
    const panorama = panoramaOf(picture((d) => (d[2] < -0.99 ? [1000, 1000, 1000] : [0.1, 0.1, 0.1])));
    const environment = { type: "image", asset: "x", strength: 2, rotation: 90 };
    const { sun, picture: shown } = surroundingsOf(environment, panorama);
    // Counter-clockwise seen from above: what was ahead is to the left.
    expect(sun?.towards[0]).toBeCloseTo(-1, 2);
    expect(sun?.irradiance[0]).toBeCloseTo(2 * (panorama.sun?.irradiance[0] ?? 0), 3);
    expect(shown?.strength).toBe(2);
    expect(turned([0, 0, -1], Math.PI / 2)[0]).toBeCloseTo(-1, 9);
  });

  test("until it is there, the sky is gray", () => {
    const { sky, picture: shown } = surroundingsOf({ type: "image", asset: "x" }, null);
    expect(sky.top).toEqual(sky.bottom);
    expect(shown).toBeNull();
  });

  test("a picture of any width is turned by a quarter exactly", () => {
    for (const width of [1, 2, 3, 6]) {
      const data = new Float32Array(4 * width);
      for (let column = 0; column < width; column += 1) data[4 * column] = column;
      const { image } = panoramaOf({ width, height: 1, data }).texture;
      const red = Array.from({ length: image.width }, (_, column) => image.data?.[4 * column] ?? -1);
      // Their left edge is a quarter of the way into ours.
      expect(red).toHaveLength(image.width);
      for (const [column, value] of red.entries()) {
        const own = ((column + 0.5) / image.width + 0.25) % 1;
        expect(value).toBe(Math.floor(own * width));
      }
    }
  });

  test("three.js gets it with its left edge along -x", () => {
    const { texture } = panoramaOf(picture((d) => [d[0] < -0.95 ? 1 : 0, 0, 0]));
    const middle = 4 * (16 * 64);
    expect(texture.image.data?.[middle]).toBe(1);
    expect(texture.image.data?.[middle + 4 * 32]).toBe(0);
  });
});
