import { Box3, Sphere, Vector3 } from "three";
import { describe, expect, test } from "vitest";
import type { Triple } from "../../src/document/vector";
import type { PunctualLight } from "../../src/raster/lighting/punctual-lights";
import {
  contentOf,
  MAX_SHADOWS,
  restOf,
  shadowConeOf,
  shadowLightsOf,
} from "../../src/raster/lighting/shadows";

const box = (center: Triple, size: Triple) =>
  new Box3().setFromCenterAndSize(new Vector3(...center), new Vector3(...size));
const lamp = (position: Triple, strength = 10, direction: Triple | null = null): PunctualLight => ({
  position,
  intensity: [strength, strength, strength],
  direction,
  coneAngle: direction === null ? Math.PI : 0.5,
  penumbra: 0.1,
  radius: 0.1,
});
const CUP = box([0, 0.05, 0], [0.1, 0.1, 0.1]);
const TABLE = box([0, -0.4, 0], [1.5, 0.8, 0.8]);
const FLOOR = box([0, -0.8, 0], [60, 0.02, 60]);
const ROOM = box([0, 10, 0], [60, 60, 60]);

describe("what shadows are drawn of", () => {
  test("ground and walls take shadows, but need no place in their maps", () => {
    const content = contentOf([CUP, FLOOR, TABLE, ROOM]);
    expect(content?.radius).toBeCloseTo(contentOf([CUP, TABLE])?.radius ?? 0, 6);
  });

  test("a large thing beside a small one is content", () => {
    expect(contentOf([CUP, TABLE])?.radius).toBeGreaterThan(0.9);
  });

  test("ground alone is content, and nothing is none", () => {
    expect(contentOf([FLOOR])?.radius).toBeGreaterThan(40);
    expect(contentOf([])).toBeNull();
  });
});

describe("a light's shadow map", () => {
  const content = new Sphere(new Vector3(0, 1, 0), 1);

  test("covers all of the content from any distance", () => {
    for (const distance of [1.2, 3, 40, 1e4]) {
      const cone = shadowConeOf(lamp([0, 1 + distance, 0]), content);
      if (cone === null) throw new Error(`no shadow from ${distance} m`);
      const away = new Vector3(...cone.position).distanceTo(content.center);
      expect(Math.sin(cone.mapAngle) * away).toBeGreaterThanOrEqual(0.999);
      expect(cone.near).toBeLessThan(away - 1 + 1e-6);
      expect(cone.far).toBeGreaterThan(away + 1);
      expect(cone.coneAngle).toBeGreaterThanOrEqual(cone.mapAngle);
    }
  });

  test("what shines all around does so behind its map, too", () => {
    const light = lamp([0, 4, 0]);
    const cone = shadowConeOf(light, content);
    if (cone === null) throw new Error("no shadow");
    const rest = restOf(light, cone);
    expect(rest?.direction?.map((part) => part + 0)).toEqual([0, 1, 0]);
    expect(rest?.intensity).toEqual(light.intensity);
    expect((rest?.coneAngle ?? 0) + cone.coneAngle).toBeCloseTo(Math.PI, 9);
    expect(restOf(lamp([2, 3, 0], 10, [0, -1, 0]), cone)).toBeNull();
  });

  test("a spot keeps its cone, and the map is no wider", () => {
    const cone = shadowConeOf(lamp([2, 3, 0], 10, [0, -1, 0]), content);
    expect(cone?.direction).toEqual([0, -1, 0]);
    expect(cone?.coneAngle).toBe(0.5);
    expect(cone?.mapAngle).toBeLessThanOrEqual(0.5);
  });

  test("a lamp among the content that shines all around casts none", () => {
    expect(shadowConeOf(lamp([0, 1, 0.2]), content)).toBeNull();
  });

  test("the strongest that can cast them do", () => {
    const [weak, inside, strong, second] = [
      lamp([0, 5, 0], 0.1),
      lamp([0, 1, 0], 100),
      lamp([3, 5, 0], 60),
      lamp([-3, 5, 0], 40),
    ];
    const casting = shadowLightsOf([weak, inside, second, strong], content);
    expect([...casting.keys()]).toEqual([strong, second]);
    expect(casting.size).toBeLessThanOrEqual(MAX_SHADOWS);
    expect(shadowLightsOf([strong], null).size).toBe(0);
  });
});
