import { Box3, Group, type Mesh, Vector3 } from "three";
import { describe, expect, test, vi } from "vitest";
import type { SceneObject } from "../../src/document/scene";
import { ServerMeshes } from "../../src/raster/geometry/server-meshes";
import { GhostView } from "../../src/raster/helpers/ghost-view";
import { ImageTextures } from "../../src/raster/materials/image-textures";
import { LowDetailLight } from "../../src/raster/materials/low-detail";
import { DrawnSurfaces } from "../../src/raster/objects/drawn-surfaces";
import { SceneObjects } from "../../src/raster/objects/scene-objects";
import type { Ghost } from "../../src/view/ghost";

const box = (id: string, center: number[], dimensions: number[], rotation = [0, 0, 0]): SceneObject => ({
  id,
  type: "box",
  properties: { center, dimensions, rotation },
});

describe("a ghost", () => {
  const GHOST: Ghost = { shapes: null, size: [2, 1, 0.5], place: [1, 2, 3], turn: 90 };
  const boundsOf = (view: GhostView) => new Box3().setFromObject(new Group().add(view.group));
  const near = (vector: Vector3) => vector.toArray().map((value) => expect.closeTo(value, 5));

  test("stands at its place, turned; its box until its shapes are there", () => {
    const view = new GhostView();
    expect(view.show(GHOST)).toBe(true);
    const { min, max } = boundsOf(view);
    expect([min.toArray(), max.toArray()]).toEqual([
      near(new Vector3(0.75, 2, 2)),
      near(new Vector3(1.25, 3, 4)),
    ]);
    const lamp = [box("foot", [0, 0.1, 0], [0.2, 0.2, 0.2]), box("shade", [0, 0.5, 0], [0.4, 0.2, 0.4])];
    view.show({ ...GHOST, size: [0.4, 0.6, 0.4], shapes: lamp });
    expect(boundsOf(view).max.y).toBeCloseTo(2.6, 5);
    expect(view.show(null)).toBe(true);
    expect(view.show(null)).toBe(false);
    expect(view.group.children).toHaveLength(0);
  });

  test("shows the box of a shape whose triangles only the server has", () => {
    const view = new GhostView();
    const rounded = { ...box("cushion", [0, 0.5, 0], [1, 1, 1]), type: "rounded_box" };
    view.show({ ...GHOST, place: [0, 0, 0], shapes: [rounded] });
    expect(boundsOf(view).max.y).toBeCloseTo(1, 5);
  });

  test("keeps its meshes while it moves, and frees them when it goes", () => {
    const view = new GhostView();
    view.show(GHOST);
    const [mesh] = view.group.children as Mesh[];
    const freed = vi.fn();
    mesh?.geometry.addEventListener("dispose", freed);
    view.show({ ...GHOST, place: [0, 0, 0], turn: 15 });
    expect(view.group.children[0]).toBe(mesh);
    expect(freed).not.toHaveBeenCalled();
    view.show(null);
    expect(freed).toHaveBeenCalledTimes(1);
  });
});

test("rays find the drawn surfaces, with normals towards where they come from, and the boxes around objects", () => {
  const meshes = new ServerMeshes(
    {
      whenSettled: () => Promise.resolve(),
      knows: () => true,
      loadMesh: () => Promise.reject(new Error("no server")),
    },
    () => {},
  );
  const images = new ImageTextures(
    (asset) => asset,
    () => {},
  );
  const objects = new SceneObjects(meshes, new LowDetailLight(), images, false);
  const quad = {
    id: "sheet",
    type: "quad",
    properties: { corner: [4, 1, 0], u: [1, 0, 0], v: [0, 0, 1] },
  };
  const shapes = [box("crate", [0, 1, 0], [2, 2, 2], [0, 45, 0]), quad];
  objects.show({ shapes, lights: [] }, new Set());
  objects.group.updateMatrixWorld(true);
  const surfaces = new DrawnSurfaces(objects);
  const top = surfaces.cast([0, 9, 0], [0, -1, 0]);
  expect(top?.point).toEqual([0, expect.closeTo(2, 5), 0]);
  expect(top?.normal).toEqual([0, 1, 0].map((value) => expect.closeTo(value, 5)));
  expect(top?.box.max[0]).toBeCloseTo(Math.SQRT2, 5);
  const side = surfaces.cast([9, 1, 8], [-1, 0, -1]);
  expect(side?.normal).toEqual([Math.SQRT1_2, 0, Math.SQRT1_2].map((value) => expect.closeTo(value, 5)));
  const [above, below] = [9, -9].map((y) => surfaces.cast([4.5, y, 0.5], [0, -Math.sign(y), 0]));
  expect([above?.normal[1], below?.normal[1]]).toEqual([expect.closeTo(1, 5), expect.closeTo(-1, 5)]);
  expect(surfaces.cast([0, 9, 9], [0, 1, 0])).toBeNull();
  expect(surfaces.boxes()).toHaveLength(2);
});
