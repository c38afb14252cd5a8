import { OBJECT_DEFAULTS, rounded } from "../kinds/defaults";
import { type Extent, extentOf } from "../kinds/extents";
import { OBJECT_LABELS } from "../kinds/labels";
import { isLightKind, LIGHT_KINDS, type ObjectKind, SHAPE_KINDS } from "../kinds/list";
import type { EditCall } from "../protocol";
import { freeId } from "./free-id";
import { type CameraView, offsetToFreePlace, spawnPoint } from "./placement";
import { type Properties, type SceneDocument, usedIds } from "./scene";
import { add, isTriple, length, scale, subtract, type Triple } from "./vector";

/** The kinds that can be added without a file. */
export const NEW_SHAPES = SHAPE_KINDS.filter((kind) => OBJECT_DEFAULTS[kind] !== null);
export const NEW_LIGHTS = LIGHT_KINDS.filter((kind) => OBJECT_DEFAULTS[kind] !== null);

/**
 * The call that adds an object in front of the camera, on what stands there, its size by how much is seen there. Fails
 * for kinds that need a file.
 */
export function creationCall(scene: SceneDocument, type: ObjectKind, cameraView: CameraView): EditCall {
  const propertiesAt = OBJECT_DEFAULTS[type];
  if (propertiesAt === null) throw new Error(`a ${type} needs a file`);
  const { position, size } = spawnPoint(cameraView);
  const isShape = !isLightKind(type);
  // Lights stand above what they shine on.
  const place = rounded(isShape ? position : add(position, [0, 2 * size, 0]), size);
  const first = propertiesAt(place, size);
  const made = extentOf({ type, properties: first }) ?? extentAround(first, place, size);
  const way = isShape
    ? offsetToFreePlace(scene, cameraView, made)
    : offsetToFreeLightPlace(scene, cameraView, made, size);
  const [x, , z] = rounded(add(place, way), size);
  // Neither sunk in nor hovering by a rounding.
  const height = Number((place[1] + way[1]).toPrecision(9));
  const id = freeId(OBJECT_LABELS[type].toLowerCase().replaceAll(" ", "_"), usedIds(scene));
  const properties = propertiesAt([x, height, z], size);
  return {
    name: isShape ? "create_shape" : "create_light",
    args: { id, type, properties: isShape ? { ...properties, material: NEW_MATERIAL } : properties },
  };
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
