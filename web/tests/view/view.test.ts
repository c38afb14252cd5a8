import { describe, expect, test, vi } from "vitest";
import { cameraFrame, project, viewFrame } from "../../src/document/camera";
import type { Properties } from "../../src/document/scene";
import { AdaptiveQuality, FULL_QUALITY, type RenderQuality } from "../../src/raster/render/adaptive-quality";
import { cameraFromSide, framingCamera, SIDES, type Side } from "../../src/view/camera-moves";
import { RequestedViews } from "../../src/view/requested-views";
import { ViewRequestThrottle } from "../../src/view/view-request-throttle";

const CAMERA: Properties = { center: [0, 3, 4], look_at: [0, 0, 0], up: [0, 1, 0], vfov: 40, aperture: 0.1 };

describe("requested views", () => {
  const hidden = new Set(["ball"]);

  test("are known by the message that asked for them; pictures nobody asked for show the scene", () => {
    const requested = new RequestedViews();
    requested.add("r1", { camera: CAMERA, hidden, time: 2 });
    requested.add("r2", { camera: null, hidden, time: null });
    expect(requested.get("r1")).toEqual({ camera: CAMERA, hidden, time: 2 });
    expect(requested.get("r2")?.camera).toBeNull();
    expect(requested.get(undefined)).toEqual({ camera: null, hidden: new Set(), time: null });
    expect(requested.get("r9")).toBeUndefined();
    requested.clear();
    expect(requested.get("r1")).toBeUndefined();
  });

  test("of long ago are forgotten", () => {
    const requested = new RequestedViews();
    for (let index = 0; index < 100; index += 1)
      requested.add(`r${index}`, { camera: CAMERA, hidden, time: null });
    expect([requested.get("r0"), requested.get("r99")?.camera]).toEqual([undefined, CAMERA]);
  });
});

describe("pictures are asked for", () => {
  test("once the camera stands still, where nobody sees them on the way", () => {
    vi.useFakeTimers();
    const ask = vi.fn();
    const follower = new ViewRequestThrottle(ask);
    for (let move = 0; move < 10; move += 1) {
      follower.cameraMoved(false);
      vi.advanceTimersByTime(50);
    }
    expect(ask).not.toHaveBeenCalled();
    vi.advanceTimersByTime(500);
    expect(ask).toHaveBeenCalledTimes(1);
    vi.useRealTimers();
  });

  test("some times a second on the way, and for where it ends", () => {
    vi.useFakeTimers();
    const ask = vi.fn();
    const follower = new ViewRequestThrottle(ask);
    for (let move = 0; move < 60; move += 1) {
      follower.cameraMoved(true);
      vi.advanceTimersByTime(1000 / 60);
    }
    expect(ask.mock.calls.length).toBeGreaterThan(4);
    expect(ask.mock.calls.length).toBeLessThan(9);
    const before = ask.mock.calls.length;
    follower.cameraMoved(true);
    vi.advanceTimersByTime(500);
    expect(ask.mock.calls.length).toBe(before + 1);
    vi.useRealTimers();
  });
});

describe("looking from a side", () => {
  test.each(Object.keys(SIDES) as Side[])(
    "%s: as far as before, at the same point, all else kept",
    (side) => {
      const seen = cameraFromSide(CAMERA, side);
      const frame = cameraFrame(seen);
      expect(frame?.distance).toBeCloseTo(5);
      expect(frame?.forward.map((value) => Math.round(value) + 0)).toEqual(
        SIDES[side].from.map((value) => -value + 0),
      );
      expect(seen).toMatchObject({ look_at: [0, 0, 0], vfov: 40, aperture: 0.1 });
    },
  );

  test("from the top, north is up", () => {
    const frame = cameraFrame(cameraFromSide(CAMERA, "top"));
    if (frame === null) throw new Error("no frame");
    expect(project(frame, 1, [0, 0, -1]).y).toBeLessThan(0.5);
    expect(project(frame, 1, [1, 0, 0]).x).toBeGreaterThan(0.5);
  });
});

test.each([[4 / 3], [0.6]])(
  "what is framed fills the picture and is all in it, at an aspect of %f",
  (aspect) => {
    const ball = { center: [3, 1, -2] as const, radius: 0.7 };
    const frame = viewFrame(framingCamera(CAMERA, ball, aspect), aspect);
    if (frame === null) throw new Error("no frame");
    expect(project(frame, aspect, [3, 1, -2])).toMatchObject({
      x: expect.closeTo(0.5),
      y: expect.closeTo(0.5),
    });
    const { x } = project(frame, aspect, [3.7, 1, -2]);
    const { y } = project(frame, aspect, [3, 1.55, -2.42]);
    expect(x).toBeLessThan(1);
    expect(y).toBeGreaterThan(0);
    expect(Math.max((x - 0.5) * aspect, (0.5 - y) * 1)).toBeGreaterThan(0.3 * Math.min(1, aspect));
  },
);

describe("while the camera moves", () => {
  /** Draws `frames`, `apart` milliseconds from each other, while it moves; all qualities that were made. */
  const play = (
    slow: boolean,
    apart: number,
    frames: number,
  ): { qualities: RenderQuality[]; pace: AdaptiveQuality } => {
    const qualities: RenderQuality[] = [];
    const pace = new AdaptiveQuality(slow, (quality) => qualities.push(quality));
    for (let frame = 0; frame < frames; frame += 1) {
      pace.cameraMoved();
      pace.frameDrawn(frame * apart);
      vi.advanceTimersByTime(Math.min(apart, 100));
    }
    return { qualities, pace };
  };

  test("a quick machine draws all of it", () => {
    vi.useFakeTimers();
    const { qualities, pace } = play(false, 16, 60);
    expect(qualities).toEqual([FULL_QUALITY]);
    expect(pace.isSlow).toBe(false);
    vi.useRealTimers();
  });

  test("a slow one draws less, step by step, and all of it when nothing moves any more", () => {
    vi.useFakeTimers();
    const { qualities, pace } = play(false, 100, 40);
    expect(qualities.at(-1)).toEqual({ resolutionScale: 0.4, detailLevel: "lowest" });
    expect(qualities.map(({ resolutionScale }) => resolutionScale)).toEqual([1, 1, 0.7, 0.5, 0.5, 0.4]);
    expect(pace.isSlow).toBe(true);
    vi.advanceTimersByTime(1000);
    expect(qualities.at(-1)).toEqual(FULL_QUALITY);
    vi.useRealTimers();
  });

  test("what a pointer holds is not drawn whole between two slow frames", () => {
    vi.useFakeTimers();
    const qualities: RenderQuality[] = [];
    const pace = new AdaptiveQuality(true, (quality) => qualities.push(quality));
    pace.setHeld(true);
    pace.cameraMoved();
    vi.advanceTimersByTime(5000);
    expect(qualities).not.toContain(FULL_QUALITY);
    pace.setHeld(false);
    vi.advanceTimersByTime(1000);
    expect(qualities.at(-1)).toBe(FULL_QUALITY);
    vi.useRealTimers();
  });

  test("one without a graphics card begins with little, and does more when it can", () => {
    vi.useFakeTimers();
    const { qualities } = play(true, 12, 40);
    expect(qualities[0]).toEqual({ resolutionScale: 0.5, detailLevel: "low" });
    expect(qualities.at(-1)).toEqual({ resolutionScale: 1, detailLevel: "low" });
    vi.useRealTimers();
  });
});
