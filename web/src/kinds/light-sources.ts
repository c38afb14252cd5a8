import type { Properties, SceneObject } from "../document/scene";
import { add, cross, isTriple, length, normalized, scale, type Triple } from "../document/vector";
import type { Frame } from "../protocol/generated/kinds";
import {
  distantLight,
  lightOfExtent,
  omnidirectionalLight,
  type PunctualLight,
  planarLight,
  QUARTER_TURN,
} from "../raster/lighting/punctual-lights";
import { extentOf } from "./extents";
import { entryOf, frameOf, type LightKind, withDefaults } from "./list";

/** `sceneCenter` is where a light from far away has its irradiance. */
type SourceOf = (properties: Properties, emission: Triple, sceneCenter: Triple) => PunctualLight | null;

/** The kinds of lights that are not what their place and extent would say. */
const LIGHT_SOURCES: Readonly<Partial<Record<LightKind, SourceOf>>> = {
  directional_light: ({ direction }, emission, sceneCenter) =>
    isTriple(direction) ? distantLight(scale(direction, -1), emission, sceneCenter) : null,
};

/** All others, by how their place and extent are told. */
const FRAME_SOURCES: Readonly<Partial<Record<Frame, SourceOf>>> = {
  point: pointLight,
  parallelogram: quadLight,
  disc: discLight,
  ball: ({ center, radius }, emission) =>
    isTriple(center) && typeof radius === "number"
      ? omnidirectionalLight(center, scale(emission, Math.PI * radius * radius), radius)
      : null,
};

/** A light of the document as a punctual light at its middle; null for kinds that are newer than this page. */
export function punctualLightOf(
  light: Pick<SceneObject, "type" | "properties">,
  sceneCenter: Triple = [0, 0, 0],
): PunctualLight | null {
  const properties = withDefaults(light);
  const { emission } = properties;
  if (!isTriple(emission)) return null;
  const source = entryOf(LIGHT_SOURCES, light.type) ?? FRAME_SOURCES[frameOf(light.type)];
  if (source !== undefined) return source(properties, emission, sceneCenter);
  const extent = extentOf(light);
  return extent === null ? null : lightOfExtent(extent, emission);
}

function quadLight({ corner, u, v }: Properties, emission: Triple): PunctualLight | null {
  if (!isTriple(corner) || !isTriple(u) || !isTriple(v)) return null;
  const normal = cross(u, v);
  const center = add(corner, scale(add(u, v), 0.5));
  return planarLight(center, normal, emission, length(normal), QUARTER_TURN);
}

function discLight(
  { center, normal, radius, cutoff_angle }: Properties,
  emission: Triple,
): PunctualLight | null {
  if (!isTriple(center) || !isTriple(normal) || typeof radius !== "number") return null;
  const coneAngle = typeof cutoff_angle === "number" ? radians(cutoff_angle) : QUARTER_TURN;
  return planarLight(center, normal, emission, Math.PI * radius * radius, coneAngle);
}

function pointLight(properties: Properties, intensity: Triple): PunctualLight | null {
  const { center, direction, cutoff_angle, falloff_exponent } = properties;
  if (!isTriple(center)) return null;
  const coneAngle = typeof cutoff_angle === "number" ? radians(cutoff_angle) : Math.PI;
  if (coneAngle > QUARTER_TURN || !isTriple(direction)) return omnidirectionalLight(center, intensity);
  const fades = typeof falloff_exponent === "number" && falloff_exponent > 0;
  return {
    position: center,
    intensity,
    direction: normalized(direction),
    coneAngle,
    penumbra: fades ? 1 : 0.05,
    radius: 0,
  };
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}
