import type { IconName } from "../views/common/icons";
import type { ObjectKind } from "./list";

/** The icon of an object in the outliner. */
export const OBJECT_ICONS: Readonly<Record<ObjectKind, IconName>> = {
  sphere: "sphere",
  box: "box",
  quad: "square",
  disc: "disc",
  cylinder: "cylinder",
  cone: "cone",
  torus: "torus",
  capsule: "pill",
  triangle: "triangle",
  ellipsoid: "sphere",
  rounded_box: "box",
  tube: "spline",
  lathe: "amphora",
  extrusion: "star",
  text: "type",
  height_field: "mountain",
  mesh: "mesh",
  point_spot_light: "lightbulb",
  area_quad_light: "lightbulb",
  disc_spot_light: "lightbulb",
  area_sphere_light: "lightbulb",
  area_disc_spot_light: "lightbulb",
  directional_light: "sun",
};
