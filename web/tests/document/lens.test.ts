import { expect, test } from "vitest";
import {
  apertureOf,
  fNumber,
  focalLength,
  focusDistance,
  focusedLike,
  movedFocus,
  viewAngle,
} from "../../src/document/camera";

test("a lens of 24 mm sees 53.13 degrees from top to bottom of 35 mm film, one of 50 mm 27", () => {
  expect(viewAngle(24)).toBeCloseTo(53.13, 2);
  expect(viewAngle(50)).toBeCloseTo(26.99, 2);
});

test("angle and focal length lead to each other and back", () => {
  for (const millimeters of [0.5, 14, 35, 85, 200, 5000]) {
    expect(focalLength(viewAngle(millimeters)) / millimeters).toBeCloseTo(1, 2);
  }
});

test("f/2.8 of 50 mm is a lens of 17.9 mm, and a pinhole has no f-number", () => {
  expect(apertureOf(viewAngle(50), 2.8)).toBeCloseTo(0.01786, 5);
  expect(fNumber(viewAngle(50), 0.025)).toBeCloseTo(2, 2);
  expect(fNumber(27, 0)).toBeNull();
  expect(apertureOf(27, null)).toBe(0);
});

test("the distance of what shall be sharp is that of its plane, which is as far at the picture's edge", () => {
  const camera = { center: [0, 1, 6], look_at: [0, 1, 0], up: [0, 1, 0], vfov: 40 };
  expect(focusDistance(camera, [0, 1, 2])).toBe(4);
  expect(focusDistance(camera, [3, -1, 2])).toBe(4);
  expect(focusDistance(camera, [0, 1, 7]), "behind").toBeNull();
  expect(focusDistance({ ...camera, projection: "panoramic" }, [0, 1, 2])).toBeNull();
});

test("a camera that moves stays sharp on what it was sharp on, as long as that is near the middle", () => {
  const before = { center: [0, 0, 5], look_at: [0, 0, 0], up: [0, 1, 0], vfov: 40, focus_distance: 4.5 };
  const moved = (center: number[], look_at: number[]) => movedFocus(before, { ...before, center, look_at });
  expect(moved([0, 0, 1.5], [0, 0, 0])).toBe(1);
  expect(moved([3, 0, 0.5], [0, 0, 0.5])).toBe(3);
  expect(moved([3, 0, 5], [3, 0, 0])).toBeNull();
  expect(moved([0, 0, -2], [0, 0, -5])).toBeNull();
  expect(movedFocus({ ...before, focus_distance: null }, before)).toBeUndefined();
});

test("a view of one's own is sharp where the scene's camera is, with the same lens", () => {
  const camera = {
    center: [0, 0, 5],
    look_at: [0, 0, 0],
    up: [0, 1, 0],
    vfov: 40,
    aperture: 0.1,
    focus_distance: 4.5,
  };
  const own = { ...camera, center: [0, 0, 1.5], focus_distance: 0.2 };
  expect(focusedLike(camera, own)).toEqual({ ...own, focus_distance: 1 });
  expect(focusedLike({ ...camera, focus_distance: null }, own)).toEqual({ ...own, focus_distance: null });
  expect(focusedLike({ ...camera, aperture: 0 }, own), "another lens").toBe(own);
});
