import { Matrix4, Vector3 } from "three";
import { ringAxes } from "../document/motion";
import type { Properties, SceneObject } from "../document/scene";
import { isTriple, type Triple, turnedAxes } from "../document/vector";
import type { Form } from "./forms";
import { DARK, glow, type Presets, type Surface, surfaceOf } from "./surface";

/** A piece of an object: a form, where it is, and what it looks like. */
export interface Part {
  form: Form;
  /** From the form's own space to the world; never mirrors. */
  matrix: Matrix4;
  surface: Surface;
  /** Flat things have two sides; of lights they look different. */
  side: "both" | "front" | "back";
}

/** A form and where it is. */
export interface Placed {
  form: Form;
  matrix: Matrix4;
}

/**
 * What a shape is drawn as; nothing when its properties are not those of its type. `otherwise` knows the types
 * that this page cannot draw by itself.
 */
export function partsOfShape(
  shape: SceneObject,
  presets: Presets,
  otherwise: (shape: SceneObject) => Placed | null,
): Part[] {
  const placed = placedForm(shape.type, shape.properties) ?? otherwise(shape);
  if (placed === null) return [];
  return [{ ...placed, surface: surfaceOf(shape.properties.material, presets), side: "both" }];
}

/** What a light with an area is drawn as: it glows on the side it shines to. Point lights are not drawn here. */
export function partsOfLight({ type, properties }: SceneObject): Part[] {
  const form = LIGHT_FORMS[type];
  const placed = form === undefined ? null : placedForm(form, properties);
  if (placed === null) return [];
  const surface = glow(isTriple(properties.emission) ? properties.emission : [1, 1, 1]);
  if (form === "sphere") return [{ ...placed, surface, side: "both" }];
  return [
    { ...placed, surface, side: "front" },
    { ...placed, surface: DARK, side: "back" },
  ];
}

const LIGHT_FORMS: Readonly<Record<string, string>> = {
  area_quad_light: "quad",
  disc_spot_light: "disc",
  area_disc_spot_light: "disc",
  area_sphere_light: "sphere",
};

/** Null for types that are newer than this page, and for properties that are not those of the type. */
function placedForm(type: string, properties: Properties): Placed | null {
  switch (type) {
    case "sphere":
      return ball(properties);
    case "ellipsoid":
      return ellipsoid(properties);
    case "box":
      return cuboid(properties);
    case "quad":
      return isTriple(properties.corner)
        ? parallelogram("quad", properties.corner, properties.u, properties.v)
        : null;
    case "triangle":
      return triangle(properties);
    case "disc":
      return disc(properties);
    case "cylinder":
      return cylinder(properties);
    case "cone":
      return cone(properties);
    case "capsule":
      return capsule(properties);
    case "torus":
      return torus(properties);
    default:
      return null;
  }
}

function ball({ center, radius }: Properties): Placed | null {
  if (!isTriple(center) || typeof radius !== "number") return null;
  return { form: { kind: "sphere" }, matrix: placed(AXES, [radius, radius, radius], center) };
}

function ellipsoid({ center, radii, rotation }: Properties): Placed | null {
  if (!isTriple(center) || !isTriple(radii)) return null;
  const axes = isTriple(rotation) ? turnedAxes(rotation) : AXES;
  return { form: { kind: "sphere" }, matrix: placed(axes, radii, center) };
}

function cuboid({ center, dimensions, rotation }: Properties): Placed | null {
  if (!isTriple(center) || !isTriple(dimensions)) return null;
  const axes = isTriple(rotation) ? turnedAxes(rotation) : AXES;
  return { form: { kind: "box" }, matrix: placed(axes, dimensions, center) };
}

/** The third axis stands on both edges and is as long as makes normals right. */
function parallelogram(kind: "quad" | "triangle", corner: Triple, u: unknown, v: unknown): Placed | null {
  if (!isTriple(u) || !isTriple(v)) return null;
  const [first, second] = [new Vector3(...u), new Vector3(...v)];
  const normal = new Vector3().crossVectors(first, second).normalize();
  const matrix = new Matrix4().makeBasis(first, second, normal).setPosition(...corner);
  return { form: { kind }, matrix };
}

function triangle({ vertices }: Properties): Placed | null {
  if (!Array.isArray(vertices) || vertices.length !== 3 || !vertices.every(isTriple)) return null;
  const [corner, ...others] = vertices as [Triple, Triple, Triple];
  const [u, v] = others.map((vertex) => vertex.map((value, axis) => value - (corner[axis] ?? 0)));
  return parallelogram("triangle", corner, u, v);
}

function disc({ center, normal, radius }: Properties): Placed | null {
  if (!isTriple(center) || !isTriple(normal) || typeof radius !== "number") return null;
  return { form: { kind: "disc" }, matrix: around(normal, center, [radius, radius, 1]) };
}

function cylinder({ base_center: from, top_center: to, radius, capped }: Properties): Placed | null {
  if (!isTriple(from) || !isTriple(to) || typeof radius !== "number") return null;
  const way = new Vector3(...to).sub(new Vector3(...from));
  const matrix = around(way.toArray(), from, [radius, radius, way.length()]);
  return { form: { kind: "cylinder", capped: capped !== false }, matrix };
}

function cone(properties: Properties): Placed | null {
  const { base_center: from, top_center: to, base_radius, top_radius, capped } = properties;
  if (!isTriple(from) || !isTriple(to) || typeof base_radius !== "number") return null;
  const way = new Vector3(...to).sub(new Vector3(...from));
  const ratio = typeof top_radius === "number" ? shortened(top_radius / base_radius) : 0;
  const matrix = around(way.toArray(), from, [base_radius, base_radius, way.length()]);
  return { form: { kind: "cone", ratio, capped: capped !== false }, matrix };
}

function capsule({ start, end, radius }: Properties): Placed | null {
  if (!isTriple(start) || !isTriple(end) || typeof radius !== "number") return null;
  const way = new Vector3(...end).sub(new Vector3(...start));
  const length = way.length();
  if (length === 0) return ball({ center: start, radius });
  const ratio = shortened(radius / length);
  return { form: { kind: "capsule", ratio }, matrix: around(way.toArray(), start, [length, length, length]) };
}

function torus(properties: Properties): Placed | null {
  const { center, normal, radius, thickness, start_angle, end_angle } = properties;
  if (!isTriple(center) || !isTriple(normal)) return null;
  if (typeof radius !== "number" || typeof thickness !== "number") return null;
  const [zero, quarter] = ringAxes(normal).map((axis) => new Vector3(...axis)) as [Vector3, Vector3];
  const axis = new Vector3(...normal).normalize();
  const matrix = new Matrix4().makeBasis(zero, quarter, axis);
  matrix.scale(new Vector3(radius, radius, radius)).setPosition(...center);
  const form: Form = {
    kind: "torus",
    ratio: shortened((0.5 * thickness) / radius),
    start: typeof start_angle === "number" ? start_angle : 0,
    end: typeof end_angle === "number" ? end_angle : 360,
  };
  return { form, matrix };
}

const AXES: readonly [Triple, Triple, Triple] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

function placed(axes: readonly [Triple, Triple, Triple], sizes: Triple, place: Triple): Matrix4 {
  const [x, y, z] = axes.map((axis) => new Vector3(...axis)) as [Vector3, Vector3, Vector3];
  return new Matrix4()
    .makeBasis(x, y, z)
    .scale(new Vector3(...sizes))
    .setPosition(...place);
}

/** Turns z to `axis`, with lengths across, across and along it. */
function around(axis: Triple, place: Triple, sizes: Triple): Matrix4 {
  const z = new Vector3(...axis).normalize();
  const x = new Vector3(...(Math.abs(z.y) > 0.9 ? AXES[0] : AXES[1])).cross(z).normalize();
  const y = new Vector3().crossVectors(z, x);
  return new Matrix4()
    .makeBasis(x, y, z)
    .scale(new Vector3(...sizes))
    .setPosition(...place);
}

/** To a ten-thousandth: forms that differ less share their geometry. */
function shortened(ratio: number): number {
  return Number(ratio.toPrecision(4));
}
