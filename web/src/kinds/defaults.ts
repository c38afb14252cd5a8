import type { Properties } from "../document/scene";
import { add, scale, type Triple } from "../document/vector";
import type { EnvironmentKind, MaterialKind, ObjectKind } from "./list";

/** Half the width of a new object, in metres, and where its middle goes. */
type DefaultsOf = (center: Triple, size: number) => Properties;

/**
 * The properties of a new object of each kind, but its material; null for what has to be uploaded. Lights shine down,
 * bright enough to be seen from twice `size` away, whatever the scale.
 */
export const OBJECT_DEFAULTS: Readonly<Record<ObjectKind, DefaultsOf | null>> = {
  sphere: (center, size) => ({ center, radius: size }),
  box: (center, size) => ({ center, dimensions: grey(2 * size), rotation: [0, 0, 0] }),
  quad: ([x, y, z], size) => ({
    corner: rounded([x - size, y, z + size], size),
    u: [2 * size, 0, 0],
    v: [0, 0, -2 * size],
  }),
  disc: (center, size) => ({ center, normal: [0, 1, 0], radius: size }),
  cylinder: (center, size) => ({ ...ends(center, size), radius: size, capped: true }),
  cone: (center, size) => ({ ...ends(center, size), base_radius: size, top_radius: 0, capped: true }),
  torus: (center, size) => ({
    center,
    normal: [0, 1, 0],
    radius: size,
    thickness: Number((0.5 * size).toPrecision(2)),
  }),
  capsule: (center, size) => {
    const { base_center: start, top_center: end } = ends(center, 0.5 * size);
    return { start, end, radius: Number((0.5 * size).toPrecision(2)) };
  },
  triangle: ([x, y, z], size) => ({
    vertices: [
      [x - size, y - size, z],
      [x + size, y - size, z],
      [x, y + size, z],
    ].map((corner) => rounded(corner as unknown as Triple, size)),
  }),
  ellipsoid: (center, size) => ({ center, radii: shares(size, [1, 0.6, 0.6]), rotation: [0, 0, 0] }),
  rounded_box: (center, size) => ({
    center,
    dimensions: grey(2 * size),
    radius: share(size, 0.3),
    rotation: [0, 0, 0],
  }),
  tube: (center, size) => {
    const points = [
      [-1, -0.5, 0],
      [-0.35, 0.5, 0],
      [0.35, -0.5, 0],
      [1, 0.5, 0],
    ] as const;
    const placed = points.map((point) => rounded(add(center, scale(point, size)), size));
    return { points: placed, radius: share(size, 0.15), curve: "smooth", closed: false };
  },
  lathe: ([x, y, z], size) => ({
    base_center: rounded([x, y - size, z], size),
    profile: VASE.map((point) => shares(size, point)),
    smooth: true,
    rotation: [0, 0, 0],
  }),
  extrusion: (center, size) => ({
    center,
    outline: star(size),
    depth: share(size, 0.5),
    rotation: [0, 0, 0],
  }),
  text: ([x, y, z], size) => ({
    text: "Text",
    base_center: rounded([x, y - 0.3 * size, z], size),
    size: share(size, 0.7),
    depth: share(size, 0.2),
    rotation: [0, 0, 0],
  }),
  height_field: (center, size) => {
    const noise = { seed: 1, height: share(size, 0.6), feature_size: size, octaves: 5 };
    return { center, sides: shares(size, [2.5, 2.5]), noise, smooth: true, rotation: [0, 0, 0] };
  },
  point_spot_light: (center, size) => ({
    center,
    emission: grey(Number((20 * size * size).toPrecision(2))),
    direction: [0, -1, 0],
    cutoff_angle: 180,
    falloff_exponent: 0,
  }),
  area_quad_light: ([x, y, z], size) => ({
    corner: rounded([x - size, y, z - size], size),
    u: [2 * size, 0, 0],
    v: [0, 0, 2 * size],
    emission: grey(10),
  }),
  disc_spot_light: (center, size) => ({ center, normal: [0, -1, 0], radius: size, emission: grey(10) }),
  area_sphere_light: (center, size) => ({
    center,
    radius: Number((0.5 * size).toPrecision(2)),
    emission: grey(10),
  }),
  area_disc_spot_light: (center, size) => ({
    center,
    normal: [0, -1, 0],
    radius: size,
    emission: grey(20),
    cutoff_angle: 40,
    falloff_exponent: 1,
  }),
  directional_light: (center) => ({
    center,
    direction: [0, -1, 0],
    emission: grey(3),
    angular_diameter: 0.53,
  }),
  mesh: null,
};

/** What a new material starts with, by the colour it had before and what it may be mixed of. */
export const MATERIAL_DEFAULTS: Readonly<
  Record<MaterialKind, (colour: Triple, mixable: unknown) => unknown>
> = {
  lambertian: (albedo) => ({ type: "lambertian", albedo }),
  metal: (albedo) => ({ type: "metal", albedo, fuzz: 0.1 }),
  dielectric: () => ({ type: "dielectric", refractive_index: 1.5 }),
  emissive: () => ({ type: "emissive", emission: [5, 5, 5] }),
  principled: (base_color) => ({ type: "principled", base_color }),
  mix: (_, first) => ({ type: "mix", first, second: "rust", weight: 0.5 }),
  preset: () => "gold",
};

/** What a new environment starts with; null for what has to be uploaded. */
export const ENVIRONMENT_DEFAULTS: Readonly<Record<EnvironmentKind, Properties | null>> = {
  sky: {},
  gradient: { top_color: [0.5, 0.7, 1], bottom_color: [1, 1, 1] },
  uniform: { emission: [1, 1, 1] },
  none: {},
  image: null,
};

function grey(strength: number): Triple {
  return [strength, strength, strength];
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

/** In steps of a hundredth of `size` or finer: numbers that a user would type, at any scale. */
export function rounded(point: Triple, size: number): Triple {
  const digits = Math.min(12, Math.max(2, 2 - Math.floor(Math.log10(size))));
  return point.map((coordinate) => Number(coordinate.toFixed(digits)) + 0) as unknown as Triple;
}
