import { describe, expect, test, vi } from "vitest";
import {
  expectedNoise,
  initialOptions,
  noiseText,
  problemOf,
  requestOf,
  withDenoise,
  withSide,
  withSize,
} from "../../src/views/render/options";

const MAX_SAMPLES = 65_536;
const options = { ...initialOptions(4 / 3), denoise: false };

describe("the options of a render", () => {
  test("keep the shape of the picture while it is locked", () => {
    expect(withSide(options, "width", 800)).toMatchObject({ width: 800, height: 600 });
    expect(withSide(options, "height", 300)).toMatchObject({ width: 400, height: 300 });
    const typed = [3, 30, 300, 3000].reduce((each, pixels) => withSide(each, "width", pixels), options);
    expect(typed, "digit by digit").toMatchObject({ width: 3000, height: 2250 });
    expect(withSide(withSize(options, 1920, 1080), "width", 960)).toMatchObject({ width: 960, height: 540 });
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

  test("leave the sky out where the format can", () => {
    const clear = { ...options, transparent: true };
    expect(requestOf(options, MAX_SAMPLES).settings).not.toHaveProperty("transparent");
    expect(requestOf(clear, MAX_SAMPLES).settings).toMatchObject({ transparent: true });
    expect(requestOf({ ...clear, format: "jpeg" }, MAX_SAMPLES).settings).not.toHaveProperty("transparent");
    expect(problemOf({ ...clear, width: 3840, height: 2160 }, MAX_SAMPLES), "4K").toBeNull();
  });

  test("say what the server would refuse", () => {
    const problem = (changed: object) => problemOf({ ...options, ...changed }, MAX_SAMPLES);
    expect(problem({})).toBeNull();
    expect(problem({ width: 5000 })).toMatch(/from 1 to 4096/);
    expect(problem({ amounts: { ...options.amounts, samples: 3000 } })).toMatch(/at most 2236 samples/);
    expect(problem({ end: "noise", amounts: { ...options.amounts, noise: 0 } })).toMatch(/from 0.1 to 100/);
    expect(problem({ width: 3840, height: 2160, layers: true, format: "exr" })).toMatch(/up to 1920/);
    expect(problem({ width: 3840, height: 2160, layers: true })).toBeNull();
  });
});

describe("the denoiser", () => {
  test("is on until it is switched off, and then stays off", () => {
    vi.stubGlobal("localStorage", fakeStorage());
    expect(initialOptions(4 / 3).denoise).toBe(true);
    withDenoise(options, false);
    expect(initialOptions(4 / 3).denoise).toBe(false);
    withDenoise(options, true);
    expect(initialOptions(4 / 3).denoise).toBe(true);
    vi.unstubAllGlobals();
  });

  test("is left out where the picture is too large for it, and the first size is not", () => {
    const request = (width: number, height: number) =>
      requestOf({ ...options, denoise: true, width, height }, MAX_SAMPLES).settings;
    expect(request(1920, 1080)).toHaveProperty("denoise", "builtin");
    expect(request(3840, 2160)).not.toHaveProperty("denoise");
    const { width, height } = initialOptions(390 / 600);
    expect(request(width, height)).toHaveProperty("denoise", "builtin");
    expect(width / height).toBeCloseTo(390 / 600, 2);
  });
});

describe("the noise to expect", () => {
  const shown = { width: 800, height: 600 };
  const render = { samples: 64, elapsedMs: 10_000, noise: 0.04 };

  test("halves with four times the samples, of each pixel of a larger picture too", () => {
    const noise = (changed: object) => expectedNoise({ ...options, ...changed }, render, shown);
    expect(noise({})).toBeCloseTo(0.02);
    expect(noise({ end: "noise" })).toBeCloseTo(0.02);
    // Four times the pixels in 40 s come to the samples of the picture on the page.
    expect(noise({ end: "time", amounts: { ...options.amounts, time: 40 } })).toBeCloseTo(0.04);
    expect(expectedNoise(options, null, shown)).toBeNull();
    expect(expectedNoise(options, { ...render, samples: 1 }, shown)).toBeNull();
  });

  test("is told in words", () => {
    expect(noiseText(0.004, false)).toBe("About 0.4 % noise: hardly visible.");
    expect(noiseText(0, false)).toBe("Under 0.1 % noise: hardly visible.");
    expect(noiseText(0.05, false)).toBe("About 5.0 % noise: grainy.");
    expect(noiseText(0.05, true)).toBe("About 5.0 % noise, which the denoiser smooths.");
  });
});

function fakeStorage() {
  const entries = new Map<string, string>();
  return {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value),
  };
}
