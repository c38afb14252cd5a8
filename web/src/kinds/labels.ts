import type { EnvironmentKind, MaterialKind, ObjectKind } from "./list";

/** What objects are called in menus, and, in lower case, as new ids. */
export const OBJECT_LABELS: Readonly<Record<ObjectKind, string>> = {
  sphere: "Sphere",
  box: "Box",
  quad: "Plane",
  disc: "Disc",
  cylinder: "Cylinder",
  cone: "Cone",
  torus: "Torus",
  capsule: "Capsule",
  triangle: "Triangle",
  ellipsoid: "Ellipsoid",
  rounded_box: "Rounded box",
  tube: "Tube",
  lathe: "Lathe",
  extrusion: "Extrusion",
  text: "Text",
  height_field: "Terrain",
  mesh: "Mesh",
  point_spot_light: "Point light",
  area_quad_light: "Area light",
  disc_spot_light: "Disc light",
  area_sphere_light: "Sphere light",
  area_disc_spot_light: "Spot light",
  directional_light: "Directional light",
};

export const MATERIAL_LABELS: Readonly<Record<MaterialKind, string>> = {
  lambertian: "Matte",
  metal: "Metal",
  dielectric: "Glass",
  emissive: "Emissive",
  principled: "Principled",
  mix: "Mix",
  preset: "Preset",
};

export const ENVIRONMENT_LABELS: Readonly<Record<EnvironmentKind, string>> = {
  sky: "Physical sky",
  gradient: "Gradient",
  uniform: "Uniform",
  none: "None",
  image: "Image",
};
