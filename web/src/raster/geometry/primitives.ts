import {
  BufferGeometry,
  CapsuleGeometry,
  CircleGeometry,
  CylinderGeometry,
  Float32BufferAttribute,
  PlaneGeometry,
  SphereGeometry,
  TorusGeometry,
  BoxGeometry as UnitBox,
} from "three";
import { mergeGeometries } from "three/addons/utils/BufferGeometryUtils.js";
import { unreachable } from "../../unreachable";

/** The form of a part, apart from its place and size: parts of one form are drawn together. */
export type Primitive = ParametricPrimitive | { kind: "triangles"; key: string };

/** A form whose triangles this page makes itself. */
export type ParametricPrimitive =
  | { kind: "sphere" | "box" | "quad" | "disc" | "triangle" }
  | { kind: "cylinder"; capped: boolean }
  /** `ratio`: of the radius at the top to that of the base. */
  | { kind: "cone"; ratio: number; capped: boolean }
  /** `ratio`: of the radius to the way from end to end. */
  | { kind: "capsule"; ratio: number }
  /** `ratio`: of the tube's radius to the ring's; angles in degrees. */
  | { kind: "torus"; ratio: number; start: number; end: number };

export function primitiveKey(form: Primitive): string {
  return Object.values(form).join(" ");
}

/** How round things are: `coarse` where there are many, the others while these move on a slow machine. */
export type Tessellation = "fine" | "coarse" | "rough" | "crude";

/** All that can be drawn, what costs little, or what costs least. */
export type DetailLevel = "full" | "low" | "lowest";

/** Edges of a circle. */
const SEGMENTS: Record<Tessellation, number> = { fine: 48, coarse: 16, rough: 8, crude: 6 };
/** Edges of the circle that a ring's tube is. */
const TUBE_SEGMENTS: Record<Tessellation, number> = { fine: 16, coarse: 5, rough: 4, crude: 3 };
/** Rings of the half balls at the ends of a capsule. */
const CAP_RINGS: Record<Tessellation, number> = { fine: 8, coarse: 3, rough: 1, crude: 1 };

/** With more parts than this each gets fewer triangles. */
const LARGE_SCENE_PARTS = 300;
/** With more parts than this a slow machine cannot draw all triangles in each frame while the camera moves. */
export const MEDIUM_SCENE_PARTS = 30;

/** The tessellation for a number of parts. */
export function tessellationFor(parts: number, detailLevel: DetailLevel): Tessellation {
  if (detailLevel === "full") return parts > LARGE_SCENE_PARTS ? "coarse" : "fine";
  if (parts > LARGE_SCENE_PARTS) return detailLevel === "low" ? "rough" : "crude";
  if (parts > MEDIUM_SCENE_PARTS) return detailLevel === "low" ? "coarse" : "rough";
  return detailLevel === "low" ? "fine" : "coarse";
}

/** Whether one never sees the inside: then only what faces the eye is drawn where that counts. */
export function isClosed(form: Primitive): boolean {
  switch (form.kind) {
    case "sphere":
    case "box":
    case "capsule":
    case "torus":
      return true;
    case "cylinder":
    case "cone":
      return form.capped;
    default:
      return false;
  }
}

/**
 * The geometry of a form, at most one unit in size: balls, rings and discs of radius 1 (discs and rings across
 * z), boxes of side 1, quads and triangles from (0, 0) along x and y, round things around z from 0 to 1.
 */
export function createGeometry(form: ParametricPrimitive, detail: Tessellation): BufferGeometry {
  const around = SEGMENTS[detail];
  switch (form.kind) {
    case "sphere":
      return new SphereGeometry(1, around, around / 2);
    case "box":
      return new UnitBox(1, 1, 1);
    case "quad":
      return new PlaneGeometry(1, 1).translate(0.5, 0.5, 0);
    case "disc":
      return new CircleGeometry(1, around);
    case "triangle":
      return flatTriangle();
    case "cylinder":
      return orientAlongZ(new CylinderGeometry(1, 1, 1, around, 1, !form.capped));
    case "cone":
      return orientAlongZ(new CylinderGeometry(form.ratio, 1, 1, around, 1, !form.capped));
    case "capsule":
      return orientAlongZ(new CapsuleGeometry(form.ratio, 1, CAP_RINGS[detail], around));
    case "torus":
      return arcGeometry(form.ratio, form.start, form.end, around, TUBE_SEGMENTS[detail]);
    default:
      return unreachable(form);
  }
}

/** From the middle along y to from 0 to 1 along z. */
function orientAlongZ(geometry: BufferGeometry): BufferGeometry {
  return geometry.translate(0, 0.5, 0).rotateX(Math.PI / 2);
}

function flatTriangle(): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new Float32BufferAttribute([0, 0, 0, 1, 0, 0, 0, 1, 0], 3));
  geometry.setAttribute("normal", new Float32BufferAttribute([0, 0, 1, 0, 0, 1, 0, 0, 1], 3));
  geometry.setAttribute("uv", new Float32BufferAttribute([0, 0, 1, 0, 0, 1], 2));
  return geometry.setIndex([0, 1, 2]);
}

/** A ring from one angle to the other, its ends closed when it is no whole turn. */
function arcGeometry(
  tube: number,
  start: number,
  end: number,
  around: number,
  aroundTube: number,
): BufferGeometry {
  const turn = Math.min(360, end - start);
  const arc = (turn * Math.PI) / 180;
  const segments = Math.max(3, Math.ceil((around * turn) / 360));
  const body = new TorusGeometry(1, tube, aroundTube, segments, arc);
  if (turn < 360) {
    const cap = () => new CircleGeometry(tube, aroundTube).rotateX(Math.PI / 2);
    const first = cap().translate(1, 0, 0);
    const last = cap().rotateX(Math.PI).translate(1, 0, 0).rotateZ(arc);
    const closed = mergeGeometries([body, first, last]);
    for (const part of [body, first, last]) part.dispose();
    return closed.rotateZ((start * Math.PI) / 180);
  }
  return body;
}
