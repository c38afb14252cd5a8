import { expect, test } from "vitest";
import { EMPTY_SCENE } from "../../src/document/scene";
import {
  checkedJson,
  createMeshCall,
  kindOfFile,
  sceneWithFiles,
  upright,
} from "../../src/files/scene-files";
import { PRESETS } from "../../src/presets";
import balls from "../../src/presets/balls.json";

const CAMERA = { center: [0, 0, 10], look_at: [0, 0, 0], up: [0, 1, 0], vfov: 90 };
const SCENE = { ...EMPTY_SCENE, camera: CAMERA };

test.each([
  ["a.PNG", "image/png", "picture"],
  ["My session.scene-llm", "", "session"],
  ["scene.json", "application/json", "scene"],
  ["duck.glb", "model/gltf-binary", "foreign"],
  ["Kitchen.PBRT", "", "foreign"],
  ["bunny.ply", "", "mesh"],
  ["Part.STL", "", "mesh"],
  ["sofa.zip", "application/zip", "foreign"],
  ["studio.hdr", "", "panorama"],
  ["studio.exr", "image/x-exr", "panorama"],
  ["notes.txt", "text/plain", "unknown"],
  ["README", "", "unknown"],
])("%s is opened as what it is", (name, type, kind) => expect(kindOfFile({ name, type })).toBe(kind));

test("a file that is no JSON is told in words, with the place where the parser tells one", () => {
  const messageOf = (text: string) => {
    try {
      return checkedJson(text);
    } catch (error) {
      return (error as Error).message;
    }
  };
  expect(messageOf('{"shapes": []}')).toBe('{"shapes": []}');
  expect(messageOf(" ")).toBe("the file is empty.");
  expect(messageOf('{\n  "shapes": [}')).toMatch(/^it is not valid JSON( \(line 2, column 1[34]\))?\.$/);
  expect(messageOf("hello")).toMatch(/^it is not valid JSON/);
});

test("a scene is brought with the files it names; others are opened one by one", () => {
  const files = (...names: string[]) =>
    names.map((name) => ({ name, type: name.endsWith("png") ? "image/png" : "" }));
  expect(sceneWithFiles(files("oak.png", "Table.OBJ", "table.mtl"))?.name).toBe("Table.OBJ");
  expect(sceneWithFiles(files("a.gltf", "a.bin"))?.name).toBe("a.gltf");
  expect(sceneWithFiles(files("a.obj"))).toBeNull();
  expect(sceneWithFiles(files("a.glb", "b.png"))).toBeNull();
  expect(sceneWithFiles(files("a.obj", "b.obj", "b.mtl"))).toBeNull();
  expect(sceneWithFiles(files("a.obj", "b.scene-llm"))).toBeNull();
});

test("a mesh with a unit and z upwards is as large as it says, and stands", () => {
  const bounds = { min: [0, 0, 0], max: [100, 200, 300] };
  expect(upright(bounds, "z")).toEqual({ min: [0, 0, -200], max: [100, 300, -0] });
  const view = { camera: SCENE.camera, aspect: 4 / 3 };
  const call = createMeshCall(SCENE, view, { asset: "abc", bounds }, "Part.stl", { up: "z", meters: 0.001 });
  expect(call.args).toMatchObject({ properties: { rotation: [-90, 0, 0], scale: [0.001, 0.001, 0.001] } });
  const { translation } = (call.args as { properties: { translation: number[] } }).properties;
  expect(translation[1], "its lowest point, z = 0, is on the ground").toBeCloseTo(0);
});

test("a mesh stands on the ground in the picture and takes half of its height", () => {
  const bounds = { min: [100, 0, 0], max: [300, 100, 50] };
  const call = createMeshCall(
    SCENE,
    { camera: SCENE.camera, aspect: 4 / 3 },
    { asset: "abc", bounds },
    "My Duck (2).glb",
  );
  // At 3 m before the target, 7 m from the camera, the picture is 14 m high.
  expect(call).toMatchObject({
    name: "create_shape",
    args: {
      id: "my_duck_2",
      type: "mesh",
      properties: { asset: "abc", scale: [0.035, 0.035, 0.035], translation: [-7, 0, 2.125] },
    },
  });
});

test("a mesh of unknown extent is put in as it is", () => {
  const call = createMeshCall(SCENE, { camera: SCENE.camera, aspect: 4 / 3 }, { asset: "abc" }, "???.obj");
  expect(call.args).toMatchObject({ id: "mesh", properties: { asset: "abc" } });
  expect(call.args).not.toHaveProperty("properties.scale");
});

test("every ball on the picture is of a preset there is, and has a tile of its own", () => {
  const names = new Set(PRESETS.map(({ name }) => name));
  expect(Object.keys(balls.tiles).filter((name) => !names.has(name))).toEqual([]);
  const tiles = Object.values(balls.tiles);
  expect(new Set(tiles).size).toBe(tiles.length);
  expect(Math.max(...tiles)).toBeLessThan(balls.columns * balls.rows);
});
