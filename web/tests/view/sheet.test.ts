import { expect, test } from "vitest";
import { rotateSpeed } from "../../src/raster/camera/navigation";
import { nearestStop, SHEET_STOPS } from "../../src/sheet";

test("the sheet stops where it is nearest", () => {
  expect(SHEET_STOPS.map(nearestStop)).toEqual([0, 1, 2]);
  expect([0, 0.4, 0.5, 0.7, 0.75, 1].map(nearestStop)).toEqual([0, 0, 1, 1, 2, 2]);
});

test("a finger turns by as much on a small picture as on a large one", () => {
  // three.js turns once around for a way as long as the picture is high.
  const turnOf = (way: number, height: number) => (rotateSpeed(height, 700) * way) / height;
  expect(turnOf(100, 200)).toBeCloseTo(turnOf(100, 500));
  expect(rotateSpeed(2000, 700)).toBe(1);
});
