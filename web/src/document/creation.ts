import { type Extent, extentOf } from "../kinds/extents";
import { descriptionOf, isLightKind } from "../kinds/list";
import type { EditCall } from "../protocol";
import { type KindInfo, LIGHTS, SHAPES } from "../protocol/generated/kinds";
import { freeId } from "./free-id";
import { boxOf, type CameraView, offsetToFreePlace, spawnPoint } from "./placement";
import { type Properties, type SceneDocument, usedIds } from "./scene";
import { stagedPlace } from "./staged-place";
import { IDENTITY, mapNumbers, transformedProperties } from "./transform/transform";
import { add, isTriple, length, scale, subtract, type Triple } from "./vector";

const needsNoFile = ({ sample }: KindInfo) => sample !== null;

/** The kinds that can be added without a file. */
export const NEW_SHAPES: readonly KindInfo[] = SHAPES.filter(needsNoFile);
export const NEW_LIGHTS: readonly KindInfo[] = LIGHTS.filter(needsNoFile);

/**
 * The call that adds an object in front of the camera, on what stands there, its size by how much is seen there; on a
 * stage beside what is there, and as large as that; or on a table, where `onTable` has one for a thing of a size: the
 * middle of its underside. Fails for kinds that need a file.
 */
export function creationCall(
  scene: SceneDocument,
  type: string,
  cameraView: CameraView,
  onTable: (size: Triple) => Triple | null = () => null,
): EditCall {
  const description = descriptionOf(type);
  if (description === undefined || description.sample === null) throw new Error(`a ${type} needs a file`);
  const isShape = !isLightKind(type);
  const staged = isShape ? stagedPlace(scene, cameraView) : null;
  const { position, size } = staged ?? spawnPoint(cameraView);
  const sample = scaledSample(description, description.sample, size);
  const propertiesAt = (translation: Triple): Properties => ({
    ...sample,
    ...transformedProperties({ type, properties: sample }, { ...IDENTITY, translation }),
  });
  // Lights stand above what they shine on.
  const place = rounded(isShape ? position : add(position, [0, 2 * size, 0]), size);
  const first = propertiesAt(place);
  const made = extentOf({ type, properties: first }) ?? extentAround(first, place, size);
  const way = isShape
    ? (offsetOnTable(made, size, onTable) ??
      offsetToFreePlace(scene, staged?.view ?? cameraView, made, staged?.room ?? size))
    : offsetToFreeLightPlace(scene, cameraView, made, size);
  const [x, , z] = rounded(add(place, way), size);
  // Neither sunk in nor hovering by a rounding.
  const height = Number((place[1] + way[1]).toPrecision(9));
  const id = freeId(description.label.toLowerCase().replaceAll(" ", "_"), usedIds(scene));
  const properties = propertiesAt([x, height, z]);
  return {
    name: isShape ? "create_shape" : "create_light",
    args: { id, type, properties: isShape ? { ...properties, material: NEW_MATERIAL } : properties },
  };
}

/**
 * The sample of a kind, half as wide as `size` says, in numbers that a user would type. A light of which only the
 * intensity is told grows brighter with its distance from what it shines on.
 */
function scaledSample({ kind, properties }: KindInfo, sample: Properties, size: number): Properties {
  const scaled = transformedProperties({ type: kind, properties: sample }, { ...IDENTITY, factor: size });
  const brighter = properties
    .filter(({ role, unit }) => role === "emission" && unit === "W/sr")
    .map(({ name }) => [name, mapNumbers(sample[name], (number) => number * size * size)] as const);
  const changed = Object.entries({ ...scaled, ...Object.fromEntries(brighter) });
  return {
    ...sample,
    ...Object.fromEntries(changed.map(([name, value]) => [name, mapNumbers(value, threeDigits)])),
  };
}

function threeDigits(number: number): number {
  return Number(number.toPrecision(3));
}

/** In steps of a hundredth of `size` or finer: numbers that a user would type, at any scale. */
function rounded(point: Triple, size: number): Triple {
  const digits = Math.min(12, Math.max(2, 2 - Math.floor(Math.log10(size))));
  return point.map((coordinate) => Number(coordinate.toFixed(digits)) + 0) as unknown as Triple;
}

/** Of what only the server knows the extent of: letters stand on their foot, land lies on its middle. */
function extentAround({ base_center }: Properties, [x, y, z]: Triple, size: number): Extent {
  const foot = isTriple(base_center) ? base_center[1] : y;
  const center: Triple = [x, foot + 0.5 * size, z];
  return {
    center,
    half: [
      [size, 0, 0],
      [0, 0.5 * size, 0],
      [0, 0, size],
    ],
  };
}

/** How far to move what was made, so that it stands on a table; null where there is none. */
function offsetOnTable(made: Extent, size: number, onTable: (size: Triple) => Triple | null): Triple | null {
  const { min, max } = boxOf(made);
  const sides = subtract(max, min);
  const place = onTable(sides);
  if (place === null) return null;
  // Two surfaces in one place would flicker.
  const lift: Triple = [0, sides[1] < 1e-9 ? 0.02 * size : 0, 0];
  const [x, , z] = scale(add(min, max), 0.5);
  return add(subtract(place, [x, min[1], z]), lift);
}

const NEW_MATERIAL = { type: "lambertian", albedo: [0.5, 0.5, 0.5] };

/** Past this, lights may stand in one another. */
const MAX_STEPS = 50;

/** How far aside a light goes so that it does not stand where something is. */
function offsetToFreeLightPlace(
  scene: SceneDocument,
  cameraView: CameraView,
  { center }: Extent,
  size: number,
): Triple {
  const taken = [...scene.shapes, ...scene.lights]
    .map((object) => extentOf(object)?.center)
    .filter((middle) => middle !== undefined);
  const step = scale(spawnPoint(cameraView).right, 2.2 * size);
  let way: Triple = [0, 0, 0];
  for (let steps = 0; steps < MAX_STEPS; steps += 1) {
    const free = add(center, way);
    if (!taken.some((middle) => length(subtract(middle, free)) < 0.5 * size)) break;
    way = add(way, step);
  }
  return way;
}
