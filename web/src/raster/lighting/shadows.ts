import { Box3, Sphere, SpotLight, Vector3 } from "three";
import type { Triple } from "../../document/vector";
import { type PunctualLight, QUARTER_TURN } from "./punctual-lights";

/** So many lights cast shadows: each costs every pixel, and another number has all materials compiled again. */
export const MAX_SHADOWS = 2;

/** Weaker than this share of the strongest, a light's shadow is hardly seen. */
const MIN_SHARE = 0.08;
/** So many times as large as the rest are a ground, walls and a backdrop. */
const SURROUNDINGS = 2;
/** Wider shadow maps waste their pixels: beyond this half-angle a light casts no shadow. */
const MAX_SHADOW_ANGLE = 1.3;
/** Pixels of a shadow map, each way. */
const MAP_SIZE = 2048;
/** By how many of them edges are softened, at least and at most: more shows as noise. */
const SOFTNESS = { least: 1.5, most: 8 };
/** How much weaker than a point's the shadows of a light are that is as large as it is away. */
const WASHED_OUT = 0.8;
/** How far beyond the content shadows reach on what is behind it, in radii. */
const REACH = 8;

/** A light as a cone of light whose shadow map covers the content of the scene. */
export interface ShadowCone {
  position: Triple;
  direction: Triple;
  /** Half the angle of the cone of light, and of the shadow map, in radians. */
  coneAngle: number;
  mapAngle: number;
  penumbra: number;
  intensity: Triple;
  near: number;
  far: number;
  /** The light's radius over its distance from the content. */
  size: number;
}

/**
 * The ball around what one looks at, by the boxes of all parts: without ground, walls and backdrop, which are flat or around
 * the rest and much larger. Those take the shadows of the others.
 */
export function contentOf(boxes: readonly Box3[]): Sphere | null {
  const ascending = boxes.map((box) => ({ box, size: sizeOf(box) })).sort((a, b) => a.size - b.size);
  const unions: Box3[] = [];
  for (const { box } of ascending) unions.push((unions.at(-1) ?? new Box3()).clone().union(box));
  const isSurrounding = (box: Box3, rest: Box3) => isFlat(box) || box.containsBox(rest);
  // From the first that is much larger than all before it, if all from there on are around those.
  const first = ascending.findIndex(({ size }, index) => {
    const rest = unions[index - 1];
    if (rest === undefined || size < SURROUNDINGS * sizeOf(rest)) return false;
    return ascending.slice(index).every(({ box }) => isSurrounding(box, rest));
  });
  const content = unions.at(first < 0 ? -1 : first - 1)?.getBoundingSphere(new Sphere());
  return content === undefined || content.radius === 0 ? null : content;
}

function sizeOf(box: Box3): number {
  return box.getSize(new Vector3()).length();
}

function isFlat(box: Box3): boolean {
  const { x, y, z } = box.getSize(new Vector3());
  return Math.min(x, y, z) < 0.1 * Math.max(x, y, z);
}

/** How a light lights the content with a shadow map of one view; null where it would take several. */
export function shadowConeOf(light: PunctualLight, content: Sphere): ShadowCone | null {
  const position = new Vector3(...light.position);
  const center = content.center.clone();
  const away = position.distanceTo(center);
  const isOutside = away > 1.02 * content.radius;
  if (!isOutside && light.direction === null) return null;
  // From outside, the map covers the content; from inside, what the light shines on.
  const cover = isOutside ? Math.asin(content.radius / away) : MAX_SHADOW_ANGLE;
  if (isOutside && cover > MAX_SHADOW_ANGLE) return null;
  const towards = center.clone().sub(position).normalize();
  const direction = light.direction === null ? towards : new Vector3(...light.direction);
  // A cone keeps its own axis: the map has to be as wide as the content is off it.
  const offAxis = isOutside ? direction.angleTo(towards) : 0;
  return {
    position: light.position,
    direction: direction.toArray(),
    coneAngle: Math.min(light.coneAngle, QUARTER_TURN),
    mapAngle: Math.min(cover + offAxis, light.coneAngle, MAX_SHADOW_ANGLE),
    penumbra: light.penumbra,
    intensity: light.intensity,
    near: isOutside ? Math.max(0.02 * away, away - REACH * content.radius) : 0.01 * content.radius,
    far: away + REACH * content.radius,
    size: light.radius / Math.max(away, content.radius),
  };
}

/** What of a light does not shine into its cone: the half of the space behind one that shines all around. */
export function restOf(light: PunctualLight, { direction }: ShadowCone): PunctualLight | null {
  if (light.direction !== null) return null;
  const [x, y, z] = direction;
  return { ...light, direction: [-x, -y, -z], coneAngle: QUARTER_TURN, penumbra: 0 };
}

/** Which lights cast shadows: the strongest on the content of those that can. */
export function shadowLightsOf(
  lights: readonly PunctualLight[],
  content: Sphere | null,
): Map<PunctualLight, ShadowCone> {
  if (content === null) return new Map();
  const irradiance = ({ position, intensity }: PunctualLight) =>
    Math.max(...intensity) /
    Math.max(content.center.distanceToSquared(new Vector3(...position)), content.radius ** 2);
  const cones = lights
    .filter((light) => irradiance(light) > 0)
    .sort((a, b) => irradiance(b) - irradiance(a))
    .map((light) => [light, shadowConeOf(light, content)] as const)
    .filter((entry): entry is readonly [PunctualLight, ShadowCone] => entry[1] !== null);
  const [strongest] = cones;
  const enough = strongest === undefined ? 0 : MIN_SHARE * irradiance(strongest[0]);
  return new Map(cones.filter(([light]) => irradiance(light) >= enough).slice(0, MAX_SHADOWS));
}

/** A light that casts shadows; dark until it is shown one. */
export function createShadowLight(): SpotLight {
  const light = new SpotLight(0, 0, 0, 0, 0, 2);
  light.castShadow = true;
  light.shadow.mapSize.set(MAP_SIZE, MAP_SIZE);
  light.shadow.autoUpdate = false;
  return light;
}

/** `cone`: null for a dark light. */
export function setShadowLight(light: SpotLight, cone: ShadowCone | undefined, content: Sphere | null): void {
  const strength = Math.max(...(cone?.intensity ?? [0]));
  light.intensity = strength;
  // Nothing falls from a dark light: its map may stay as it is.
  light.shadow.needsUpdate = strength > 0;
  if (cone === undefined || content === null || strength === 0) return;
  light.color.setRGB(...cone.intensity).multiplyScalar(1 / strength);
  light.position.set(...cone.position);
  light.target.position.copy(light.position).add(new Vector3(...cone.direction));
  light.target.updateMatrixWorld();
  light.angle = cone.coneAngle;
  light.penumbra = cone.penumbra;
  const { shadow } = light;
  shadow.focus = cone.mapAngle / cone.coneAngle;
  shadow.radius = Math.min(SOFTNESS.most, Math.max(SOFTNESS.least, 0.25 * MAP_SIZE * cone.size));
  shadow.intensity = 1 - Math.min(WASHED_OUT, WASHED_OUT * cone.size);
  shadow.camera.near = cone.near;
  shadow.camera.far = cone.far;
  shadow.camera.updateProjectionMatrix();
  // A pixel of the map, where the content is: surfaces do not shade themselves within it.
  const distance = content.center.distanceTo(light.position);
  shadow.normalBias =
    (2 * shadow.radius * Math.max(distance, content.radius) * Math.tan(cone.mapAngle)) / MAP_SIZE;
  shadow.bias = -0.0002;
}
