import {
  BufferGeometry,
  CanvasTexture,
  Float32BufferAttribute,
  Group,
  LineBasicMaterial,
  LineSegments,
  type PerspectiveCamera,
  Points,
  PointsMaterial,
  Vector3,
} from "three";
import { viewFrame } from "../../document/camera";
import type { Properties, SceneDocument } from "../../document/scene";
import { CAMERA_KEY } from "../../document/subject";
import { add, isTriple, normalized, scale, type Triple } from "../../document/vector";
import { markerOf } from "../../kinds/markers";

/** On the screen, in pixels. */
const MARKER_SIZE_PX = 18;
/** How near a click must be, as a share of the picture's height. */
const PICK_RADIUS = 0.025;

/** What has a position and no surface: lights without an area, and the scene's camera while the viewport has another one. */
export class Markers {
  readonly group = new Group();
  readonly #marks = new Points(
    new BufferGeometry(),
    new PointsMaterial({
      size: MARKER_SIZE_PX,
      sizeAttenuation: false,
      map: sunTexture(),
      transparent: true,
      depthWrite: false,
      toneMapped: false,
    }),
  );
  readonly #lines = new LineSegments(
    new BufferGeometry(),
    new LineBasicMaterial({ color: 0x5b9dff, transparent: true, opacity: 0.9, toneMapped: false }),
  );
  #places: { id: string; place: Triple }[] = [];
  /** Where the scene's camera is, while it is seen. */
  #eye: Triple | null = null;

  constructor() {
    this.group.add(this.#marks, this.#lines);
    for (const each of [this.#marks, this.#lines]) each.frustumCulled = false;
  }

  /** `camera` is the scene's, where it is to be seen; `size` says how long lines are, in metres. */
  show(
    { lights }: SceneDocument,
    hidden: ReadonlySet<string>,
    camera: Properties | null,
    aspect: number,
    size: number,
  ): void {
    const markers = lights.flatMap((light) => {
      const marker = hidden.has(light.id) ? null : markerOf(light);
      return marker === null ? [] : [{ id: light.id, ...marker }];
    });
    this.#places = markers.map(({ id, position }) => ({ id, place: position }));
    const beams = markers.flatMap(({ position, direction }) => directionLine(position, direction, size));
    const body = camera === null ? [] : cameraLines(camera, aspect, size);
    this.#eye = isTriple(camera?.center) ? camera.center : null;
    setPositions(
      this.#marks.geometry,
      this.#places.flatMap(({ place }) => [...place]),
    );
    setPositions(this.#lines.geometry, [...beams, ...body].flat());
  }

  /** The key of the light or camera that is at a point of the picture, from -1 to 1 each way; the nearest of several. */
  at(x: number, y: number, camera: PerspectiveCamera): string | null {
    let best: { id: string; depth: number } | null = null;
    const eye = this.#eye === null ? [] : [{ id: CAMERA_KEY, place: this.#eye }];
    for (const { id, place } of [...this.#places, ...eye]) {
      const seen = new Vector3(...place).project(camera);
      const away = Math.hypot((seen.x - x) * camera.aspect, seen.y - y) / 2;
      if (seen.z > 1 || away > PICK_RADIUS || (best !== null && best.depth < seen.z)) continue;
      best = { id, depth: seen.z };
    }
    return best?.id ?? null;
  }

  dispose(): void {
    for (const { geometry, material } of [this.#marks, this.#lines]) {
      geometry.dispose();
      material.dispose();
    }
    this.#marks.material.map?.dispose();
  }
}

function setPositions(geometry: BufferGeometry, positions: number[]): void {
  geometry.dispose();
  geometry.setAttribute("position", new Float32BufferAttribute(positions, 3));
}

/** From a light to where it shines. */
function directionLine(position: Triple, direction: Triple | null, size: number): Triple[] {
  return direction === null ? [] : [position, add(position, scale(normalized(direction), size))];
}

/** A pyramid from the eye to the corners of its picture. */
function cameraLines(properties: Properties, aspect: number, size: number): Triple[] {
  const frame = viewFrame(properties, aspect);
  if (frame === null) return [];
  const { center, right, up, forward, halfHeight, orthographic, distance } = frame;
  const half = halfHeight * (orthographic ? distance : size);
  const corners = [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ].map(([x = 0, y = 0]) =>
    add(add(add(center, scale(forward, size)), scale(right, x * half * aspect)), scale(up, y * half)),
  );
  return corners.flatMap((corner, index) => [
    orthographic ? add(corner, scale(forward, -size)) : center,
    corner,
    corner,
    corners[(index + 1) % 4] ?? corner,
  ]);
}

/** A small sun. */
function sunTexture(): CanvasTexture {
  const size = 64;
  const canvas = document.createElement("canvas");
  canvas.width = size;
  canvas.height = size;
  const context = canvas.getContext("2d");
  if (context !== null) {
    context.translate(size / 2, size / 2);
    context.lineWidth = 5;
    context.lineCap = "round";
    for (const colour of ["rgb(0 0 0 / 60%)", "#ffd98a"]) {
      context.strokeStyle = colour;
      context.fillStyle = colour;
      context.beginPath();
      context.arc(0, 0, 10, 0, 2 * Math.PI);
      context.fill();
      for (let ray = 0; ray < 8; ray += 1) {
        context.rotate(Math.PI / 4);
        context.beginPath();
        context.moveTo(0, 17);
        context.lineTo(0, 25);
        context.stroke();
      }
      context.lineWidth = 3;
    }
  }
  return new CanvasTexture(canvas);
}
