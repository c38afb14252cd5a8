import { describe, expect, test } from "vitest";
import { controlOf } from "../src/document/fields";
import { crossingEdges, OUTLINES, outlineOfForm } from "../src/kinds/outlines";
import {
  grownWindow,
  holeIn,
  isOutlineList,
  movedTo,
  nudged,
  type PointListKind,
  pointListKind,
  toWindow,
  windowAround,
  withoutPoint,
  withPointAfter,
} from "../src/kinds/point-lists";

const SQUARE = [
  [0, 0],
  [2, 0],
  [2, 2],
  [0, 2],
];
function kindOf(name: string, value: unknown): PointListKind {
  const kind = pointListKind(name, value);
  if (kind === null) throw new Error(`${name} is no list of points`);
  return kind;
}
const OUTLINE = kindOf("outline", SQUARE);
const PROFILE = kindOf("profile", SQUARE);
const PATH = kindOf("points", [
  [0, 0, 0],
  [1, 1, 1],
]);

describe("points of lines and outlines", () => {
  test("the list is drawn where it can be, else it is text", () => {
    expect(controlOf("profile", SQUARE, "lathe").kind).toBe("point_list");
    expect(controlOf("outline", SQUARE, "extrusion").kind).toBe("point_list");
    expect(controlOf("holes", [SQUARE], "extrusion").kind).toBe("outlines");
    expect(controlOf("holes", [], "extrusion").kind).toBe("outlines");
    expect(controlOf("holes", [[[0, 0]]], "extrusion").kind).toBe("json");
    expect(controlOf("outline", [[0, 0]], "extrusion").kind).toBe("json");
    expect(
      controlOf(
        "vertices",
        [
          [0, 0, 0],
          [1, 0, 0],
          [0, 1, 0],
        ],
        "triangle",
      ).kind,
    ).toBe("points");
    expect(isOutlineList([SQUARE, "x"])).toBe(false);
  });

  test("where the window shows a point is where it is dragged from", () => {
    for (const kind of [OUTLINE, PROFILE]) {
      const window = windowAround(SQUARE, 0, 1, kind);
      for (const point of SQUARE) {
        const [x, y] = toWindow(window, point);
        expect(Math.min(x, y)).toBeGreaterThan(0);
        expect(Math.max(x, y)).toBeLessThan(1);
        const back = movedTo(window, point, x, y, kind);
        for (const axis of [0, 1]) expect(back[axis]).toBeCloseTo(point[axis] ?? 0, 1);
      }
    }
  });

  test("a radius is never negative, and the third coordinate stays", () => {
    const window = windowAround(SQUARE, 0, 1, PROFILE);
    expect(movedTo(window, [0.1, 1], -0.5, 0.5, PROFILE)[0]).toBe(0);
    expect(nudged(window, [0, 1], [-10, 0], PROFILE)[0]).toBe(0);
    const path = windowAround(
      [
        [0, 0, 0],
        [1, 5, 1],
      ],
      0,
      2,
      PATH,
    );
    expect(movedTo(path, [1, 5, 1], 0.5, 0.5, PATH)[1]).toBe(5);
  });

  test("points are added between two, around the corner, and beyond an open end", () => {
    expect(withPointAfter(SQUARE, 0, OUTLINE)[1]).toEqual([1, 0]);
    expect(withPointAfter(SQUARE, 3, OUTLINE)[4]).toEqual([0, 1]);
    // A profile that has come to its axis goes no further.
    expect(withPointAfter(SQUARE, 3, PROFILE)).toEqual([
      [0, 0],
      [2, 0],
      [2, 2],
      [1, 2],
      [0, 2],
    ]);
    expect(
      withPointAfter(
        [
          [0, 0, 0],
          [1, 1, 1],
        ],
        1,
        PATH,
      )[2],
    ).toEqual([2, 2, 2]);
  });

  test("the drawing stays where it is while points move in it, and grows where they leave it", () => {
    const fitting = windowAround(SQUARE, 0, 1, OUTLINE);
    const smaller = windowAround(
      [
        [0.5, 0.5],
        [1, 0.5],
        [1, 1],
      ],
      0,
      1,
      OUTLINE,
    );
    expect(grownWindow(null, fitting)).toBe(fitting);
    expect(grownWindow(fitting, smaller)).toBe(fitting);
    const wider = windowAround([...SQUARE, [5, 1]], 0, 1, OUTLINE);
    const grown = grownWindow(fitting, wider);
    for (const point of [...SQUARE, [5, 1]])
      for (const share of toWindow(grown, point)) {
        expect(share).toBeGreaterThan(0);
        expect(share).toBeLessThan(1);
      }
    const side = windowAround(
      SQUARE.map((point) => [...point, 7]),
      2,
      1,
      PATH,
    );
    expect(grownWindow(fitting, side)).toBe(side);
  });

  test("each form to begin with is an outline within the one before, and crosses itself nowhere", () => {
    for (const name of Object.keys(OUTLINES)) {
      const form = outlineOfForm(name, SQUARE);
      expect(pointListKind("outline", form), name).not.toBeNull();
      expect(crossingEdges(form), name).toBeNull();
      expect(Math.min(...form.flat()), name).toBeGreaterThanOrEqual(0);
      expect(Math.max(...form.flat()), name).toBeLessThanOrEqual(2);
      expect(new Set(form.map(String)).size, name).toBe(form.length);
    }
  });

  test("edges that cross or touch are told, whatever the corners between them", () => {
    expect(crossingEdges(SQUARE)).toBeNull();
    expect(
      crossingEdges([
        [0, 0],
        [2, 2],
        [2, 0],
        [0, 2],
      ]),
    ).toEqual([0, 2]);
    expect(
      crossingEdges([
        [0, 0],
        [2, 0],
        [2, 2],
        [1, 0],
        [0, 2],
      ]),
      "a corner on an edge",
    ).toEqual([0, 2]);
    expect(
      crossingEdges([
        [0, 0],
        [2, 0],
        [2, 0],
        [2, 2],
        [0, 2],
      ]),
      "one place twice in a row",
    ).toBeNull();
    expect(
      crossingEdges([
        [0, 0],
        [1, 0],
        [2, 0],
        [2, 2],
        [0, 2],
      ]),
      "on a straight line",
    ).toBeNull();
  });

  test("no point is removed that a shape needs", () => {
    const triangle = SQUARE.slice(0, 3);
    expect(withoutPoint(SQUARE, 1, OUTLINE)).toHaveLength(3);
    expect(withoutPoint(triangle, 1, OUTLINE)).toBe(triangle);
  });

  test("a hole begins in the middle of its outline", () => {
    const hole = holeIn(SQUARE);
    expect(pointListKind("outline", hole)).not.toBeNull();
    for (const part of hole.flat()) expect(Math.abs(part - 1)).toBeLessThan(0.5);
  });

  test("a hole of an outline whose middle is not inside of it begins where it is widest", () => {
    for (const name of Object.keys(OUTLINES)) {
      const form = outlineOfForm(name, SQUARE);
      for (const [x = 0, y = 0] of holeIn(form)) {
        const met = form.filter(([px = 0, py = 0], index) => {
          const [qx = 0, qy = 0] = form[(index + 1) % form.length] ?? [];
          return py > y !== qy > y && x < px + ((y - py) / (qy - py)) * (qx - px);
        });
        expect(met.length % 2, `${name}: ${[x, y]} is inside`).toBe(1);
      }
    }
  });
});
