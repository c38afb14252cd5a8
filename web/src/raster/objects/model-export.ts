import { BufferAttribute, type BufferGeometry, Color, Mesh, MeshStandardMaterial, Scene } from "three";
import { PLYExporter } from "three/addons/exporters/PLYExporter.js";
import { USDZExporter } from "three/addons/exporters/USDZExporter.js";
import type { Surface } from "../materials/surface";
import type { Part } from "./parts";

/** Files that the page makes of what it draws. */
export type ModelFormat = "ply" | "usdz";

/** A part of an object with its triangles. */
export interface ExportedPart extends Pick<Part, "matrix" | "surface"> {
  id: string;
  geometry: BufferGeometry;
}

/** What is drawn as a file: PLY as one mesh with colours at its corners, USDZ as objects with materials. In metres. */
export async function exportModel(models: readonly ExportedPart[], format: ModelFormat): Promise<Blob> {
  if (models.length === 0) throw new Error("There is nothing in the scene to write.");
  const scene = new Scene();
  const materials = new Map<string, MeshStandardMaterial>();
  for (const { id, geometry, matrix, surface } of models) {
    const shape = format === "ply" ? withColour(geometry, surface) : geometry;
    const mesh = new Mesh(shape, materialFor(surface, materials));
    mesh.name = id.replace(/\W/g, "_");
    matrix.decompose(mesh.position, mesh.quaternion, mesh.scale);
    mesh.matrix.copy(matrix);
    mesh.matrixAutoUpdate = false;
    scene.add(mesh);
  }
  scene.updateMatrixWorld(true);
  try {
    return format === "ply" ? exportPly(scene) : await exportUsdz(scene);
  } finally {
    for (const material of materials.values()) material.dispose();
  }
}

function exportPly(scene: Scene): Blob {
  const content = new PLYExporter().parse(scene, () => {}, { binary: true, littleEndian: true });
  return new Blob([content as ArrayBuffer], { type: "application/octet-stream" });
}

async function exportUsdz(scene: Scene): Promise<Blob> {
  const content = await new USDZExporter().parseAsync(scene);
  return new Blob([content as Uint8Array<ArrayBuffer>], { type: "model/vnd.usdz+zip" });
}

/** The same triangles with one colour at all corners; light that is stronger than white is white. */
function withColour(geometry: BufferGeometry, { colour }: Surface): BufferGeometry {
  const coloured = geometry.clone();
  const count = geometry.getAttribute("position").count;
  const channels = colour.map((channel) => Math.min(1, channel));
  const colours = new Float32Array(3 * count).map((_, at) => channels[at % 3] ?? 0);
  return coloured.setAttribute("color", new BufferAttribute(colours, 3));
}

/** Alike surfaces share one. */
function materialFor(
  { kind, colour, roughness, metalness }: Surface,
  known: Map<string, MeshStandardMaterial>,
): MeshStandardMaterial {
  const key = JSON.stringify([kind, colour, roughness, metalness]);
  const found = known.get(key);
  if (found !== undefined) return found;
  const strongest = Math.max(1, ...colour);
  const shown = new Color(...colour).multiplyScalar(1 / strongest);
  const material = new MeshStandardMaterial({
    color: kind === "emissive" ? 0x000000 : shown,
    emissive: kind === "emissive" ? shown : 0x000000,
    roughness: kind === "glass" ? 0.05 : roughness,
    metalness,
    opacity: kind === "glass" ? 0.25 : 1,
    transparent: kind === "glass",
  });
  known.set(key, material);
  return material;
}
