import type { Properties } from "../document/scene";
import { DIRECTIONAL_LIGHT_CENTER } from "./extents";
import type { ObjectKind } from "./list";

/** How an object of a kind takes a transform; which of its properties move is told by their names. */
export interface KindTransform {
  /** Properties that move and may be left out, with what they are then. */
  defaults?: Properties;
  /** The sizes along its own axes, where each of them can be scaled for itself. */
  stretched?: string;
  /** Whether it has angles, which are measured from axes that depend on its normal. */
  hasArc?: true;
}

const ROTATION: Properties = { rotation: [0, 0, 0] };

/** Null for kinds that only the server's own tools move as they should. */
export const TRANSFORMS: Readonly<Record<ObjectKind, KindTransform | null>> = {
  sphere: {},
  box: { defaults: ROTATION, stretched: "dimensions" },
  quad: {},
  disc: {},
  cylinder: {},
  cone: {},
  torus: { hasArc: true },
  capsule: {},
  triangle: {},
  ellipsoid: { defaults: ROTATION, stretched: "radii" },
  rounded_box: { defaults: ROTATION },
  tube: null,
  lathe: null,
  extrusion: null,
  text: null,
  height_field: null,
  mesh: { defaults: { translation: [0, 0, 0], ...ROTATION, scale: 1 }, stretched: "scale" },
  point_spot_light: {},
  area_quad_light: {},
  disc_spot_light: {},
  area_sphere_light: {},
  area_disc_spot_light: {},
  directional_light: { defaults: { center: DIRECTIONAL_LIGHT_CENTER } },
};
