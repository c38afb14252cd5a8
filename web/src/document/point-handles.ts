import {
  isOutlineList,
  type PointList,
  type PointListKind,
  pointListKind,
  snappedPoint,
} from "../kinds/point-lists";
import type { CameraFrame } from "./camera";
import type { Properties } from "./scene";
import {
  add,
  cross,
  dot,
  isTriple,
  length,
  normalized,
  rotatedAxes,
  scale,
  subtract,
  type Triple,
} from "./vector";

/** The points of a shape's line or outline, as they lie in the scene for a camera that looks at them. */
export interface PointHandles {
  /** The property that holds them. */
  property: string;
  /** Its value with another list of these points: of holes there are several. */
  valueWith(list: PointList): unknown;
  kind: PointListKind;
  list: PointList;
  /** Where each point lies. */
  places: readonly Triple[];
  /** The point of an index, dragged to where a ray meets the plane it is moved in; null where it does not. */
  dragged(index: number, ray: { origin: Triple; direction: Triple }): number[] | null;
}

/** How the coordinates of points lie in space. */
interface Chart {
  origin: Triple;
  axes: readonly Triple[];
  /** Points are moved in the plane of the chart; in space parallel to the picture. */
  normal: Triple;
}

/** A plane that is seen more from its edge than this is not dragged in. */
const MIN_SLANT = 0.05;
const ZERO: Triple = [0, 0, 0];
const UNITS: readonly Triple[] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

/** Of its line or outline, and of each hole in that; none for a shape that has no such points. */
export function pointHandles(properties: Properties, camera: CameraFrame): readonly PointHandles[] {
  const found = ["points", "profile", "outline"].flatMap((property) => {
    const chart = chartOf(property, properties, camera);
    const handles = chart === null ? null : handlesOf(property, properties[property], chart);
    return handles === null ? [] : [handles];
  });
  const { holes } = properties;
  const chart = found[0]?.property === "outline" ? chartOf("outline", properties, camera) : null;
  if (chart === null || !isOutlineList(holes)) return found.slice(0, 1);
  const inner = holes.flatMap((hole, at) => {
    const handles = handlesOf("outline", hole, chart);
    const valueWith = (list: PointList) => holes.with(at, list);
    return handles === null ? [] : [{ ...handles, property: "holes", valueWith }];
  });
  return [...found.slice(0, 1), ...inner];
}

/** Null for a value that is no such list. */
function handlesOf(property: string, value: unknown, chart: Chart): PointHandles | null {
  const kind = pointListKind(property, value);
  if (kind === null) return null;
  const list = value as PointList;
  const placeOf = (point: readonly number[]) =>
    chart.axes.reduce((place, axis, index) => add(place, scale(axis, point[index] ?? 0)), chart.origin);
  const places = list.map(placeOf);
  const size = Math.max(...places.map((place) => length(subtract(place, places[0] ?? ZERO))), 1e-3);
  const dragged: PointHandles["dragged"] = (index, { origin, direction }) => {
    const place = places[index];
    const slant = dot(direction, chart.normal);
    if (place === undefined || Math.abs(slant) < MIN_SLANT) return null;
    const way = dot(subtract(place, origin), chart.normal) / slant;
    if (way <= 0) return null;
    const met = subtract(add(origin, scale(direction, way)), chart.origin);
    return snappedPoint(
      chart.axes.map((axis) => dot(met, axis)),
      size,
      kind,
    );
  };
  return { property, valueWith: (changed) => changed, kind, list, places, dragged };
}

function chartOf(property: string, properties: Properties, camera: CameraFrame): Chart | null {
  const { rotation, base_center, center, depth } = properties;
  const [x, y, z] = rotatedAxes(isTriple(rotation) ? rotation : ZERO);
  switch (property) {
    case "points":
      return { origin: ZERO, axes: UNITS, normal: camera.forward };
    case "profile": {
      if (!isTriple(base_center)) return null;
      // A profile goes all around its axis: its points stand where the outline is seen, to the right of the axis.
      const aside = cross(camera.forward, y);
      const right = length(aside) > MIN_SLANT ? normalized(aside) : x;
      return { origin: base_center, axes: [right, y], normal: cross(right, y) };
    }
    case "outline": {
      if (!isTriple(center) || typeof depth !== "number") return null;
      // On the side that faces the camera.
      const half = dot(camera.forward, z) > 0 ? -0.5 * depth : 0.5 * depth;
      return { origin: add(center, scale(z, half)), axes: [x, y], normal: z };
    }
    default:
      return null;
  }
}
