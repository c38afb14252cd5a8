import { describe, expect, test } from "vitest";
import { controlOf, labelOf } from "../../src/document/fields";
import {
  defaultMaterial,
  materialKind,
  materialProperties,
  visibleProperties,
} from "../../src/document/materials";
import { presetMaterial } from "../../src/presets";

describe("fields", () => {
  test.each([
    ["center", [0, 1, 2], "sphere", { kind: "vector", unit: "m" }],
    ["rotation", [0, 1, 2], "box", { kind: "vector", unit: "°" }],
    ["radius", 1, "sphere", { kind: "number", unit: "m", min: 0 }],
    ["focus_distance", null, "camera", { kind: "number", whenNull: "at the target" }],
    ["capped", true, "cone", { kind: "flag" }],
    [
      "vertices",
      [
        [0, 0, 0],
        [1, 0, 0],
        [0, 1, 0],
      ],
      "triangle",
      { kind: "points" },
    ],
    ["albedo", [0.1, 0.2, 0.3], "sphere", { kind: "colour" }],
    ["emission", [9, 9, 9], "area_quad_light", { kind: "emission", unit: "W/(sr m²)" }],
    ["emission", [9, 9, 9], "point_spot_light", { kind: "emission", unit: "W/sr" }],
    // What this page does not know, by what it is.
    ["base_color", [0.1, 0.2, 0.3], "principled", { kind: "colour" }],
    ["wind", [3, 4, 5], "flag", { kind: "vector", unit: "" }],
    ["sheen", 0.5, "principled", { kind: "number", unit: "" }],
    ["thin_walled", false, "principled", { kind: "flag" }],
    ["material", "gold", "sphere", { kind: "text" }],
    ["albedo", { texture: "wood.png" }, "sphere", { kind: "json" }],
    ["radius", [1, 2], "ellipsoid", { kind: "json" }],
    ["nothing", null, "thing", { kind: "json" }],
  ])("%s %j of %s", (name, value, type, control) => {
    expect(controlOf(name, value, type)).toMatchObject(control);
  });

  test("names are words", () => {
    expect(labelOf("base_radius")).toBe("Base radius");
    expect(labelOf("vfov")).toBe("View angle");
  });

  test("another material keeps the color", () => {
    const red = { type: "lambertian", albedo: [1, 0, 0] };
    expect(defaultMaterial("metal", red)).toEqual({ type: "metal", albedo: [1, 0, 0], fuzz: 0.1 });
    expect(defaultMaterial("principled", red)).toEqual({ type: "principled", base_color: [1, 0, 0] });
    expect(defaultMaterial("dielectric", red)).toEqual({ type: "dielectric", refractive_index: 1.5 });
    expect(defaultMaterial("lambertian", "gold")).toEqual({ type: "lambertian", albedo: [0.8, 0.8, 0.8] });
    expect([materialKind("gold"), materialKind(red), materialKind(7)]).toEqual(["preset", "lambertian", ""]);
  });

  test("a preset becomes what it is made of, and keeps its texture in another kind", () => {
    const oak = presetMaterial("oak");
    expect(oak).toMatchObject({ type: "principled", base_color: { type: "wood" }, specular_roughness: 0.5 });
    expect(defaultMaterial("principled", oak)).toBe(oak);
    expect(defaultMaterial("lambertian", oak)).toEqual({ type: "lambertian", albedo: oak?.base_color });
    expect(defaultMaterial("dielectric", presetMaterial("diamond"))).toMatchObject({
      refractive_index: 2.42,
    });
    expect(presetMaterial("no such preset")).toBeUndefined();
  });

  test("a principled material has all its properties, those it tells and those it leaves out", () => {
    const shown = materialProperties({ type: "principled", coat_weight: 0.5 });
    expect(shown).toMatchObject({ coat_weight: 0.5, specular_roughness: 0.3 });
    expect(shown).not.toHaveProperty("type");
    expect(materialProperties({ type: "metal", fuzz: 1 })).toEqual({ fuzz: 1 });
    const names = (properties: object) =>
      Object.keys(visibleProperties({ type: "principled", ...properties }));
    expect(names({})).not.toContain("coat_color");
    expect(names({ coat_weight: 0.5 })).toContain("coat_color");
    expect(names({ coat_weight: { type: "checker" } }), "a texture").toContain("coat_color");
    expect(names({ transmission_weight: 1 })).toEqual(
      expect.arrayContaining(["transmission_color", "transmission_depth"]),
    );
    expect(names({ transmission_weight: 1 })).not.toContain("base_color");
    expect(names({ transmission_weight: 0.9 })).toContain("base_color");
    expect(visibleProperties({ type: "metal", fuzz: 1 })).toEqual({ fuzz: 1 });
    expect(controlOf("coat_weight", 0.5, "sphere")).toMatchObject({ min: 0, max: 1 });
  });
});
