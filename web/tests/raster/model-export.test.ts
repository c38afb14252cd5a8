import { BoxGeometry, Matrix4, SphereGeometry } from "three";
import { PLYLoader } from "three/addons/loaders/PLYLoader.js";
import { describe, expect, test, vi } from "vitest";
import { surfaceOf } from "../../src/kinds/surfaces";
import { PRESETS } from "../../src/raster/materials/presets";
import { type ExportedPart, exportModel } from "../../src/raster/objects/model-export";

const model = (
  id: string,
  geometry: ExportedPart["geometry"],
  x: number,
  material: unknown,
): ExportedPart => ({
  id,
  geometry,
  matrix: new Matrix4().makeTranslation(x, 0, 0),
  surface: surfaceOf(material, PRESETS),
});
const MODELS = [
  model("red ball", new SphereGeometry(1, 8, 4), 0, { type: "lambertian", albedo: [1, 0, 0] }),
  model("lamp", new BoxGeometry(1, 1, 1), 5, { type: "emissive", emission: [8, 4, 0] }),
];

// three.js calls back with the next frame, too.
vi.stubGlobal("requestAnimationFrame", () => 0);

describe("what is drawn, as a file", () => {
  test("PLY is one mesh where everything stands, in its colours", async () => {
    const file = await exportModel(MODELS, "ply");
    const mesh = new PLYLoader().parse(await file.arrayBuffer());
    const corners = MODELS.reduce((sum, { geometry }) => sum + geometry.getAttribute("position").count, 0);
    expect(mesh.getAttribute("position").count).toBe(corners);
    mesh.computeBoundingBox();
    expect(mesh.boundingBox?.min.x).toBeCloseTo(-1, 2);
    expect(mesh.boundingBox?.max.x).toBeCloseTo(5.5, 5);
    const colour = mesh.getAttribute("color");
    expect([colour.getX(0), colour.getY(0), colour.getZ(0)]).toEqual([1, 0, 0]);
    expect(colour.getX(corners - 1)).toBeCloseTo(1, 5);
  });

  test("USDZ names its objects and keeps their materials", async () => {
    const file = await exportModel(MODELS, "usdz");
    const text = new TextDecoder("latin1").decode(await file.arrayBuffer());
    expect(text.slice(0, 2)).toBe("PK");
    // Nothing in such an archive is packed.
    expect(text).toContain("red_ball");
    expect(text).toMatch(/emissiveColor = \(1, 0\.5, 0\)/);
  });

  test.each(["ply", "usdz"] as const)("nothing cannot be written as %s", async (format) => {
    await expect(exportModel([], format)).rejects.toThrow("nothing in the scene");
  });
});
