import { describe, expect, test } from "vitest";
import protocol from "../../docs/protocol.md?raw";
import { cornersOf } from "../src/document/bounds";
import { creationCall, NEW_LIGHTS, NEW_SHAPES } from "../src/document/creation";
import { controlOf } from "../src/document/fields";
import { EMPTY_SCENE, type Properties, type SceneObject } from "../src/document/scene";
import {
  IDENTITY,
  type Transform,
  transformedProperties,
  transformPoint,
} from "../src/document/transform/transform";
import { rotatedAxes, type Triple } from "../src/document/vector";
import { ENVIRONMENT_DEFAULTS, MATERIAL_DEFAULTS } from "../src/kinds/defaults";
import { extentOf } from "../src/kinds/extents";
import { ENVIRONMENT_LABELS, MATERIAL_LABELS } from "../src/kinds/labels";
import { punctualLightOf } from "../src/kinds/light-sources";
import { ENVIRONMENT_KINDS, MATERIAL_KINDS } from "../src/kinds/list";
import { markerOf } from "../src/kinds/markers";
import { primitiveOfLight } from "../src/kinds/primitives";
import { SKIES } from "../src/kinds/skies";
import { SURFACES } from "../src/kinds/surfaces";
import { type KindInfo, LIGHTS, SHAPES } from "../src/protocol/generated/kinds";
import { partsOfLight } from "../src/raster/objects/parts";
import { isIconName } from "../src/views/common/icons";
import { LEVEL } from "./support/small-scene";

/** The kinds in the first column of the protocol's table of some heading. */
function kindsOf(heading: string): string[] {
  const lines = protocol.split("\n");
  const start = lines.findIndex((line) => line.startsWith(`| ${heading} |`));
  const rows = lines.slice(start + 2);
  return rows
    .slice(
      0,
      rows.findIndex((line) => !line.startsWith("|")),
    )
    .map((row) => /^\| `(\w+)`/.exec(row)?.[1] ?? row);
}

const MATERIALS = kindsOf("material");
const ENVIRONMENTS = kindsOf("environment");
const namesOf = (infos: readonly KindInfo[]) => infos.map(({ kind }) => kind);

describe("each kind of the protocol is in", () => {
  test.each<[string, readonly string[] | object, readonly string[]]>([
    ["the descriptions of shapes", namesOf(SHAPES), kindsOf("shape")],
    ["the descriptions of lights", namesOf(LIGHTS), kindsOf("light")],
    ["the list of materials", MATERIAL_KINDS, MATERIALS],
    ["the list of environments", ENVIRONMENT_KINDS, ENVIRONMENTS],
    ["the labels of materials", MATERIAL_LABELS, MATERIALS],
    ["the labels of environments", ENVIRONMENT_LABELS, ENVIRONMENTS],
    ["the defaults of materials", MATERIAL_DEFAULTS, MATERIALS],
    ["the defaults of environments", ENVIRONMENT_DEFAULTS, ENVIRONMENTS],
    ["the surfaces of materials", SURFACES, MATERIALS],
    ["the skies of environments", SKIES, ENVIRONMENTS],
  ])("%s", (_, table, kinds) => {
    const known = Array.isArray(table) ? table : Object.keys(table);
    expect(kinds.length).toBeGreaterThan(4);
    expect([...known].sort()).toEqual([...kinds].sort());
  });
});

/** What can be added: a new one of each kind, about the origin. */
const SAMPLES = [...NEW_SHAPES, ...NEW_LIGHTS].map(({ kind, sample, frame }) => ({
  kind,
  frame,
  object: { id: kind, type: kind, properties: sample ?? {} },
}));

test("whatever needs no file can be added", () => {
  const kinds = [...SHAPES, ...LIGHTS].map(({ kind }) => kind);
  expect(SAMPLES.map(({ kind }) => kind)).toEqual(kinds.filter((kind) => kind !== "mesh"));
});

test("the icon of each kind is one of the page's", () => {
  for (const { kind, icon } of [...SHAPES, ...LIGHTS]) expect([kind, isIconName(icon)]).toEqual([kind, true]);
});

describe.each(SAMPLES)("a $kind", ({ object, frame }) => {
  const MOVED: Transform = { ...IDENTITY, translation: [3, 1, -2] };
  const SCALED: Transform = { ...IDENTITY, pivot: [1, -1, 0.5], factor: 1.7 };
  const TURNED: Transform = { ...SCALED, axes: rotatedAxes([40, -25, 70]) };
  const movedBy = (transform: Transform): SceneObject => ({
    ...object,
    properties: { ...object.properties, ...transformedProperties(object, transform) },
  });

  test("has an extent that follows when it is moved, scaled and turned", () => {
    const before = extentOf(object);
    expect(before === null).toBe(frame === "unknown");
    if (before === null) return;
    // The box around a line and around corners stays along the axes of the world.
    const transforms = ["line", "vertices"].includes(frame) ? [MOVED, SCALED] : [MOVED, SCALED, TURNED];
    for (const transform of transforms) {
      const extent = extentOf(movedBy(transform));
      if (extent === null) throw new Error("no extent");
      expectNear(extent.center, transformPoint(before.center, transform));
      const [is, was] = [extent, before].map(({ half }) => half.map((each) => Math.hypot(...each)));
      expectNear(is, was?.map((length) => length * transform.factor) ?? []);
      // Round things may have another pair of axes across theirs.
      if (!["cuboid", "ellipsoid", "parallelogram", "profile", "outline", "column"].includes(frame)) continue;
      const expected = cornersOf(before).map((corner) => transformPoint(corner, transform));
      for (const [index, corner] of cornersOf(extent).entries()) expectNear(corner, expected[index] ?? []);
    }
  });

  test("keeps what does not tell its place and size", () => {
    const { emission, smooth, capped, text } = object.properties as Properties;
    expect(movedBy(TURNED).properties).toMatchObject(
      JSON.parse(JSON.stringify({ emission, smooth, capped, text })),
    );
  });
});

describe("what has no extent in the document", () => {
  test("is moved with all its lengths", () => {
    const noise = { seed: 7, height: 2, feature_size: 1, octaves: 3 };
    const land = { center: [1, 0, 0], sides: [4, 2], noise, rotation: [0, 0, 0] };
    const doubled = { ...IDENTITY, factor: 2 };
    expect(transformedProperties({ type: "height_field", properties: land }, doubled)).toEqual({
      center: [2, 0, 0],
      sides: [8, 4],
      noise: { seed: 7, height: 4, feature_size: 2, octaves: 3 },
      rotation: [0, 0, 0],
    });
  });
});

test("a light is seen in one way, by its area or by a marker, and shines", () => {
  for (const { kind, object } of SAMPLES.filter(({ kind }) => namesOf(LIGHTS).includes(kind))) {
    expect([kind, primitiveOfLight(object) === null]).toEqual([kind, markerOf(object) !== null]);
    expect(punctualLightOf(object)).not.toBeNull();
    // What the camera does not see has a marker in place of its area.
    const hidden = { ...object, properties: { ...object.properties, visible_to_camera: false } };
    const seen = primitiveOfLight(object) === null ? markerOf(object) : punctualLightOf(object);
    expect(markerOf(hidden)?.position, kind).toEqual(seen?.position);
    expect(partsOfLight(hidden)).toEqual([]);
  }
});

describe("a directional light", () => {
  const sun = (properties: Properties): SceneObject => ({ id: "sun", type: "directional_light", properties });
  const emission = [3, 3, 3];

  test("is added above what one looks at, shines down, and has a position", () => {
    const { name, args } = creationCall(EMPTY_SCENE, "directional_light", { camera: LEVEL, aspect: 4 / 3 });
    expect(name).toBe("create_light");
    expect(args).toMatchObject({
      id: "directional_light",
      properties: { direction: [0, -1, 0], angular_diameter: 0.53 },
    });
    expect(extentOf(args as SceneObject)?.center).toEqual((args as SceneObject).properties.center);
  });

  test("stands where the server has it when it does not say where", () => {
    expect(extentOf(sun({ direction: [0, -1, 0], emission }))).toMatchObject({ center: [0, 5, 0] });
    const marker = markerOf(sun({ direction: [1, 0, 0], emission }));
    expect(marker).toEqual({ position: [0, 5, 0], direction: [1, 0, 0] });
  });

  test("is moved, and turned with its direction; its strength stays", () => {
    const light = sun({ direction: [1, 0, 0], emission, angular_diameter: 2 });
    const translation = [1, 2, 3] as const;
    const moved = transformedProperties(light, { ...IDENTITY, translation });
    expect(moved).toEqual({ center: [1, 7, 3], direction: [1, 0, 0] });
    // A quarter turn about z.
    const axes = [
      [0, 1, 0],
      [-1, 0, 0],
      [0, 0, 1],
    ] as const;
    const turned = transformedProperties(sun({ center: [0, 5, 0], direction: [1, 0, 0], emission }), {
      ...IDENTITY,
      pivot: [0, 5, 0],
      axes,
    });
    expect(turned).toEqual({ center: [0, 5, 0], direction: [0, 1, 0] });
  });

  test("has an irradiance and an angle", () => {
    expect(controlOf("emission", emission, "directional_light")).toEqual({ kind: "emission", unit: "W/m²" });
    expect(controlOf("angular_diameter", 0.53, "directional_light")).toMatchObject({
      kind: "number",
      unit: "°",
      max: 90,
    });
  });
});

function expectNear(is: readonly number[] | undefined, expected: Triple | readonly number[]): void {
  expect(is).toEqual(expected.map((each) => expect.closeTo(each, 6)));
}
