import { Matrix4, Vector3 } from "three";
import type { Properties, SceneObject } from "../document/scene";
import { torusAxes } from "../document/transform/transform";
import { isTriple, rotatedAxes, type Triple } from "../document/vector";
import { SHAPES } from "../protocol/generated/kinds";
import type { Primitive } from "../raster/geometry/primitives";
import { entryOf, frameOf, type ShapeKind } from "./list";

/** A primitive and where it is. */
export interface PlacedPrimitive {
  primitive: Primitive;
  matrix: Matrix4;
}

type PrimitiveOf = (properties: Properties) => PlacedPrimitive | null;

/** What a kind of shape is drawn as; the triangles of all others come from the server. */
const PRIMITIVES: Readonly<Partial<Record<ShapeKind, PrimitiveOf>>> = {
  sphere: ball,
  box: cuboid,
  quad: ({ corner, u, v }) => (isTriple(corner) ? parallelogram("quad", corner, u, v) : null),
  disc,
  cylinder,
  cone,
  torus,
  capsule,
  triangle,
  ellipsoid,
};

/** Null for what is drawn from the server's triangles (other kinds, flat sides, bevels), and for properties that are not those of the kind. */
export function placedPrimitive(type: string, properties: Properties): PlacedPrimitive | null {
  const isPlain = typeof properties.sides !== "number" && typeof properties.bevel !== "number";
  return isPlain ? (entryOf(PRIMITIVES, type)?.(properties) ?? null) : null;
}

/** What a light is drawn as: the shape whose place and extent are told by the same properties; null without an area. */
export function primitiveOfLight({ type, properties }: SceneObject): PlacedPrimitive | null {
  const shape = SHAPES.find(({ kind, frame }) => frame === frameOf(type) && Object.hasOwn(PRIMITIVES, kind));
  return shape === undefined ? null : placedPrimitive(shape.kind, properties);
}

function ball({ center, radius }: Properties): PlacedPrimitive | null {
  if (!isTriple(center) || typeof radius !== "number") return null;
  return { primitive: { kind: "sphere" }, matrix: placementMatrix(AXES, [radius, radius, radius], center) };
}

function ellipsoid({ center, radii, rotation }: Properties): PlacedPrimitive | null {
  if (!isTriple(center) || !isTriple(radii)) return null;
  const axes = isTriple(rotation) ? rotatedAxes(rotation) : AXES;
  return { primitive: { kind: "sphere" }, matrix: placementMatrix(axes, radii, center) };
}

function cuboid({ center, dimensions, rotation }: Properties): PlacedPrimitive | null {
  if (!isTriple(center) || !isTriple(dimensions)) return null;
  const axes = isTriple(rotation) ? rotatedAxes(rotation) : AXES;
  return { primitive: { kind: "box" }, matrix: placementMatrix(axes, dimensions, center) };
}

/** The third axis stands on both edges and is as long as makes normals right. */
function parallelogram(
  kind: "quad" | "triangle",
  corner: Triple,
  u: unknown,
  v: unknown,
): PlacedPrimitive | null {
  if (!isTriple(u) || !isTriple(v)) return null;
  const [first, second] = [new Vector3(...u), new Vector3(...v)];
  const normal = new Vector3().crossVectors(first, second).normalize();
  const matrix = new Matrix4().makeBasis(first, second, normal).setPosition(...corner);
  return { primitive: { kind }, matrix };
}

function triangle({ vertices }: Properties): PlacedPrimitive | null {
  if (!Array.isArray(vertices) || vertices.length !== 3 || !vertices.every(isTriple)) return null;
  const [corner, ...others] = vertices as [Triple, Triple, Triple];
  const [u, v] = others.map((vertex) => vertex.map((value, axis) => value - (corner[axis] ?? 0)));
  return parallelogram("triangle", corner, u, v);
}

function disc({ center, normal, radius }: Properties): PlacedPrimitive | null {
  if (!isTriple(center) || !isTriple(normal) || typeof radius !== "number") return null;
  return { primitive: { kind: "disc" }, matrix: matrixAround(normal, center, [radius, radius, 1]) };
}

function cylinder({ base_center: from, top_center: to, radius, capped }: Properties): PlacedPrimitive | null {
  if (!isTriple(from) || !isTriple(to) || typeof radius !== "number") return null;
  const way = new Vector3(...to).sub(new Vector3(...from));
  const matrix = matrixAround(way.toArray(), from, [radius, radius, way.length()]);
  return { primitive: { kind: "cylinder", capped: capped !== false }, matrix };
}

function cone(properties: Properties): PlacedPrimitive | null {
  const { base_center, top_center, base_radius, top_radius, capped } = properties;
  if (!isTriple(base_center) || !isTriple(top_center) || typeof base_radius !== "number") return null;
  const high = typeof top_radius === "number" ? top_radius : 0;
  const stands = base_radius >= high;
  const [from, to] = stands ? [base_center, top_center] : [top_center, base_center];
  const [wide, narrow] = stands ? [base_radius, high] : [high, base_radius];
  const way = new Vector3(...to).sub(new Vector3(...from));
  const ratio = rounded(narrow / wide);
  const matrix = matrixAround(way.toArray(), from, [wide, wide, way.length()]);
  return { primitive: { kind: "cone", ratio, capped: capped !== false }, matrix };
}

function capsule({ start, end, radius }: Properties): PlacedPrimitive | null {
  if (!isTriple(start) || !isTriple(end) || typeof radius !== "number") return null;
  const way = new Vector3(...end).sub(new Vector3(...start));
  const length = way.length();
  if (length === 0) return ball({ center: start, radius });
  const ratio = rounded(radius / length);
  return {
    primitive: { kind: "capsule", ratio },
    matrix: matrixAround(way.toArray(), start, [length, length, length]),
  };
}

function torus(properties: Properties): PlacedPrimitive | null {
  const { center, normal, radius, thickness, start_angle, end_angle } = properties;
  if (!isTriple(center) || !isTriple(normal)) return null;
  if (typeof radius !== "number" || typeof thickness !== "number") return null;
  const [zero, quarter] = torusAxes(normal).map((axis) => new Vector3(...axis)) as [Vector3, Vector3];
  const axis = new Vector3(...normal).normalize();
  const matrix = new Matrix4().makeBasis(zero, quarter, axis);
  matrix.scale(new Vector3(radius, radius, radius)).setPosition(...center);
  const primitive: Primitive = {
    kind: "torus",
    ratio: rounded((0.5 * thickness) / radius),
    start: typeof start_angle === "number" ? start_angle : 0,
    end: typeof end_angle === "number" ? end_angle : 360,
  };
  return { primitive, matrix };
}

const AXES: readonly [Triple, Triple, Triple] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

function placementMatrix(axes: readonly [Triple, Triple, Triple], sizes: Triple, place: Triple): Matrix4 {
  const [x, y, z] = axes.map((axis) => new Vector3(...axis)) as [Vector3, Vector3, Vector3];
  return new Matrix4()
    .makeBasis(x, y, z)
    .scale(new Vector3(...sizes))
    .setPosition(...place);
}

/** Turns z to `axis`, with lengths across, across and along it. */
function matrixAround(axis: Triple, place: Triple, sizes: Triple): Matrix4 {
  const z = new Vector3(...axis).normalize();
  const x = new Vector3(...(Math.abs(z.y) > 0.9 ? AXES[0] : AXES[1])).cross(z).normalize();
  const y = new Vector3().crossVectors(z, x);
  return new Matrix4()
    .makeBasis(x, y, z)
    .scale(new Vector3(...sizes))
    .setPosition(...place);
}

/** To a ten-thousandth: primitives that differ less share their geometry. */
function rounded(ratio: number): number {
  return Number(ratio.toPrecision(4));
}
