import { heightening, viewFrame } from "../document/camera";
import type { Properties } from "../document/scene";
import { add, isTriple, length, normalized, scale, subtract, type Triple } from "../document/vector";

/** Directions to look from: from where, by which key, and what is up in the picture. */
export const SIDES = {
  front: { label: "Front", key: "1", from: [0, 0, 1], up: [0, 1, 0] },
  back: { label: "Back", key: "2", from: [0, 0, -1], up: [0, 1, 0] },
  right: { label: "Right", key: "3", from: [1, 0, 0], up: [0, 1, 0] },
  left: { label: "Left", key: "4", from: [-1, 0, 0], up: [0, 1, 0] },
  top: { label: "Top", key: "5", from: [0, 1, 0], up: [0, 0, -1] },
  bottom: { label: "Bottom", key: "6", from: [0, -1, 0], up: [0, 0, 1] },
} as const satisfies Record<string, { label: string; key: string; from: Triple; up: Triple }>;
export type Side = keyof typeof SIDES;

/** A little room around what is framed. */
const MARGIN = 1.15;
/** What has no size, such as a point light, is looked at from as far as something of this radius, in metres. */
const MIN_RADIUS = 0.05;

/** The camera on a side of what it looks at, as far from it as before. */
export function cameraFromSide(camera: Properties, side: Side): Properties {
  const { center, look_at } = camera;
  if (!isTriple(center) || !isTriple(look_at)) return camera;
  const { from, up } = SIDES[side];
  const away = scale(from, length(subtract(center, look_at)));
  return { ...camera, center: add(look_at, away), up };
}

/** The camera moved along its line of sight and aside until a ball fills its picture; `aspect` is width over height. */
export function framingCamera(
  camera: Properties,
  ball: { center: Triple; radius: number },
  aspect: number,
): Properties {
  const frame = viewFrame(camera, aspect);
  if (frame === null) return camera;
  const half = Math.atan(frame.halfHeight * Math.min(1, aspect));
  const away = (MARGIN * Math.max(ball.radius, MIN_RADIUS)) / Math.sin(half);
  const center = subtract(ball.center, scale(normalized(frame.forward), away));
  const framed = { ...camera, center, look_at: ball.center };
  if (!frame.orthographic) return framed;
  const height = (2 * MARGIN * Math.max(ball.radius, MIN_RADIUS)) / Math.min(1, aspect);
  return { ...framed, height: height / heightening(aspect) };
}
