import type { ShapeKind } from "./list";

/** Whether other things can stand all over the top of its box; of other kinds only the middle of it supports them. */
export const FLAT_TOPS: Readonly<Record<ShapeKind, boolean>> = {
  sphere: false,
  box: true,
  quad: true,
  disc: true,
  cylinder: true,
  cone: false,
  torus: false,
  capsule: false,
  triangle: false,
  ellipsoid: false,
  rounded_box: true,
  tube: false,
  lathe: false,
  extrusion: false,
  text: false,
  height_field: false,
  mesh: false,
};
