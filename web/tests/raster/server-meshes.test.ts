import { Matrix4, Vector3 } from "three";
import { describe, expect, test, vi } from "vitest";
import type { Properties, SceneObject } from "../../src/document/scene";
import type { Triple } from "../../src/document/vector";
import { parseMesh, ServerMeshes } from "../../src/raster/geometry/server-meshes";

const object = (type: string, properties: Properties, id = type): SceneObject => ({ id, type, properties });

describe("triangles from the server", () => {
  const whenSettled = () => Promise.resolve();
  const knows = () => true;
  /** One triangle, moved by 5 along x. */
  const answer = (uv: number[] = []): ArrayBuffer => {
    const header = {
      vertices: 3,
      triangles: 1,
      normals: false,
      uv: uv.length > 0,
      matrix: [
        [1, 0, 0, 5],
        [0, 1, 0, 0],
        [0, 0, 1, 0],
      ],
    };
    let text = JSON.stringify(header);
    text += " ".repeat((4 - (text.length % 4)) % 4);
    const bytes = new ArrayBuffer(4 + text.length + 4 * (12 + uv.length));
    new DataView(bytes).setUint32(0, text.length, true);
    new Uint8Array(bytes, 4, text.length).set(new TextEncoder().encode(text));
    new Float32Array(bytes, 4 + text.length, 9).set([0, 0, 0, 1, 0, 0, 0, 1, 0]);
    new Uint32Array(bytes, 4 + text.length + 36, 3).set([0, 1, 2]);
    new Float32Array(bytes, 4 + text.length + 48, uv.length).set(uv);
    return bytes;
  };

  test("are read as they come; flat ones get normals", () => {
    const { geometry, matrix } = parseMesh(answer());
    expect(geometry.getAttribute("position").count).toBe(3);
    expect(new Vector3().fromBufferAttribute(geometry.getAttribute("normal"), 0).toArray()).toEqual([
      0, 0, 1,
    ]);
    expect(new Vector3().applyMatrix4(matrix).x).toBe(5);
  });

  test("come with what their corners are numbered by, where they have it", () => {
    const uv = [0, 0, 0.25, 0, 0, 0.75];
    expect([...parseMesh(answer(uv)).geometry.getAttribute("uv").array]).toEqual(uv);
    expect(parseMesh(answer()).geometry.hasAttribute("uv")).toBe(false);
  });

  test("are asked for once, and shown when they have come; until then, those before", async () => {
    const load = vi.fn((_id: string) => Promise.resolve(answer()));
    const loaded = vi.fn();
    const triangles = new ServerMeshes({ whenSettled, knows, loadMesh: load }, loaded);
    const strip = object("moebius_strip", { twist: 1 });
    expect(triangles.placedMesh(strip)).toBeNull();
    expect(triangles.placedMesh(strip)).toBeNull();
    await vi.waitFor(() => expect(loaded).toHaveBeenCalledWith(["moebius_strip"]));
    expect(load).toHaveBeenCalledTimes(1);
    const shown = triangles.placedMesh(strip);
    expect(shown?.primitive).toMatchObject({ kind: "triangles" });
    const changed = triangles.placedMesh(object("moebius_strip", { twist: 2 }));
    expect(changed?.primitive).toEqual(shown?.primitive);
    await vi.waitFor(() => expect(load).toHaveBeenCalledTimes(2));
  });

  test("follow a drag, and are asked for once the server has what it led to", async () => {
    const load = vi.fn((_id: string) => Promise.resolve(answer()));
    const loaded = vi.fn();
    const waiting: (() => void)[] = [];
    const whenSettled = vi.fn(() => new Promise<void>((resolve) => waiting.push(resolve)));
    const triangles = new ServerMeshes({ whenSettled, knows, loadMesh: load }, loaded);
    const letters = (base_center: Triple, size = 1, angle = 0) =>
      object("text", { text: "A", base_center, size, depth: 0.2, rotation: [0, angle, 0] });
    triangles.placedMesh(letters([5, 0, 0]));
    waiting.pop()?.();
    await vi.waitFor(() => expect(loaded).toHaveBeenCalled());
    triangles.placedMesh(letters([5, 0, 0]));
    // The answer has its corner (1, 0, 0) a metre to the right of where the letters stand.
    const cornerOf = (shape: SceneObject) =>
      new Vector3(1, 0, 0)
        .applyMatrix4(triangles.placedMesh(shape)?.matrix ?? new Matrix4())
        .toArray()
        .map((each) => Number(each.toFixed(6)) + 0);
    expect(cornerOf(letters([5, 1, 0]))).toEqual([6, 1, 0]);
    expect(cornerOf(letters([5, 1, 0], 1, 90))).toEqual([5, 1, -1]);
    // Depth and size have to grow alike.
    expect(cornerOf(letters([5, 1, 0], 3))).toEqual([6, 0, 0]);
    expect(load).toHaveBeenCalledTimes(1);
    waiting.pop()?.();
    await vi.waitFor(() => expect(loaded).toHaveBeenCalledTimes(2));
    expect(load).toHaveBeenCalledTimes(2);
    expect(whenSettled).toHaveBeenCalledTimes(2);
  });

  test("of one upload come to all shapes that wait for them", async () => {
    const load = vi.fn((_id: string) => Promise.resolve(answer()));
    const loaded = vi.fn();
    const triangles = new ServerMeshes({ whenSettled, knows, loadMesh: load }, loaded);
    for (const id of ["first", "second"]) triangles.placedMesh(object("mesh", { asset: "a1" }, id));
    await vi.waitFor(() => expect(loaded.mock.calls).toEqual([[["first", "second"]]]));
    expect(load).toHaveBeenCalledTimes(1);
  });

  test("of a mesh are shared wherever it stands, and stand where the document says", async () => {
    const load = vi.fn((_id: string) => Promise.resolve(answer()));
    const loaded = vi.fn();
    const triangles = new ServerMeshes({ whenSettled, knows, loadMesh: load }, loaded);
    const mesh = (translation: Triple) =>
      object("mesh", { asset: "a1", translation, rotation: [0, 90, 0], scale: 2 });
    triangles.placedMesh(mesh([0, 0, 0]));
    await vi.waitFor(() => expect(loaded).toHaveBeenCalled());
    const placed = triangles.placedMesh(mesh([1, 2, 3]));
    const corner = new Vector3(1, 0, 0).applyMatrix4(placed?.matrix ?? new Matrix4());
    expect(corner.distanceTo(new Vector3(1, 2, 1))).toBeLessThan(1e-6);
    expect(load).toHaveBeenCalledTimes(1);
  });

  test("are not asked for where an animation has moved a shape: it goes on as it was", async () => {
    const load = vi.fn((_id: string) => Promise.resolve(answer()));
    const loaded = vi.fn();
    const still = object("lathe", { base_center: [0, 0, 0], height: 1 });
    const source = { whenSettled, knows: (shape: SceneObject) => shape === still, loadMesh: load };
    const triangles = new ServerMeshes(source, loaded);
    triangles.placedMesh(still);
    await vi.waitFor(() => expect(loaded).toHaveBeenCalled());
    triangles.placedMesh(still);
    for (const height of [2, 3]) triangles.placedMesh(object("lathe", { base_center: [0, 0, 0], height }));
    await new Promise((resolve) => setTimeout(resolve));
    expect(load).toHaveBeenCalledTimes(1);
  });
});
