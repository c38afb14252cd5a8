import { expect, test } from "vitest";
import type { Properties } from "../../src/document/scene";
import type { Member } from "../../src/document/subject";
import { aimCalls, canAim } from "../../src/document/transform/aim";
import { planeOf, planeProperties } from "../../src/document/transform/plane";
import { cross, dot, length, normalized, subtract, type Triple } from "../../src/document/vector";
import { extentOf } from "../../src/kinds/extents";

const emission = [1, 1, 1];
const light = (type: string, properties: Properties): Member => ({
  kind: "light",
  object: { id: "it", type, properties: { emission, ...properties } },
});
const SOFTBOX = light("area_quad_light", { corner: [-1, 3, -0.5], u: [2, 0, 0], v: [0, 0, 1] });

function aimed(member: Member, target: Triple): Properties {
  const [call] = aimCalls([member], target);
  if (call === undefined) throw new Error("it is not turned");
  const { updates } = call.args as { updates: { properties: Properties } };
  return { ...member.object.properties, ...updates.properties };
}

test("an area light has middle, size and rotation; without one it shines down", () => {
  expect(planeOf(SOFTBOX.object.properties, "down")).toEqual({
    center: [0, 3, 0],
    size: [2, 1],
    rotation: [0, 0, 0],
  });
  const plane = { center: [1, 2, 3], size: [2, 0.5], rotation: [90, 0, 0] } as const;
  const { u, v } = planeProperties(plane, "down") as { u: Triple; v: Triple };
  expect(
    normalized(cross(u, v)).map((part) => Math.round(part) + 0),
    "forward",
  ).toEqual([0, 0, -1]);
  expect(planeOf(planeProperties(plane, "down"), "down")).toEqual(plane);
});

test.each([[[4, 1, 2]], [[0, 0, 0]], [[-3, 3, 0]], [[0, 9, 0]]] as const)(
  "an area light that is aimed at %j shines there, as large and where it was, its edge level",
  (target) => {
    const properties = aimed(SOFTBOX, target) as { corner: Triple; u: Triple; v: Triple };
    const { u, v } = properties;
    const normal = normalized(cross(u, v));
    expect(dot(normal, normalized(subtract(target, [0, 3, 0])))).toBeCloseTo(1, 8);
    expect([length(u), length(v), dot(u, v), u[1]]).toEqual(
      [2, 1, 0, 0].map((value) => expect.closeTo(value, 8)),
    );
    const center = extentOf({ type: "area_quad_light", properties })?.center ?? [];
    expect(center).toEqual([0, 3, 0].map((value) => expect.closeTo(value, 8)));
    // It is turned by no more than it must.
    expect(u[0]).toBeGreaterThanOrEqual(0);
  },
);

test("discs, spots and suns are aimed by their direction", () => {
  const disc = light("disc_spot_light", { center: [0, 2, 0], normal: [0, -1, 0], radius: 1 });
  expect(aimed(disc, [2, 2, 0]).normal).toEqual([1, 0, 0]);
  const spot = light("point_spot_light", { center: [0, 2, 0], direction: [1, 0, 0], cutoff_angle: 30 });
  expect(aimed(spot, [0, 0, 0]).direction).toEqual([0, -1, 0]);
  const sun = light("directional_light", { center: [0, 5, 0], direction: [1, -1, 0] });
  expect(aimed(sun, [0, 5, -3]).direction).toEqual([0, 0, -1]);
});

test("what shines all around is not aimed, nor what is no light, nor at itself", () => {
  const bulb = light("point_spot_light", { center: [0, 2, 0] });
  const ball = light("area_sphere_light", { center: [0, 2, 0], radius: 1 });
  const box: Member = {
    kind: "shape",
    object: { id: "box", type: "disc", properties: { center: [0, 0, 0], normal: [0, 1, 0], radius: 1 } },
  };
  for (const member of [bulb, ball, box]) {
    expect(canAim(member)).toBe(false);
    expect(aimCalls([member], [1, 1, 1])).toEqual([]);
  }
  expect(canAim(SOFTBOX)).toBe(true);
  expect(aimCalls([SOFTBOX], [0, 3, 0])).toEqual([]);
});
