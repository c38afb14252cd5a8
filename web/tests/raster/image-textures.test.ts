import { Texture, TextureLoader } from "three";
import { afterEach, expect, test, vi } from "vitest";
import { ServerMeshes } from "../../src/raster/geometry/server-meshes";
import { ImageTextures } from "../../src/raster/materials/image-textures";
import { LowDetailLight } from "../../src/raster/materials/low-detail";
import { SceneObjects } from "../../src/raster/objects/scene-objects";

afterEach(() => vi.restoreAllMocks());

/** Balls that show one uploaded picture each. */
const balls = (assets: readonly number[]) =>
  assets.map((asset, index) => ({
    id: `b${index}`,
    type: "sphere",
    properties: {
      center: [index, 0, 0],
      radius: 0.4,
      material: { type: "lambertian", albedo: { type: "image", asset: `p${asset}` } },
    },
  }));
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

test("pictures that nothing shows any more make room for others", () => {
  const loaded: string[] = [];
  const freed: string[] = [];
  vi.spyOn(TextureLoader.prototype, "load").mockImplementation((url) => {
    const texture = new Texture<HTMLImageElement>();
    texture.addEventListener("dispose", () => freed.push(url));
    loaded.push(url);
    return texture;
  });
  const images = new ImageTextures(
    (asset) => asset,
    () => {},
  );
  const meshes = new ServerMeshes(
    {
      whenSettled: () => Promise.resolve(),
      knows: () => true,
      loadMesh: () => Promise.reject(new Error("no server")),
    },
    () => {},
  );
  const drawn = new SceneObjects(meshes, new LowDetailLight(), images, false);
  const show = (assets: readonly number[]) =>
    drawn.show({ shapes: balls(assets), lights: [] }, new Set<string>());

  show(range(0, 32));
  expect(loaded).toHaveLength(32);
  show([32, ...range(1, 32)]);
  expect(loaded.slice(32), "the 33rd takes the place of the one that is gone").toEqual(["p32"]);
  expect(freed).toEqual(["p0"]);

  show(range(1, 7));
  expect(freed, "of what was just shown some are kept").toHaveLength(1 + 26 - 4);
  const before = loaded.length;
  show([31, ...range(1, 7)]);
  expect(loaded.length - before, "and one of them is not loaded again").toBe(0);
  drawn.dispose();
  images.dispose();
});
