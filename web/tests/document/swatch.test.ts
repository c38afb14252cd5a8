import { expect, test } from "vitest";
import { namesPreset, swatchOf } from "../../src/document/swatch";
import { PRESETS, presetMaterial } from "../../src/presets";

const swatch = (material: unknown) => swatchOf({ properties: { material } }, presetMaterial);

test("every preset has a color, by its name, as a material, and in a mix", () => {
  for (const { name } of PRESETS) expect(swatch(name), name).toMatch(/^#[0-9a-f]{6}$/);
  expect(swatch({ type: "preset", name: "gold" })).toBe(swatch("gold"));
  expect(swatch({ type: "mix", first: "gold", second: { type: "lambertian", albedo: [0, 0, 0] } })).toBe(
    swatch("gold"),
  );
  expect(swatch("no such preset")).toBeNull();
});

test("which materials need the presets", () => {
  expect(
    ["gold", { type: "preset", name: "gold" }, { type: "mix", first: "gold", second: {} }].map(namesPreset),
  ).toEqual([true, true, true]);
  expect([{ type: "principled" }, undefined].map(namesPreset)).toEqual([false, false]);
});

test("light is shown without its strength", () => {
  expect(swatchOf({ properties: { emission: [20, 0, 0] } }, () => undefined)).toBe("#ff0000");
});
