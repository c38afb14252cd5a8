// @vitest-environment jsdom
import { PerspectiveCamera } from "three";
import { expect, test, vi } from "vitest";
import { EMPTY_SCENE } from "../../src/document/scene";
import { CAMERA_KEY } from "../../src/document/subject";
import { snappedTo } from "../../src/raster/helpers/gizmo";
import { Markers } from "../../src/raster/helpers/markers";

test("what is moved stops at steps of the grid, and not at steps from where it was", () => {
  expect(snappedTo(0.3, 0.9, 1)).toBe(1);
  expect(snappedTo(0.3, -0.9, 1)).toBeCloseTo(-1);
  expect(snappedTo(0.3, 0.4, 1)).toBe(0.3);
  expect(snappedTo(0.3, 0.4, 0)).toBeCloseTo(0.7);
});

test("the scene's camera is picked where it stands, while another one looks", () => {
  vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue(null);
  const markers = new Markers();
  const look = new PerspectiveCamera(45, 1, 0.1, 100);
  look.position.set(0, 0, 10);
  look.updateMatrixWorld();
  const camera = { center: [1, 0, 0], look_at: [0, 0, -5], up: [0, 1, 0], vfov: 40 };
  const pick = (x: number) => markers.at(x, 0, look);
  // One meter to the side, ten away.
  const x = 1 / (10 * Math.tan((22.5 * Math.PI) / 180));
  markers.show(EMPTY_SCENE, new Set(), camera, 1, 1);
  expect([pick(x), pick(0)]).toEqual([CAMERA_KEY, null]);
  markers.show(EMPTY_SCENE, new Set(), null, 1, 1);
  expect(pick(x)).toBeNull();
});
