import type { Matrix4 } from "three";
import type { SceneObject } from "../../document/scene";
import { isTriple } from "../../document/vector";
import { isHiddenFromCamera } from "../../kinds/markers";
import { type PlacedPrimitive, placedPrimitive, primitiveOfLight } from "../../kinds/primitives";
import { surfaceOf } from "../../kinds/surfaces";
import { isClosed, type Primitive } from "../geometry/primitives";
import { BLACK, emissive, type Presets, type Surface } from "../materials/surface";

/** A piece of an object: a primitive, where it is, and what it looks like. */
export interface Part {
  primitive: Primitive;
  /** From the primitive's own space to the world; never mirrors. */
  matrix: Matrix4;
  surface: Surface;
  /** Flat things have two sides; of lights they look different. */
  side: "both" | "front" | "back";
}

/**
 * What a shape is drawn as; nothing when its properties are not those of its type. `otherwise` knows the types
 * that this page cannot draw by itself.
 */
export function partsOfShape(
  shape: SceneObject,
  presets: Presets,
  otherwise: (shape: SceneObject) => PlacedPrimitive | null,
): Part[] {
  const placed = placedPrimitive(shape.type, shape.properties) ?? otherwise(shape);
  if (placed === null) return [];
  return [{ ...placed, surface: surfaceOf(shape.properties.material, presets), side: "both" }];
}

/**
 * What a light with an area is drawn as: a flat one glows on the side it shines to. Point lights, and those that the
 * camera does not see, are not drawn here.
 */
export function partsOfLight(light: SceneObject): Part[] {
  const placed = primitiveOfLight(light);
  if (placed === null || isHiddenFromCamera(light)) return [];
  const { emission } = light.properties;
  const surface = emissive(isTriple(emission) ? emission : [1, 1, 1]);
  if (isClosed(placed.primitive)) return [{ ...placed, surface, side: "both" }];
  return [
    { ...placed, surface, side: "front" },
    { ...placed, surface: BLACK, side: "back" },
  ];
}
