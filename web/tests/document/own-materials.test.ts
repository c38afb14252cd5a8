import { expect, test } from "vitest";
import { materialWithImage } from "../../src/document/materials";
import { OwnMaterials } from "../../src/presets/own-materials";

function storage(text: string | null = null) {
  const kept = { text };
  return {
    kept,
    getItem: () => kept.text,
    setItem: (_: string, value: string) => {
      kept.text = value;
    },
  };
}

test("saved materials last, one of each name, and can be deleted", () => {
  const store = storage();
  const own = new OwnMaterials(() => store);
  own.save("clay", { type: "lambertian", albedo: [0.5, 0.2, 0.1] });
  own.save("clay", { type: "metal", albedo: [1, 1, 1], fuzz: 0 });
  own.save("glow", { type: "emissive", emission: [1, 1, 1] });
  const again = new OwnMaterials(() => store).list.value;
  expect(again.map(({ name, material }) => `${name} ${material.type}`)).toEqual([
    "clay metal",
    "glow emissive",
  ]);
  own.remove("clay");
  expect(new OwnMaterials(() => store).list.value).toHaveLength(1);
});

test("what is stored but is no list of materials counts as none", () => {
  for (const text of ["", "{", "3", '[{"name": 4}, null, {"name": "x", "material": "gold"}]']) {
    expect(new OwnMaterials(() => storage(text)).list.value).toEqual([]);
  }
});

test("a picture becomes the color; what has none becomes matte", () => {
  const image = { type: "image", asset: "abc" };
  expect(materialWithImage({ type: "metal", albedo: [1, 1, 1], fuzz: 0.2 }, "abc")).toEqual({
    type: "metal",
    albedo: image,
    fuzz: 0.2,
  });
  expect(materialWithImage({ type: "principled", coat_weight: 1 }, "abc")).toEqual({
    type: "principled",
    coat_weight: 1,
    base_color: image,
  });
  for (const other of [{ type: "dielectric", refractive_index: 1.5 }, undefined, "gold"]) {
    expect(materialWithImage(other, "abc")).toEqual({ type: "lambertian", albedo: image });
  }
});
