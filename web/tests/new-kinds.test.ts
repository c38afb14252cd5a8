import { describe, expect, test, vi } from "vitest";
import { editActions } from "../src/actions/edit";
import { cornersOf } from "../src/document/bounds";
import { creationCall, NEW_LIGHTS, NEW_SHAPES } from "../src/document/creation";
import { duplicateCalls } from "../src/document/duplicates";
import { controlOf } from "../src/document/fields";
import { EMPTY_SCENE, type Properties, type SceneObject } from "../src/document/scene";
import { stretchedProperties } from "../src/document/transform/stretch";
import {
  changedProperties,
  IDENTITY,
  transformedProperties,
  transformPoint,
} from "../src/document/transform/transform";
import { rotatedAxes, type Triple } from "../src/document/vector";
import { extentOf } from "../src/kinds/extents";
import { punctualLightOf } from "../src/kinds/light-sources";
import { descriptionOf } from "../src/kinds/list";
import { placedPrimitive } from "../src/kinds/primitives";
import type { KindInfo } from "../src/protocol/generated/kinds";
import { partsOfLight } from "../src/raster/objects/parts";
import { LEVEL } from "./support/small-scene";

/** Kinds that the page has no word of by hand, as the server describes kinds. */
vi.mock("../src/protocol/generated/kinds", async (importOriginal) => {
  const generated = await importOriginal<{ SHAPES: readonly KindInfo[]; LIGHTS: readonly KindInfo[] }>();
  const center = { name: "center", role: "point", unit: "m" } as const;
  const rotation = { name: "rotation", role: "rotation", default: [0, 0, 0], unit: "°" } as const;
  const emission = { name: "emission", role: "emission", unit: "W/(sr m²)" } as const;
  const ramp: KindInfo = {
    kind: "steep_ramp",
    label: "Steep ramp",
    icon: "no such icon",
    frame: "cuboid",
    flat_top: false,
    sizes: "dimensions",
    properties: [
      center,
      { name: "dimensions", role: "length", unit: "m", axes: ["w", "h", "d"] },
      { name: "cut", role: "length", unit: "m", default: [] },
      rotation,
    ],
    sample: { center: [0, 0, 0], dimensions: [2, 1.2345, 2], cut: [[0.5, 1]], rotation: [0, 0, 0] },
  };
  const bolt: KindInfo = {
    kind: "bolt",
    label: "Bolt",
    icon: "cylinder",
    frame: "column",
    flat_top: true,
    sizes: null,
    properties: [
      center,
      { name: "radius", role: "length", unit: "m", min: 0 },
      { name: "height", role: "length", unit: "m", min: 0 },
      { name: "sides", role: "plain", min: 3, max: 64, whole: true },
      { name: "head", role: "plain", default: "flat", words: ["flat", "round"] },
      rotation,
    ],
    sample: { center: [0, 0, 0], radius: 1, height: 2, sides: 6, head: "flat", rotation: [0, 0, 0] },
  };
  const capsuleLight: KindInfo = {
    kind: "neon_light",
    label: "Neon light",
    icon: "lightbulb",
    frame: "capsule",
    flat_top: false,
    sizes: null,
    properties: [
      { name: "start", role: "point", unit: "m" },
      { name: "end", role: "point", unit: "m" },
      { name: "radius", role: "length", unit: "m" },
      emission,
    ],
    sample: { start: [-1, 0, 0], end: [1, 0, 0], radius: 0.1, emission: [5, 5, 5] },
  };
  return {
    ...generated,
    SHAPES: [...generated.SHAPES, ramp, bolt],
    LIGHTS: [...generated.LIGHTS, capsuleLight],
  };
});

const SIGHT = { camera: LEVEL, aspect: 4 / 3 };
const object = (type: string, properties: Properties): SceneObject => ({ id: "it", type, properties });
const BOLT = object("bolt", {
  center: [1, 2, 3],
  radius: 0.5,
  height: 4,
  sides: 5,
  head: "round",
  rotation: [0, 0, 90],
});

describe("a kind of which the page knows the description only", () => {
  test("is in the menu and among the commands", () => {
    expect(NEW_SHAPES.map(({ label }) => label)).toEqual(expect.arrayContaining(["Steep ramp", "Bolt"]));
    expect(NEW_LIGHTS.map(({ label }) => label)).toContain("Neon light");
    const nothing = { value: { canUndo: false, canRedo: false } };
    const editor = {
      editable: { value: true },
      hidden: { value: new Set() },
      selection: { value: [] },
      scene: { value: EMPTY_SCENE },
      selectedIds: () => [],
      hasGroupSelected: () => false,
    };
    const workbench = { studio: { editor, state: nothing } } as unknown as Parameters<typeof editActions>[0];
    expect(editActions(workbench).map(({ label }) => label)).toContain("Add: Bolt");
    expect(descriptionOf("bolt")).toMatchObject({ icon: "cylinder", flat_top: true });
  });

  test("is made as wide as others, on the ground, in numbers of three digits", () => {
    const { name, args } = creationCall(EMPTY_SCENE, "steep_ramp", SIGHT);
    expect(name).toBe("create_shape");
    const { id, properties } = args as SceneObject;
    expect(id).toBe("steep_ramp");
    const size = creationCall(EMPTY_SCENE, "sphere", SIGHT).args as { properties: { radius: number } };
    const half = size.properties.radius;
    expect(properties).toMatchObject({
      dimensions: [2 * half, Number((1.2345 * half).toPrecision(3)), 2 * half],
      cut: [[0.5 * half, half]],
      rotation: [0, 0, 0],
      material: { type: "lambertian" },
    });
    const lowest = Math.min(...cornersOf(extentOf(args as SceneObject) as never).map(([, y]) => y));
    expect(lowest).toBeCloseTo(0, 6);
    expect((creationCall(EMPTY_SCENE, "bolt", SIGHT).args as SceneObject).properties).toMatchObject({
      radius: half,
      height: 2 * half,
      sides: 6,
      head: "flat",
    });
  });

  test("has fields as it is described", () => {
    expect(controlOf("dimensions", [1, 2, 3], "steep_ramp")).toEqual({
      kind: "vector",
      unit: "m",
      axes: ["w", "h", "d"],
      min: 0,
    });
    expect(controlOf("height", 4, "bolt")).toEqual({ kind: "number", unit: "m", min: 0 });
    expect(controlOf("sides", 6, "bolt")).toEqual({
      kind: "number",
      unit: "",
      min: 3,
      max: 64,
      whole: true,
      slider: { min: 3, max: 64, step: 1 },
    });
    expect(controlOf("head", "flat", "bolt")).toEqual({ kind: "text" });
    expect(controlOf("rotation", [0, 0, 0], "bolt")).toMatchObject({ kind: "vector", unit: "°" });
    expect(controlOf("emission", [1, 1, 1], "neon_light")).toMatchObject({ unit: "W/(sr m²)" });
  });

  test("has a box about its own axis", () => {
    const extent = extentOf(BOLT);
    expect(extent?.center).toEqual([1, 2, 3]);
    expect(extent?.half.map((each) => Math.hypot(...each))).toEqual([0.5, 2, 0.5]);
    expect(extent?.half[1].map((each) => Number(each.toFixed(9)) + 0)).toEqual([-2, 0, 0]);
  });

  test("is moved, turned, scaled, stretched and copied", () => {
    const transform = {
      pivot: [1, -1, 0.5] as Triple,
      axes: rotatedAxes([40, -25, 70]),
      factor: 1.7,
      translation: [3, 1, -2] as Triple,
    };
    const after = { ...BOLT, properties: { ...BOLT.properties, ...transformedProperties(BOLT, transform) } };
    const corners = (each: SceneObject) => cornersOf(extentOf(each) as never);
    const expected = corners(BOLT).map((corner) => transformPoint(corner, transform));
    for (const [index, corner] of corners(after).entries())
      expect(corner).toEqual(expected[index]?.map((each) => expect.closeTo(each, 6)));
    expect(after.properties).toMatchObject({ sides: 5, head: "round" });
    const aside = { ...IDENTITY, translation: [0, 1, 0] as Triple };
    expect(changedProperties(BOLT, aside)).toEqual({ center: [1, 3, 3] });
    const ramp = object("steep_ramp", { center: [0, 0, 0], dimensions: [1, 2, 3] });
    expect(stretchedProperties(ramp, [2, 1, 0.5])).toEqual({ dimensions: [2, 2, 1.5] });
    expect(stretchedProperties(BOLT, [2, 1, 0.5])).toBeNull();
    const [copy] = duplicateCalls(EMPTY_SCENE, [{ kind: "shape", object: ramp }]);
    expect(copy).toMatchObject({
      name: "create_shape",
      args: { properties: { center: [1.1, 0, 0], dimensions: [1, 2, 3] } },
    });
  });

  test("carries what is put on its flat top", () => {
    const bolt = object("bolt", { center: [0, -1, 0], radius: 40, height: 2 });
    const { args } = creationCall({ ...EMPTY_SCENE, shapes: [bolt] }, "box", SIGHT);
    const { center, dimensions } = (args as SceneObject).properties as Record<string, Triple>;
    expect((center?.[1] ?? 0) - 0.5 * (dimensions?.[1] ?? 0)).toBeCloseTo(0, 6);
  });

  test("is drawn from the server's triangles, as a light from the shape of its frame", () => {
    expect(placedPrimitive("bolt", BOLT.properties)).toBeNull();
    const light = creationCall(EMPTY_SCENE, "neon_light", SIGHT).args as SceneObject;
    expect(partsOfLight(light)).toMatchObject([{ primitive: { kind: "capsule" }, side: "both" }]);
    expect(punctualLightOf(light)?.position).toEqual(extentOf(light)?.center);
  });
});
