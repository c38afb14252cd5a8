import { describe, expect, test } from "vitest";
import { initialOptions, problemOf, requestOf, withSide } from "../../src/views/render/options";

const MAX_SAMPLES = 65_536;
const options = initialOptions(null);

describe("the options of a render", () => {
  test("keep the shape of the picture while it is locked", () => {
    expect(withSide(options, "width", 800)).toMatchObject({ width: 800, height: 600 });
    expect(withSide(options, "height", 300)).toMatchObject({ width: 400, height: 300 });
    expect(withSide({ ...options, locked: false }, "width", 800)).toMatchObject({ width: 800, height: 1200 });
    expect(withSide(options, "width", Number.NaN).height).toBe(1200);
  });

  test("ask for samples, for a noise or for a time", () => {
    const settings = (end: "samples" | "noise" | "time") =>
      requestOf({ ...options, end }, MAX_SAMPLES).settings;
    expect(settings("samples")).toEqual({ width: 1600, height: 1200, samples: 256 });
    expect(settings("noise")).toEqual({ width: 1600, height: 1200, noise_threshold: 0.02 });
    expect(settings("time")).toEqual({ width: 1600, height: 1200, time_limit: 60, samples: 2236 });
  });

  test("have layers in EXR only", () => {
    const layered = { ...options, layers: true, denoise: true };
    expect(requestOf(layered, MAX_SAMPLES).settings).toMatchObject({ denoise: "builtin" });
    expect(requestOf(layered, MAX_SAMPLES).settings).not.toHaveProperty("aov");
    expect(requestOf({ ...layered, format: "exr" }, MAX_SAMPLES).settings).toMatchObject({ aov: true });
  });

  test("say what the server would refuse", () => {
    const problem = (changed: object) => problemOf({ ...options, ...changed }, MAX_SAMPLES);
    expect(problem({})).toBeNull();
    expect(problem({ width: 5000 })).toMatch(/from 1 to 4096/);
    expect(problem({ amounts: { ...options.amounts, samples: 3000 } })).toMatch(/at most 2236 samples/);
    expect(problem({ end: "noise", amounts: { ...options.amounts, noise: 0 } })).toMatch(/from 0.1 to 100/);
    expect(problem({ width: 3840, height: 2160, denoise: true })).toMatch(/up to 1920/);
    expect(problem({ width: 3840, height: 2160, layers: true })).toBeNull();
  });
});
