import type { EditCall } from "../protocol";
import { unreachable } from "../unreachable";
import { type Extent, extentOf } from "./bounds";
import { inFront, moveToFreePlace, type Sight } from "./placement";
import { type Properties, type SceneDocument, usedIds } from "./scene";
import { add, isTriple, length, scale, subtract, type Triple } from "./vector";

export const NEW_SHAPES = [
  "sphere",
  "box",
  "quad",
  "disc",
  "cylinder",
  "cone",
  "torus",
  "capsule",
  "triangle",
  "ellipsoid",
  "rounded_box",
  "tube",
  "lathe",
  "extrusion",
  "text",
  "height_field",
] as const;
export const NEW_LIGHTS = [
  "point_spot_light",
  "area_quad_light",
  "disc_spot_light",
  "area_sphere_light",
  "area_disc_spot_light",
] as const;
export type NewObject = (typeof NEW_SHAPES)[number] | (typeof NEW_LIGHTS)[number];

/** What things are called in menus and as new ids. */
export const TYPE_NAMES: Record<NewObject, string> = {
  sphere: "Sphere",
  box: "Box",
  quad: "Plane",
  disc: "Disc",
  cylinder: "Cylinder",
  cone: "Cone",
  torus: "Ring",
  capsule: "Capsule",
  triangle: "Triangle",
  ellipsoid: "Ellipsoid",
  rounded_box: "Rounded box",
  tube: "Tube",
  lathe: "Lathe",
  extrusion: "Extrusion",
  text: "Text",
  height_field: "Land",
  point_spot_light: "Point light",
  area_quad_light: "Area light",
  disc_spot_light: "Disc light",
  area_sphere_light: "Sphere light",
  area_disc_spot_light: "Spot light",
};

/** The call that adds an object where somebody looks, on what is there, its size by how much is seen there. */
export function creationCall(scene: SceneDocument, type: NewObject, sight: Sight): EditCall {
  const { ahead, size } = inFront(sight);
  const isShape = (NEW_SHAPES as readonly string[]).includes(type);
  // Lights stand above what they shine on.
  const place = rounded(isShape ? ahead : add(ahead, [0, 2 * size, 0]), size);
  const first = propertiesOf(type, place, size);
  const made = extentOf({ type, properties: first }) ?? extentAround(first, place, size);
  const way = isShape ? moveToFreePlace(scene, sight, made) : freeWay(scene, sight, made, size);
  const [x, , z] = rounded(add(place, way), size);
  // Neither sunk in nor hovering by a rounding.
  const height = Number((place[1] + way[1]).toPrecision(9));
  const id = freeId(TYPE_NAMES[type].toLowerCase().replaceAll(" ", "_"), usedIds(scene));
  const properties = propertiesOf(type, [x, height, z], size);
  return {
    name: isShape ? "create_shape" : "create_light",
    args: { id, type, properties: withMaterial(isShape, properties) },
  };
}

/** Of what only the server knows the extent of: letters stand on their foot, land lies on its middle. */
function extentAround({ base_center }: Properties, [x, y, z]: Triple, size: number): Extent {
  const foot = isTriple(base_center) ? base_center[1] : y;
  const center: Triple = [x, foot + 0.5 * size, z];
  return {
    center,
    half: [
      [size, 0, 0],
      [0, 0.5 * size, 0],
      [0, 0, size],
    ],
  };
}

/** Past this, lights may stand in one another. */
const MOST_STEPS = 50;

/** How far aside a light goes so that it does not stand where something is. */
function freeWay(scene: SceneDocument, sight: Sight, { center }: Extent, size: number): Triple {
  const taken = [...scene.shapes, ...scene.lights]
    .map((object) => extentOf(object)?.center)
    .filter((middle) => middle !== undefined);
  const step = scale(inFront(sight).right, 2.2 * size);
  let way: Triple = [0, 0, 0];
  for (let steps = 0; steps < MOST_STEPS; steps += 1) {
    const free = add(center, way);
    if (!taken.some((middle) => length(subtract(middle, free)) < 0.5 * size)) break;
    way = add(way, step);
  }
  return way;
}

function withMaterial(isShape: boolean, properties: Properties): Properties {
  return isShape ? { ...properties, material: { type: "lambertian", albedo: [0.5, 0.5, 0.5] } } : properties;
}

/** Lights shine down, bright enough to be seen from twice `size` away, whatever the scale. */
function propertiesOf(type: NewObject, center: Triple, size: number): Properties {
  const [x, y, z] = center;
  const grey = (strength: number): Triple => [strength, strength, strength];
  switch (type) {
    case "sphere":
      return { center, radius: size };
    case "box":
      return { center, dimensions: grey(2 * size), rotation: [0, 0, 0] };
    case "quad":
      return { corner: rounded([x - size, y, z + size], size), u: [2 * size, 0, 0], v: [0, 0, -2 * size] };
    case "disc":
      return { center, normal: [0, 1, 0], radius: size };
    case "cylinder":
      return { ...ends(center, size), radius: size, capped: true };
    case "cone":
      return { ...ends(center, size), base_radius: size, top_radius: 0, capped: true };
    case "torus":
      return { center, normal: [0, 1, 0], radius: size, thickness: Number((0.5 * size).toPrecision(2)) };
    case "capsule": {
      const { base_center: start, top_center: end } = ends(center, 0.5 * size);
      return { start, end, radius: Number((0.5 * size).toPrecision(2)) };
    }
    case "triangle":
      return {
        vertices: [
          [x - size, y - size, z],
          [x + size, y - size, z],
          [x, y + size, z],
        ].map((corner) => rounded(corner as unknown as Triple, size)),
      };
    case "ellipsoid":
      return { center, radii: shares(size, [1, 0.6, 0.6]), rotation: [0, 0, 0] };
    case "rounded_box":
      return { center, dimensions: grey(2 * size), radius: share(size, 0.3), rotation: [0, 0, 0] };
    case "tube": {
      const points = [
        [-1, -0.5, 0],
        [-0.35, 0.5, 0],
        [0.35, -0.5, 0],
        [1, 0.5, 0],
      ] as const;
      const placed = points.map((point) => rounded(add(center, scale(point, size)), size));
      return { points: placed, radius: share(size, 0.15), curve: "smooth", closed: false };
    }
    case "lathe":
      return {
        base_center: rounded([x, y - size, z], size),
        profile: VASE.map((point) => shares(size, point)),
        smooth: true,
        rotation: [0, 0, 0],
      };
    case "extrusion":
      return { center, outline: star(size), depth: share(size, 0.5), rotation: [0, 0, 0] };
    case "text":
      return {
        text: "Text",
        base_center: rounded([x, y - 0.3 * size, z], size),
        size: share(size, 0.7),
        depth: share(size, 0.2),
        rotation: [0, 0, 0],
      };
    case "height_field": {
      const noise = { seed: 1, height: share(size, 0.6), feature_size: size, octaves: 5 };
      return { center, sides: shares(size, [2.5, 2.5]), noise, smooth: true, rotation: [0, 0, 0] };
    }
    case "point_spot_light":
      return {
        center,
        emission: grey(Number((20 * size * size).toPrecision(2))),
        direction: [0, -1, 0],
        cutoff_angle: 180,
        falloff_exponent: 0,
      };
    case "area_quad_light":
      return {
        corner: rounded([x - size, y, z - size], size),
        u: [2 * size, 0, 0],
        v: [0, 0, 2 * size],
        emission: grey(10),
      };
    case "disc_spot_light":
      return { center, normal: [0, -1, 0], radius: size, emission: grey(10) };
    case "area_sphere_light":
      return { center, radius: Number((0.5 * size).toPrecision(2)), emission: grey(10) };
    case "area_disc_spot_light":
      return {
        center,
        normal: [0, -1, 0],
        radius: size,
        emission: grey(20),
        cutoff_angle: 40,
        falloff_exponent: 1,
      };
    default:
      return unreachable(type);
  }
}

/** Of a radius of 1: distance from the axis and height, from the foot up. */
const VASE = [
  [0, 0],
  [0.5, 0],
  [0.75, 0.6],
  [0.35, 1.4],
  [0.5, 2],
] as const;
const POINTS_OF_STAR = 5;

/** Corners on two circles in turn, the first at the top. */
function star(radius: number): readonly number[][] {
  return Array.from({ length: 2 * POINTS_OF_STAR }, (_, index) => {
    const angle = (Math.PI * index) / POINTS_OF_STAR;
    return shares(index % 2 === 0 ? radius : 0.45 * radius, [Math.sin(angle), Math.cos(angle)]);
  });
}

function share(size: number, factor: number): number {
  return Number((factor * size).toPrecision(3)) + 0;
}

function shares(size: number, factors: readonly number[]): number[] {
  return factors.map((factor) => share(size, factor));
}

function ends([x, y, z]: Triple, size: number): Properties {
  return { base_center: rounded([x, y - size, z], size), top_center: rounded([x, y + size, z], size) };
}

/** In steps of a hundredth of `size` or finer: numbers that a person would type, at any scale. */
function rounded(point: Triple, size: number): Triple {
  const digits = Math.min(12, Math.max(2, 2 - Math.floor(Math.log10(size))));
  return point.map((coordinate) => Number(coordinate.toFixed(digits)) + 0) as unknown as Triple;
}

/** `wanted`, or the next free of `wanted_2`, `wanted_3`; a number at its end counts on. */
export function freeId(wanted: string, taken: ReadonlySet<string>): string {
  if (!taken.has(wanted)) return wanted;
  const stem = wanted.replace(/_\d+$/, "");
  for (let number = 2; ; number += 1) {
    const id = `${stem}_${number}`;
    if (!taken.has(id)) return id;
  }
}
