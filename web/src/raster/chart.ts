import { type Box3, Quaternion, Vector3 } from "three";
import { ringAxes } from "../document/motion";
import type { SceneObject } from "../document/scene";
import {
  cross,
  dot,
  isTriple,
  length,
  normalized,
  scale,
  subtract,
  type Triple,
  turnedAxes,
} from "../document/vector";

/** How a surface is numbered by u and v; see `CHARTS` in `pattern-shader.ts` for the numbers of each. */
export type SurfaceKind = "sphere" | "box" | "flat" | "round" | "torus" | "mesh";

/** A shape's own coordinates, in metres, and those of its surface: as `tracer` has them in `texture/chart.rs`. */
export interface Chart {
  origin: Triple;
  axes: readonly [Triple, Triple, Triple];
  surface: SurfaceKind;
  /** Eight at most. */
  numbers: readonly number[];
}

const AXES: Chart["axes"] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

/**
 * Null where the properties are not those of the type; `bounds` is the box around the shape, `isNumbered` says whether
 * its corners have u and v of their own.
 */
export function chartOf(
  { type, properties }: SceneObject,
  bounds: () => Box3,
  isNumbered: boolean,
): Chart | null {
  const { center, corner, u, v, vertices, normal, radius, rotation, dimensions, translation } = properties;
  const turned = isTriple(rotation) ? turnedAxes(rotation) : AXES;
  switch (type) {
    case "sphere":
      return isTriple(center) ? { origin: center, axes: AXES, surface: "sphere", numbers: [] } : null;
    case "ellipsoid":
      return isTriple(center) ? { origin: center, axes: turned, surface: "sphere", numbers: [] } : null;
    case "box":
    case "rounded_box":
      if (!isTriple(center) || !isTriple(dimensions)) return null;
      return { origin: center, axes: turned, surface: "box", numbers: dimensions };
    case "quad":
      return isTriple(corner) && isTriple(u) && isTriple(v) ? flat(corner, u, v, 0) : null;
    case "triangle": {
      if (!Array.isArray(vertices) || !vertices.every(isTriple)) return null;
      const [a, b, c] = vertices as Triple[];
      return a && b && c ? flat(a, subtract(b, a), subtract(c, a), 0) : null;
    }
    case "disc": {
      if (!isTriple(center) || !isTriple(normal) || typeof radius !== "number") return null;
      const upright = normalized(normal);
      const level = cross([0, 1, 0], upright);
      const across: Triple = length(level) < 1e-9 ? [1, 0, 0] : normalized(level);
      return flat(center, scale(across, 2 * radius), scale(cross(upright, across), 2 * radius), -0.5);
    }
    case "cylinder":
      return round(properties.base_center, properties.top_center, radius, 0);
    case "cone":
      return round(properties.base_center, properties.top_center, properties.base_radius, 0);
    case "capsule":
      return round(properties.start, properties.end, radius, 1);
    case "torus": {
      if (!isTriple(center) || !isTriple(normal) || typeof radius !== "number") return null;
      const [zero, quarter] = ringAxes(normal);
      const axes = [zero, normalized(normal), scale(quarter, -1)] as const;
      return { origin: center, axes, surface: "torus", numbers: [radius] };
    }
    case "mesh":
      return {
        origin: isTriple(translation) ? translation : [0, 0, 0],
        axes: turned,
        surface: isNumbered ? "mesh" : "box",
        numbers: isNumbered ? [] : bounds().getSize(new Vector3()).toArray(),
      };
    default: {
      const box = bounds();
      const size = box.getSize(new Vector3()).toArray();
      return { origin: box.getCenter(new Vector3()).toArray(), axes: AXES, surface: "box", numbers: size };
    }
  }
}

/** A plane from its corner along two edges; `from` is where u and v begin. */
function flat(corner: Triple, u: Triple, v: Triple, from: number): Chart {
  const normal = normalized(cross(u, v));
  const x = normalized(u);
  const y = cross(normal, x);
  const [acrossU, acrossV] = [cross(v, normal), cross(normal, u)];
  const duals = [scale(acrossU, 1 / dot(acrossU, u)), scale(acrossV, 1 / dot(acrossV, v))];
  const numbers = [...duals.flatMap((dual) => [dot(dual, x), dot(dual, y)]), from];
  return { origin: corner, axes: [x, y, normal], surface: "flat", numbers };
}

/** About an axis that reaches `beyond` times the radius beyond both points. */
function round(base: unknown, top: unknown, radius: unknown, beyond: number): Chart | null {
  if (!isTriple(base) || !isTriple(top) || typeof radius !== "number") return null;
  const way = subtract(top, base);
  const turn = new Quaternion().setFromUnitVectors(new Vector3(0, 1, 0), new Vector3(...normalized(way)));
  const axes = AXES.map((axis) =>
    new Vector3(...axis).applyQuaternion(turn).toArray(),
  ) as unknown as Chart["axes"];
  const reach = beyond * radius;
  return { origin: base, axes, surface: "round", numbers: [-reach, length(way) + 2 * reach, radius] };
}
