import { describe, expect, test } from "vitest";
import protocol from "../../docs/protocol.md?raw";
import { creationCall, NEW_LIGHTS, NEW_SHAPES } from "../src/document/creation";
import { controlOf } from "../src/document/fields";
import { EMPTY_SCENE, type Properties, type SceneObject } from "../src/document/scene";
import { IDENTITY, transformedProperties } from "../src/document/transform";
import { ENVIRONMENT_DEFAULTS, MATERIAL_DEFAULTS, OBJECT_DEFAULTS } from "../src/kinds/defaults";
import { EMISSION_UNITS } from "../src/kinds/emission-units";
import { EXTENTS, extentOf } from "../src/kinds/extents";
import { FLAT_TOPS } from "../src/kinds/flat-tops";
import { OBJECT_ICONS } from "../src/kinds/icons";
import { ENVIRONMENT_LABELS, MATERIAL_LABELS, OBJECT_LABELS } from "../src/kinds/labels";
import { LIGHT_SOURCES } from "../src/kinds/light-sources";
import { ENVIRONMENT_KINDS, LIGHT_KINDS, MATERIAL_KINDS, SHAPE_KINDS } from "../src/kinds/list";
import { LIGHT_MARKERS } from "../src/kinds/markers";
import { LIGHT_SHAPES, PRIMITIVES } from "../src/kinds/primitives";
import { SKIES } from "../src/kinds/skies";
import { SURFACES } from "../src/kinds/surfaces";
import { TRANSFORMS } from "../src/kinds/transforms";
import { UV_CHARTS } from "../src/kinds/uv-charts";
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

const SHAPES = kindsOf("shape");
const LIGHTS = kindsOf("light");
const MATERIALS = kindsOf("material");
const ENVIRONMENTS = kindsOf("environment");

describe("each kind of the protocol is in", () => {
  test.each<[string, readonly string[] | object, readonly string[]]>([
    ["the list of shapes", SHAPE_KINDS, SHAPES],
    ["the list of lights", LIGHT_KINDS, LIGHTS],
    ["the list of materials", MATERIAL_KINDS, MATERIALS],
    ["the list of environments", ENVIRONMENT_KINDS, ENVIRONMENTS],
    ["the labels of objects", OBJECT_LABELS, [...SHAPES, ...LIGHTS]],
    ["the labels of materials", MATERIAL_LABELS, MATERIALS],
    ["the labels of environments", ENVIRONMENT_LABELS, ENVIRONMENTS],
    ["the icons", OBJECT_ICONS, [...SHAPES, ...LIGHTS]],
    ["the defaults of objects", OBJECT_DEFAULTS, [...SHAPES, ...LIGHTS]],
    ["the defaults of materials", MATERIAL_DEFAULTS, MATERIALS],
    ["the defaults of environments", ENVIRONMENT_DEFAULTS, ENVIRONMENTS],
    ["the extents", EXTENTS, [...SHAPES, ...LIGHTS]],
    ["the transforms", TRANSFORMS, [...SHAPES, ...LIGHTS]],
    ["the flat tops", FLAT_TOPS, SHAPES],
    ["the primitives of shapes", PRIMITIVES, SHAPES],
    ["the UV charts", UV_CHARTS, SHAPES],
    ["the shapes of lights", LIGHT_SHAPES, LIGHTS],
    ["the units of emission", EMISSION_UNITS, LIGHTS],
    ["the markers of lights", LIGHT_MARKERS, LIGHTS],
    ["the light sources", LIGHT_SOURCES, LIGHTS],
    ["the surfaces of materials", SURFACES, MATERIALS],
    ["the skies of environments", SKIES, ENVIRONMENTS],
  ])("%s", (_, table, kinds) => {
    const known = Array.isArray(table) ? table : Object.keys(table);
    expect(kinds.length).toBeGreaterThan(4);
    expect([...known].sort()).toEqual([...kinds].sort());
  });
});

test("whatever needs no file can be added", () => {
  expect([...NEW_SHAPES, ...NEW_LIGHTS].sort()).toEqual(
    [...SHAPES, ...LIGHTS].filter((kind) => kind !== "mesh").sort(),
  );
});

test("a light is seen in one way: by its area, or by a marker", () => {
  for (const kind of LIGHT_KINDS)
    expect([kind, LIGHT_SHAPES[kind] === null]).toEqual([kind, LIGHT_MARKERS[kind] !== null]);
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
    const marker = LIGHT_MARKERS.directional_light?.({ direction: [1, 0, 0], emission });
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
