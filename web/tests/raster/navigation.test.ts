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

test("by a long drag, the camera stays above the ground it is above, and goes where there is none", () => {
  const heightAfterDrag = (ground: number | null) => {
    const camera = new ViewportCamera();
    camera.position.set(0, 3, 5);
    camera.lookAt(0, 1, 0);
    const element = document.createElement("div");
    Object.assign(element, { setPointerCapture: () => {}, releasePointerCapture: () => {} });
    Object.defineProperty(element, "clientHeight", { value: 800 });
    document.body.append(element);
    const navigation = new Navigation(
      camera,
      () => ground,
      () => {},
      () => {},
    );
    navigation.connect([element]);
    navigation.setTarget(new Vector3(0, 1, 0));
    const send = (type: string, clientY: number) =>
      element.dispatchEvent(
        Object.assign(new MouseEvent(type, { button: 0, clientY, bubbles: true }), {
          pointerId: 1,
          pointerType: "mouse",
        }),
      );
    send("pointerdown", 700);
    for (let y = 690; y >= 300; y -= 10) send("pointermove", y);
    send("pointerup", 300);
    navigation.dispose();
    return camera.position.y;
  };
  expect(heightAfterDrag(null)).toBeLessThan(0);
  const height = heightAfterDrag(0);
  expect(height).toBeGreaterThan(0);
  expect(height).toBeLessThan(0.5);
});
