import { describe, expect, test } from "vitest";
import type { Box } from "../../src/document/placement";
import type { Triple } from "../../src/document/vector";
import {
  isSeen,
  placeInView,
  placeOnTable,
  placeUnderPointer,
  turnTowardsCamera,
} from "../../src/library/placement";
import { BARE_GROUND, type SurfaceHit, type Surfaces } from "../../src/view/surfaces";

const MUG = { size: [0.1, 0.1, 0.1], turn: 0 } as const;
const SOFA = { size: [2, 0.8, 1], turn: 0 } as const;
/** Looks at the origin, from above and in front. */
const VIEW = {
  camera: { center: [0, 3, 6], look_at: [0, 0, 0], up: [0, 1, 0], vfov: 45 },
  aspect: 4 / 3,
};
const box = ([x, y, z]: Triple, [width, height, depth]: Triple): Box => ({
  min: [x - width / 2, y, z - depth / 2],
  max: [x + width / 2, y + height, z + depth / 2],
});
const FLOOR = box([0, -0.1, 0], [20, 0.1, 20]);
const TABLE = box([0, 0.7, 0], [1.4, 0.05, 0.8]);
const FOOT = box([0, 0, 0], [0.1, 0.7, 0.1]);
const WALL = box([0, 0, -2], [20, 10, 0.2]);
const MIDDLE = { x: 0.5, y: 0.5 };

/** A scene of boxes. */
const sceneOf = (...boxes: Box[]): Surfaces => ({
  boxes: () => boxes,
  cast: (origin, direction) => {
    const hits = boxes.map((each) => hitOf(each, origin, direction)).filter((hit) => hit !== null);
    return hits.sort((a, b) => a.distance - b.distance)[0] ?? null;
  },
});

function hitOf(hit: Box, origin: Triple, direction: Triple): (SurfaceHit & { distance: number }) | null {
  let [near, far, side] = [-Infinity, Infinity, 0];
  for (const axis of [0, 1, 2] as const) {
    const ways = [hit.min[axis], hit.max[axis]].map((plane) => (plane - origin[axis]) / direction[axis]);
    if (ways.some(Number.isNaN)) continue;
    if (Math.min(...ways) > near) [near, side] = [Math.min(...ways), axis];
    far = Math.min(far, ...ways.map((way) => Math.max(way, ...ways)));
  }
  if (near > far || near <= 0) return null;
  const at = (axis: 0 | 1 | 2) => origin[axis] + near * direction[axis];
  const normal = [0, 1, 2].map((axis) => (axis === side ? -Math.sign(direction[axis] ?? 0) : 0));
  return { distance: near, point: [at(0), at(1), at(2)], normal: normal as unknown as Triple, box: hit };
}

const close = (place: Triple) => place.map((value) => expect.closeTo(value, 3));

describe("what is dropped stands", () => {
  const drop = (
    surfaces: Surfaces,
    point: { x: number; y: number },
    object: typeof MUG | typeof SOFA = MUG,
  ) => placeUnderPointer(surfaces, VIEW, point, object);

  test("on what is under the pointer: the floor, or the top of a table", () => {
    expect(drop(sceneOf(FLOOR), MIDDLE)).toEqual(close([0, 0, 0]));
    const onTable = drop(sceneOf(FLOOR, TABLE), { x: 0.5, y: 0.4 });
    expect(onTable[1]).toBeCloseTo(0.75, 6);
    expect(Math.abs(onTable[2])).toBeLessThan(0.4);
  });

  test("in front of a wall with its back to it, on what is there", () => {
    const place = drop(sceneOf(FLOOR, WALL), { x: 0.5, y: 0.1 }, SOFA);
    expect(place).toEqual(close([0, 0, -1.9 + 0.5]));
    const turned = placeUnderPointer(sceneOf(FLOOR, WALL), VIEW, { x: 0.5, y: 0.1 }, { ...SOFA, turn: 90 });
    expect(turned).toEqual(close([0, 0, -1.9 + 1]));
  });

  test("under a ceiling on the floor", () => {
    const ceiling = box([0, 2.5, -4], [20, 0.2, 6]);
    const below = { ...VIEW, camera: { ...VIEW.camera, center: [0, 1, 6], look_at: [0, 2, 0] } };
    const place = placeUnderPointer(sceneOf(FLOOR, ceiling), below, { x: 0.5, y: 0.4 }, MUG);
    expect(place[1]).toBeCloseTo(0, 6);
  });

  test("on the ground where there is nothing, never beyond the horizon", () => {
    expect(drop(BARE_GROUND, MIDDLE)).toEqual(close([0, 0, 0]));
    const [x, y, z] = drop(BARE_GROUND, { x: 0.5, y: 0 });
    expect([x, y]).toEqual(close([0, 0, 0]).slice(0, 2));
    expect(z).toBeGreaterThan(-30);
  });

  test("where a panoramic camera looks", () => {
    const view = { ...VIEW, camera: { ...VIEW.camera, projection: "panoramic", look_at: [1, 2, 3] } };
    expect(placeUnderPointer(BARE_GROUND, view, MIDDLE, MUG)).toEqual([1, 0, 3]);
  });
});

describe("what is added by a click stands", () => {
  const add = (surfaces: Surfaces, object: typeof MUG | typeof SOFA) => placeInView(surfaces, VIEW, object);
  /** Looks at the top of the table. */
  const LOOKED_AT = box([0, -0.05, 0], [1.4, 0.05, 0.8]);

  test("in the middle of the view", () => {
    expect(add(BARE_GROUND, SOFA)).toEqual(close([0, 0, 0]));
    expect(add(sceneOf(LOOKED_AT), MUG)).toEqual(close([0, 0, 0]));
  });

  test("beside what stands there, on the same table where that has room", () => {
    const mugs = [box([0, 0, 0], [0.1, 0.1, 0.1])];
    for (let count = 0; count < 6; count += 1) {
      const place = add(sceneOf(LOOKED_AT, ...mugs), MUG);
      expect(place[1]).toBeCloseTo(0, 6);
      expect(Math.hypot(...place), "not where one stands").toBeGreaterThan(0.1);
      mugs.push(box(place, [0.1, 0.1, 0.1]));
    }
    const places = mugs.map(({ min }) => min.map((value) => value.toFixed(3)).join());
    expect(new Set(places).size).toBe(mugs.length);
  });

  test("not on what is smaller than it is", () => {
    const place = add(sceneOf(FLOOR, box([0, 0, 0], [0.1, 0.1, 0.1])), SOFA);
    expect(place[1]).toBeCloseTo(0, 6);
    expect(Math.hypot(...place)).toBeGreaterThan(0.5);
  });
});

describe("what is added by a click is seen", () => {
  const CASTLE = [
    box([0, 0, 0.9], [2, 1.6, 0.2]),
    box([0, 0, -0.9], [2, 1.6, 0.2]),
    box([0.9, 0, 0], [0.2, 1.6, 1.6]),
    box([-0.9, 0, 0], [0.2, 1.6, 1.6]),
  ];
  /** Looks over the wall of the castle into its yard. */
  const OVER = { ...VIEW, camera: { ...VIEW.camera, center: [0, 1.9, 5], look_at: [0, 0.4, 0] } };

  test("in front of what is large, not within or behind it", () => {
    const scene = sceneOf(FLOOR, ...CASTLE);
    expect(isSeen(scene, OVER, MUG, [0, 0, 0])).toBe(false);
    const place = placeInView(scene, OVER, { size: [0.3, 0.3, 0.3], turn: 0 });
    expect(isSeen(scene, OVER, MUG, place)).toBe(true);
    expect(Math.max(Math.abs(place[0]), place[2])).toBeGreaterThan(1);
  });

  test("or told to be hidden, a speck or out of the picture", () => {
    const scene = sceneOf(FLOOR);
    expect(isSeen(scene, VIEW, MUG, [0, 0, 0])).toBe(true);
    expect(isSeen(scene, VIEW, { ...MUG, size: [0.02, 0.02, 0.02] }, [0, 0, 0])).toBe(false);
    expect(isSeen(scene, VIEW, MUG, [0, 0, 7])).toBe(false);
    expect(isSeen(sceneOf(FLOOR, WALL), VIEW, MUG, [0, 0, -4])).toBe(false);
    // Where it is by now, it does not hide itself.
    expect(isSeen(sceneOf(FLOOR, box([0, 0, 0], [0.1, 0.1, 0.1])), VIEW, MUG, [0, 0, 0])).toBe(true);
  });
});

describe("a new shape stands", () => {
  const AT_TABLE = { ...VIEW, camera: { ...VIEW.camera, look_at: [0, 0.75, 0] } };
  const on = (selected: Box | null, view: typeof VIEW = AT_TABLE, object: typeof MUG | typeof SOFA = MUG) =>
    placeOnTable(sceneOf(FLOOR, TABLE, FOOT), view, object, selected);

  test("on the table that is looked at or selected, if that is large enough", () => {
    expect(on(null)).toEqual(close([0, 0.75, 0]));
    const aside = { ...VIEW, camera: { ...VIEW.camera, look_at: [1.5, 0, 0.5] } };
    expect(on(null, aside)).toBeNull();
    expect(on(TABLE, aside)).toEqual(close([0, 0.75, 0]));
    expect(on(TABLE, AT_TABLE, SOFA)).toBeNull();
    const level = { ...VIEW, camera: { ...VIEW.camera, center: [0, 2, 6], look_at: [0, 2, 0] } };
    expect(on(null, level), "nothing is looked at").toBeNull();
    expect(on(FLOOR), "a floor is no table: what is looked at is").toEqual(close([0, 0.75, 0]));
  });
});

test.each([
  [[0, 3, 6], 0],
  [[2, 3, 6], 0],
  [[6, 1, 2], 90],
  [[0, 1, -6], 180],
  [[-6, 1, 1], 270],
])("from %j things are turned by %d degrees, to face the camera", (center, turn) => {
  expect(turnTowardsCamera({ ...VIEW, camera: { ...VIEW.camera, center } })).toBe(turn);
});
