// @vitest-environment jsdom
import { Vector3 } from "three";
import { describe, expect, test } from "vitest";
import { Navigation } from "../../src/raster/camera/navigation";
import { ViewportCamera } from "../../src/raster/camera/viewport-camera";

describe("by keys, the camera", () => {
  const orbit = (ground: number | null, height: number, key: string, target = 1) => {
    const camera = new ViewportCamera();
    camera.position.set(0, height, 5);
    camera.lookAt(0, target, 0);
    const navigation = new Navigation(
      camera,
      () => ground,
      () => {},
      () => {},
    );
    navigation.connect([document.createElement("div")]);
    navigation.setTarget(new Vector3(0, target, 0));
    for (let press = 0; press < 12; press += 1) navigation.key({ key, shiftKey: false });
    navigation.dispose();
    return camera.position.y;
  };
  const DOWN = "ArrowDown";

  test("stays above the ground below it", () => {
    expect(orbit(null, 2, DOWN)).toBeLessThan(-1);
    const lowest = orbit(0, 2, DOWN);
    expect(lowest).toBeGreaterThan(0);
    expect(lowest).toBeLessThan(0.1);
    expect(orbit(-0.5, 2, DOWN)).toBeLessThan(0);
  });

  test("stays above it farther away, too", () => {
    expect(orbit(null, 0.1, "-"), "a camera that looks up gets lower as it steps back").toBeLessThan(0);
    expect(orbit(0, 0.1, "-")).toBeGreaterThan(0);
  });
});
