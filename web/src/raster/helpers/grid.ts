import {
  BufferGeometry,
  Color,
  Float32BufferAttribute,
  LineBasicMaterial,
  LineSegments,
  type Vector3,
} from "three";

/** Lines each way from the middle. */
const LINES = 20;
/** Every tenth line is stronger. */
const MAJOR_EVERY = 10;

/** The grid's spacing for a camera at some distance, in metres: a power of ten. */
export function gridStep(distance: number): number {
  return 10 ** Math.floor(Math.log10(Math.max(distance, 1e-6) / 3));
}

/** A grid on the ground, y = 0, with the axes of x (red) and z (blue); it follows the camera. */
export class Grid {
  readonly lines = new LineSegments(
    new BufferGeometry(),
    new LineBasicMaterial({ vertexColors: true, transparent: true, toneMapped: false }),
  );
  #drawn = "";

  constructor() {
    this.lines.frustumCulled = false;
    this.lines.renderOrder = 1;
  }

  show(target: Vector3, distance: number): void {
    const step = gridStep(distance);
    const [x, z] = [target.x, target.z].map(
      (value) => Math.round(value / (MAJOR_EVERY * step)) * MAJOR_EVERY,
    );
    const key = `${step} ${x} ${z}`;
    if (key === this.#drawn || x === undefined || z === undefined) return;
    this.#drawn = key;
    const positions: number[] = [];
    const colours: number[] = [];
    // Each line is strongest in its middle and fades towards its ends.
    const line = (from: Point, to: Point, colour: Color, strength: number) => {
      const middle = from.map((value, axis) => 0.5 * (value + (to[axis] ?? 0)));
      positions.push(...from, ...middle, ...middle, ...to);
      for (const each of [0, strength, strength, 0]) colours.push(colour.r, colour.g, colour.b, each);
    };
    const reach = LINES * step;
    const [left, right] = [x * step - reach, x * step + reach];
    const [back, front] = [z * step - reach, z * step + reach];
    for (let index = -LINES; index <= LINES; index += 1) {
      const [across, along] = [x + index, z + index];
      const fading = 1 - Math.abs(index) / (LINES + 1);
      line([across * step, 0, back], [across * step, 0, front], ...lineStyle(across, Z_AXIS, fading));
      line([left, 0, along * step], [right, 0, along * step], ...lineStyle(along, X_AXIS, fading));
    }
    const { geometry } = this.lines;
    geometry.dispose();
    geometry.setAttribute("position", new Float32BufferAttribute(positions, 3));
    geometry.setAttribute("color", new Float32BufferAttribute(colours, 4));
  }

  dispose(): void {
    this.lines.geometry.dispose();
    this.lines.material.dispose();
  }
}

type Point = readonly [number, number, number];

const X_AXIS = new Color(0xd8484f);
const Z_AXIS = new Color(0x3f7fe0);
const LINE = new Color(0x808080);

function lineStyle(index: number, axis: Color, fading: number): [Color, number] {
  if (index === 0) return [axis, 0.9 * fading];
  return [LINE, (index % MAJOR_EVERY === 0 ? 0.6 : 0.3) * fading];
}
