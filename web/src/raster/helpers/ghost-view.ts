import {
  BufferGeometry,
  Color,
  Float32BufferAttribute,
  Group,
  LineBasicMaterial,
  LineLoop,
  MathUtils,
  Matrix4,
  Mesh,
  MeshLambertMaterial,
  Sphere,
  Vector3,
} from "three";
import type { SceneObject } from "../../document/scene";
import type { Triple } from "../../document/vector";
import { type Extent, extentOf } from "../../kinds/extents";
import type { Ghost } from "../../view/ghost";
import { createGeometry, type ParametricPrimitive } from "../geometry/primitives";
import { PRESETS } from "../materials/presets";
import type { Surface } from "../materials/surface";
import { partsOfShape } from "../objects/parts";

const OPACITY = 0.7;
/** Of what is not loaded yet, only the box is known. */
const BOX_OPACITY = 0.25;
/** As selections are outlined. */
const OUTLINE_COLOUR = 0x5b9dff;

/** Draws an object where it would stand: translucent, with the outline of its place on the ground. */
export class GhostView {
  readonly group = new Group();
  #ghost: Ghost | null = null;

  /** Shows an object, or none; true when that is another one or elsewhere. */
  show(ghost: Ghost | null): boolean {
    const before = this.#ghost;
    if (ghost === before) return false;
    this.#ghost = ghost;
    if (ghost?.shapes !== before?.shapes || ghost?.size !== before?.size) {
      this.#clear();
      if (ghost !== null) this.group.add(...meshesOf(ghost), outlineOf(ghost.size));
    }
    if (ghost !== null) {
      this.group.position.set(...ghost.place);
      this.group.rotation.y = MathUtils.degToRad(ghost.turn);
      this.group.updateMatrixWorld(true);
    }
    return true;
  }

  /** A ball around it; empty for none. */
  get bounds(): Sphere {
    if (this.#ghost === null) return new Sphere().makeEmpty();
    const { place, size } = this.#ghost;
    return new Sphere(new Vector3(...place), Math.hypot(...size));
  }

  dispose(): void {
    this.#clear();
  }

  #clear(): void {
    for (const each of this.group.children as (Mesh<BufferGeometry, MeshLambertMaterial> | LineLoop)[]) {
      each.geometry.dispose();
      for (const material of [each.material].flat()) material.dispose();
    }
    this.group.clear();
  }
}

function meshesOf({ shapes, size }: Ghost): Mesh[] {
  if (shapes === null) return [boxMesh(uprightBox(size), new Color(OUTLINE_COLOUR), BOX_OPACITY)];
  return shapes.flatMap((shape) => {
    const parts = partsOfShape(shape, PRESETS, () => null);
    if (parts.length === 0) return approximation(shape);
    return parts.map(({ primitive, matrix, surface }) =>
      mesh(primitive as ParametricPrimitive, matrix, colourOf(surface), opacityOf(surface)),
    );
  });
}

/** The box around a shape whose triangles only the server has. */
function approximation(shape: SceneObject): Mesh[] {
  const extent = extentOf(shape);
  return extent === null ? [] : [boxMesh(extent, new Color(0.6, 0.6, 0.6), OPACITY)];
}

function boxMesh({ center, half }: Extent, colour: Color, opacity: number): Mesh {
  const [x, y, z] = half.map((axis) => new Vector3(...axis).multiplyScalar(2)) as [Vector3, Vector3, Vector3];
  const matrix = new Matrix4().makeBasis(x, y, z).setPosition(...center);
  return mesh({ kind: "box" }, matrix, colour, opacity);
}

function mesh(primitive: ParametricPrimitive, matrix: Matrix4, color: Color, opacity: number): Mesh {
  // It can be seen in a dark scene, too.
  const emissive = color.clone().multiplyScalar(0.15);
  const material = new MeshLambertMaterial({ color, emissive, opacity, transparent: true });
  const made = new Mesh(createGeometry(primitive, "coarse"), material);
  made.matrixAutoUpdate = false;
  made.matrix.copy(matrix);
  made.frustumCulled = false;
  return made;
}

function colourOf({ colour }: Surface): Color {
  const strength = Math.max(1, ...colour);
  return new Color(...colour).multiplyScalar(1 / strength);
}

function opacityOf({ kind }: Surface): number {
  return kind === "glass" ? 0.5 * OPACITY : OPACITY;
}

function uprightBox([width, height, depth]: Triple): Extent {
  return {
    center: [0, 0.5 * height, 0],
    half: [
      [0.5 * width, 0, 0],
      [0, 0.5 * height, 0],
      [0, 0, 0.5 * depth],
    ],
  };
}

/** Around the place that it takes up, over what it stands on. */
function outlineOf([width, , depth]: Triple): LineLoop {
  const [x, z] = [0.5 * width, 0.5 * depth];
  const corners = [-x, 0, -z, x, 0, -z, x, 0, z, -x, 0, z];
  const geometry = new BufferGeometry().setAttribute("position", new Float32BufferAttribute(corners, 3));
  const material = new LineBasicMaterial({ color: OUTLINE_COLOUR, depthTest: false, toneMapped: false });
  const line = new LineLoop(geometry, material);
  line.frustumCulled = false;
  return line;
}
