import {
  Box3,
  type BufferAttribute,
  type InstancedMesh,
  type Material,
  type Mesh,
  Raycaster,
  Vector3,
} from "three";
import { describe, expect, test, vi } from "vitest";
import type { Properties, SceneObject } from "../../src/document/scene";
import type { Triple } from "../../src/document/vector";
import { ServerMeshes } from "../../src/raster/geometry/server-meshes";
import { ImageTextures } from "../../src/raster/materials/image-textures";
import { LowDetailLight } from "../../src/raster/materials/low-detail";
import { DrawnSurfaces } from "../../src/raster/objects/drawn-surfaces";
import { SceneObjects } from "../../src/raster/objects/scene-objects";

const object = (type: string, properties: Properties, id = type): SceneObject => ({ id, type, properties });
const matte = (albedo: unknown) => ({ type: "lambertian", albedo });
const CONE = { base_center: [0, 0, 0], top_center: [1, 2, 0], base_radius: 0.5, top_radius: 0, capped: true };

describe("the scene objects", () => {
  const ball = (id: string, x: number, albedo: Triple = [0.5, 0.5, 0.5]) =>
    object("sphere", { center: [x, 0, 0], radius: 0.4, material: matte(albedo) }, id);
  const none: ReadonlySet<string> = new Set();
  const objects = () =>
    new SceneObjects(
      new ServerMeshes(
        {
          whenSettled: () => Promise.resolve(),
          knows: () => true,
          loadMesh: () => Promise.reject(new Error("no server")),
        },
        () => {},
      ),
      new LowDetailLight(),
      new ImageTextures(
        (asset) => asset,
        () => {},
      ),
      false,
    );
  const seenAt = (drawn: SceneObjects, x: number) => {
    drawn.group.updateMatrixWorld(true);
    const [first] = new Raycaster(new Vector3(x, 0, 9), new Vector3(0, 0, -1)).intersectObject(
      drawn.group,
      true,
    );
    return first === undefined ? null : drawn.idAt(first);
  };

  test("the ground below a point is the lowest top side there", () => {
    const drawn = objects();
    const plane = (id: string, y: number, v: Triple) =>
      object("quad", { corner: [-5, y, -5], u: [10, 0, 0], v, material: matte([0.5, 0.5, 0.5]) }, id);
    const box = object("box", { center: [0, 1, 0], dimensions: [1, 0.2, 1], material: matte([1, 1, 1]) });
    const surfaces = new DrawnSurfaces(drawn);
    const belowAfter = (shapes: SceneObject[], point: Triple) => {
      drawn.show({ shapes, lights: [] }, none);
      drawn.group.updateMatrixWorld(true);
      return surfaces.groundBelow(point);
    };
    expect(belowAfter([box], [0, 3, 0])).toBeCloseTo(1.1);
    expect(belowAfter([box], [3, 3, 0])).toBeNull();
    for (const v of [
      [0, 0, 10],
      [0, 0, -10],
    ] as const) {
      const [, , depth] = v;
      const floor = plane("floor", 0, v);
      const x: Triple = [0, 3, depth < 0 ? -7 : 0];
      expect(belowAfter([floor], x), `towards ${depth}`).toBeCloseTo(0);
      expect(belowAfter([box, floor], [0, -1, 0])).toBeNull();
    }
    expect(belowAfter([box, plane("floor", 0, [0, 0, 10])], [0, 3, 0])).toBeCloseTo(0);
  });

  test("follow what is added, moved, renamed and removed; one batch for all of a form and material", () => {
    const drawn = objects();
    const many = Array.from({ length: 20 }, (_, index) => ball(`b${index}`, index));
    expect(drawn.show({ shapes: many, lights: [] }, none)).toBe(true);
    expect(drawn.group.children).toHaveLength(1);
    expect([seenAt(drawn, 0), seenAt(drawn, 19), seenAt(drawn, 20)]).toEqual(["b0", "b19", null]);
    // The last takes the place of the one that goes; each is still where it was.
    const fewer = many.filter(({ id }) => id !== "b3" && id !== "b0");
    drawn.show({ shapes: fewer, lights: [] }, none);
    expect([0, 3, 4, 18, 19].map((x) => seenAt(drawn, x))).toEqual([null, null, "b4", "b18", "b19"]);
    const moved = fewer.map((shape) => (shape.id === "b4" ? ball("b4", 30) : shape));
    drawn.show({ shapes: moved, lights: [] }, none);
    expect([seenAt(drawn, 4), seenAt(drawn, 30)]).toEqual([null, "b4"]);
    expect(drawn.show({ shapes: moved, lights: [] }, none)).toBe(false);
    drawn.show({ shapes: [], lights: [] }, none);
    expect(drawn.group.children).toHaveLength(0);
  });

  test("leave out what is hidden, and bring it back", () => {
    const drawn = objects();
    const shapes = [ball("a", 0), ball("b", 2)];
    drawn.show({ shapes, lights: [] }, new Set(["a"]));
    expect([seenAt(drawn, 0), seenAt(drawn, 2)]).toEqual([null, "b"]);
    drawn.show({ shapes, lights: [] }, none);
    expect(seenAt(drawn, 0)).toBe("a");
  });

  test("free the geometry of what goes", () => {
    const drawn = objects();
    drawn.show(
      {
        shapes: [object("cone", CONE), ball("a", 5)],
        lights: [],
      },
      none,
    );
    const freed = vi.fn();
    for (const mesh of drawn.group.children)
      (
        mesh as unknown as { geometry: { addEventListener: (type: string, heard: () => void) => void } }
      ).geometry.addEventListener("dispose", freed);
    drawn.show({ shapes: [ball("a", 5)], lights: [] }, none);
    expect(freed).toHaveBeenCalledTimes(1);
    drawn.clear();
    expect(freed).toHaveBeenCalledTimes(2);
  });

  test("are one mesh while the camera moves on a slow machine: corners, normals and colours as before", () => {
    const drawn = objects();
    const balls = Array.from({ length: 40 }, (_, index) =>
      ball(`b${index}`, index, [0.1, 0.2, 0.01 * index]),
    );
    const box = object("box", { center: [3, 5, 0], dimensions: [1, 2, 3], rotation: [20, 30, 40] }, "box");
    drawn.show({ shapes: [...balls, box], lights: [] }, none);
    const whole = drawn.boxOf(["box", "b0", "b39"]);
    drawn.setDetailLevel("low");
    const parts = drawn.group.children.filter(({ userData }) => userData.batch !== undefined);
    expect(parts.map(({ visible }) => visible)).toEqual([false, false]);
    const [mergedGroup, ...others] = drawn.group.children.filter((each) => !parts.includes(each));
    expect(others).toHaveLength(0);
    const [merged, ...rest] = (mergedGroup?.children ?? []) as Mesh[];
    expect(rest).toHaveLength(0);
    const { position, normal, color } = merged?.geometry.attributes ?? {};
    const shown = new Box3();
    for (let at = 0; at < (position?.count ?? 0); at += 1) {
      const place = new Vector3().fromBufferAttribute(position as BufferAttribute, at);
      shown.expandByPoint(place);
      if (place.y > 2) continue;
      // Of a ball: away from its middle, in the colour it has.
      const middle = Math.round(place.x);
      const away = new Vector3().fromBufferAttribute(normal as BufferAttribute, at).normalize();
      expect(away.distanceTo(place.sub(new Vector3(middle, 0, 0)).normalize())).toBeLessThan(1e-3);
      expect(color?.getZ(at)).toBeCloseTo(0.01 * middle, 5);
    }
    expect(shown.min.distanceTo(whole.min)).toBeLessThan(0.05);
    expect(shown.max.distanceTo(whole.max)).toBeLessThan(0.05);
    expect(seenAt(drawn, 7)).toBe("b7");
    // An edit on the way, then all as it was.
    drawn.show({ shapes: balls.slice(0, 39), lights: [] }, none);
    drawn.setDetailLevel("full");
    expect(drawn.group.children.map(({ visible }) => visible)).toEqual([true]);
    expect([seenAt(drawn, 38), seenAt(drawn, 39)]).toEqual(["b38", null]);
  });

  /** Triangles of all that is drawn. */
  const trianglesOf = (drawn: SceneObjects): number => {
    let triangles = 0;
    drawn.group.traverseVisible((each) => {
      const { geometry, count } = each as InstancedMesh;
      triangles += ((geometry?.index?.count ?? 0) / 3) * (count ?? 1);
    });
    return triangles;
  };

  test("have as few triangles when they come on the way as when they were there before", () => {
    const balls = Array.from({ length: 60 }, (_, index) => ball(`b${index}`, index));
    const [before, onTheWay] = [objects(), objects()];
    before.show({ shapes: balls, lights: [] }, none);
    const whole = trianglesOf(before);
    before.setDetailLevel("low");
    onTheWay.setDetailLevel("low");
    onTheWay.show({ shapes: balls, lights: [] }, none);
    expect(trianglesOf(onTheWay)).toBe(trianglesOf(before));
    expect(trianglesOf(before)).toBeLessThan(0.2 * whole);
    before.setDetailLevel("lowest");
    expect(trianglesOf(before)).toBeLessThan(0.5 * trianglesOf(onTheWay));
    before.setDetailLevel("full");
    expect(trianglesOf(before)).toBe(whole);
  });

  const checkered = (id: string, x: number, scale = 1) =>
    object("sphere", { center: [x, 0, 0], radius: 0.4, material: matte({ type: "checker", scale }) }, id);
  const materialsOf = (drawn: SceneObjects) =>
    drawn.group.children.map((each) => (each as Mesh).material as Material);

  test("with patterns have a material of their own, which follows them and goes with them", () => {
    const drawn = objects();
    drawn.show(
      { shapes: [checkered("a", 0), checkered("b", 2), ball("c", 4), ball("d", 6)], lights: [] },
      none,
    );
    const before = materialsOf(drawn);
    expect(new Set(before).size).toBe(3);
    drawn.show(
      { shapes: [checkered("a", 1, 2), checkered("b", 2), ball("c", 4), ball("d", 6)], lights: [] },
      none,
    );
    expect(new Set(materialsOf(drawn)), "a move compiles nothing").toEqual(new Set(before));
    expect([seenAt(drawn, 1), seenAt(drawn, 2)]).toEqual(["a", "b"]);
    const freed = vi.fn();
    for (const material of before) material.addEventListener("dispose", freed);
    drawn.show({ shapes: [checkered("b", 2), ball("c", 4)], lights: [] }, none);
    expect(freed).toHaveBeenCalledTimes(1);
  });

  test("with patterns are few: past a number each has its mean colour, and a place comes free again", () => {
    const drawn = objects();
    const many = Array.from({ length: 100 }, (_, index) => checkered(`b${index}`, index));
    drawn.show({ shapes: many, lights: [] }, none);
    const ofTheirOwn = () => new Set(materialsOf(drawn)).size - 1;
    expect(ofTheirOwn()).toBe(64);
    const edited = many.map((shape, index) => (index === 3 ? checkered("b3", 3.1) : shape));
    drawn.show({ shapes: edited, lights: [] }, none);
    expect(ofTheirOwn(), "an edit takes nothing away").toBe(64);
    drawn.show({ shapes: many.slice(64), lights: [] }, none);
    drawn.show({ shapes: [...many.slice(64), checkered("new", -3)], lights: [] }, none);
    expect(ofTheirOwn()).toBe(1);
  });

  test("tell the box around some of them", () => {
    const drawn = objects();
    drawn.show({ shapes: [ball("a", 0), ball("b", 2)], lights: [] }, none);
    const box = drawn.boxOf(["b"]);
    expect(box.min.x).toBeCloseTo(1.6, 5);
    expect(drawn.boxOf(["nobody"]).isEmpty()).toBe(true);
  });
});
