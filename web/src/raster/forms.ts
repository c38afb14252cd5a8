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
import { unreachable } from "../unreachable";

/** The form of a part, apart from its place and size: parts of one form are drawn together. */
export type Form = OwnForm | { kind: "triangles"; key: string };

/** A form whose triangles this page makes itself. */
export type OwnForm =
  | { kind: "sphere" | "box" | "quad" | "disc" | "triangle" }
  | { kind: "cylinder"; capped: boolean }
  /** `ratio`: of the radius at the top to that of the base. */
  | { kind: "cone"; ratio: number; capped: boolean }
  /** `ratio`: of the radius to the way from end to end. */
  | { kind: "capsule"; ratio: number }
  /** `ratio`: of the tube's radius to the ring's; angles in degrees. */
  | { kind: "torus"; ratio: number; start: number; end: number };

export function formKey(form: Form): string {
  return Object.values(form).join(" ");
}

/** How round things are: `coarse` where there are many, the others while these move on a slow machine. */
export type Detail = "fine" | "coarse" | "rough" | "crude";

/** All that can be drawn, what costs little, or what costs least. */
export type Ease = "whole" | "quick" | "quickest";

/** Edges of a circle. */
const AROUND: Record<Detail, number> = { fine: 48, coarse: 16, rough: 8, crude: 6 };
/** Edges of the circle that a ring's tube is. */
const AROUND_TUBE: Record<Detail, number> = { fine: 16, coarse: 5, rough: 4, crude: 3 };
/** Rings of the half balls at the ends of a capsule. */
const CAP_RINGS: Record<Detail, number> = { fine: 8, coarse: 3, rough: 1, crude: 1 };

/** Past so many parts each gets fewer triangles. */
const MANY_PARTS = 300;
/** Past so many parts all of their triangles are too many for each frame of a move on a slow machine. */
export const SOME_PARTS = 30;

/** How round so many parts are drawn. */
export function detailFor(parts: number, ease: Ease): Detail {
  if (ease === "whole") return parts > MANY_PARTS ? "coarse" : "fine";
  if (parts > MANY_PARTS) return ease === "quick" ? "rough" : "crude";
  if (parts > SOME_PARTS) return ease === "quick" ? "coarse" : "rough";
  return ease === "quick" ? "fine" : "coarse";
}

/** Whether one never sees the inside: then only what faces the eye is drawn where that counts. */
export function isClosed(form: Form): boolean {
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
export function geometryOf(form: OwnForm, detail: Detail): BufferGeometry {
  const around = AROUND[detail];
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
      return alongZ(new CylinderGeometry(1, 1, 1, around, 1, !form.capped));
    case "cone":
      return alongZ(new CylinderGeometry(form.ratio, 1, 1, around, 1, !form.capped));
    case "capsule":
      return alongZ(new CapsuleGeometry(form.ratio, 1, CAP_RINGS[detail], around));
    case "torus":
      return ring(form.ratio, form.start, form.end, around, AROUND_TUBE[detail]);
    default:
      return unreachable(form);
  }
}

/** From the middle along y to from 0 to 1 along z. */
function alongZ(geometry: BufferGeometry): BufferGeometry {
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
function ring(tube: number, start: number, end: number, around: number, aroundTube: number): BufferGeometry {
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
