import { describe, expect, test } from "vitest";
import { controlOf, defaultFog } from "../../src/document/fields";
import { propertyCalls, type Subject } from "../../src/document/subject";
import { fogOf } from "../../src/raster/lighting/fog";

const SKY = { top: [0.2, 0.4, 1], bottom: [1, 1, 1] } as const;

describe("fog in the raster view", () => {
  test("leaves a fiftieth of the contrast as far as one sees, and shines as the sky does", () => {
    const { extinction, colour, top } = fogOf({ fog: { visibility: 20, color: [1, 0.5, 0] } }, SKY, 3);
    expect(Math.exp(-extinction * 20)).toBeCloseTo(0.02, 4);
    expect(colour[0]).toBeCloseTo(0.6);
    expect(colour[1]).toBeCloseTo(0.35);
    expect(colour[2]).toBe(0);
    expect(top, "a quarter of the visibility").toBe(5);
  });

  test("reaches over everything, or as high as it says", () => {
    expect(fogOf({ fog: { visibility: 20, height: null } }, SKY, 30).top).toBe(30);
    expect(fogOf({ fog: { visibility: 20, height: 1.5 } }, SKY, 30).top).toBe(1.5);
  });

  test.each([{}, { fog: null }, { fog: { visibility: "far" } }, { fog: { visibility: 0 } }])(
    "is not there in %j",
    (environment) => expect(fogOf(environment, SKY, 0).extinction).toBe(0),
  );
});

describe("fog in the fields", () => {
  const environment: Subject = {
    key: "environment",
    kind: "environment",
    properties: { type: "none", fog: { visibility: 8, color: [1, 1, 1] } },
  };

  test("each of its properties is edited with the rest of it", () => {
    expect(propertyCalls(environment, ["fog", "visibility"], 12)).toEqual([
      {
        name: "set_environment_lighting",
        args: { type: "none", fog: { visibility: 12, color: [1, 1, 1] } },
      },
    ]);
    expect(propertyCalls(environment, ["fog"], null)[0]?.args).toEqual({ type: "none", fog: null });
  });

  test("has fields that fit: also a height that is left to it", () => {
    for (const [name, value] of Object.entries(defaultFog(5))) {
      expect(controlOf(name, value, "fog").kind, name).not.toBe("json");
    }
    expect(controlOf("height", null, "fog")).toMatchObject({ unit: "m", whenNull: "above all objects" });
    expect(controlOf("height", null, "height_field").kind, "of others it is never left out").toBe("json");
  });

  test("begins with what leaves near things clear", () => {
    expect(defaultFog(5).visibility).toBe(30);
    expect(defaultFog(0.01).visibility).toBe(0.05);
  });
});
