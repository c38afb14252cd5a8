import { expect, test } from "vitest";
import { focalLength, viewAngle } from "../../src/document/camera";

test("a lens of 24 mm sees 53.13 degrees from top to bottom of 35 mm film, one of 50 mm 27", () => {
  expect(viewAngle(24)).toBeCloseTo(53.13, 2);
  expect(viewAngle(50)).toBeCloseTo(26.99, 2);
});

test("angle and focal length lead to each other and back", () => {
  for (const millimeters of [0.5, 14, 35, 85, 200, 5000]) {
    expect(focalLength(viewAngle(millimeters)) / millimeters).toBeCloseTo(1, 2);
  }
});
