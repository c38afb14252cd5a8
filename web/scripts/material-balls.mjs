/**
 * Renders a ball of each preset of a material, all on one picture, and notes which is where. Run by
 * `make material-balls` after presets have changed; its results are kept in the repository.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [binary] = process.argv.slice(2);
const root = new URL("../../", import.meta.url);
const presets = JSON.parse(readFileSync(new URL("crates/scene/src/document/material/presets.json", root)));

const COLUMNS = 10;
const TILE_PX = 64;
const SAMPLES = 128;

// Whatever shines has rows of its own, one row apart from what it would shine on.
const dark = Object.entries(presets).flatMap(([kind, all]) => (kind === "light" ? [] : Object.keys(all)));
const shining = Object.keys(presets.light ?? {});
const rowsOfDark = Math.ceil(dark.length / COLUMNS);
const rows = rowsOfDark + 1 + Math.ceil(shining.length / COLUMNS);
const tiles = Object.fromEntries([
  ...dark.map((name, index) => [name, index]),
  ...shining.map((name, index) => [name, (rowsOfDark + 1) * COLUMNS + index]),
]);

const matte = (value) => ({ type: "lambertian", albedo: [value, value, value] });
const quad = (id, corner, u, v, albedo) => ({
  id,
  type: "quad",
  properties: { corner, u, v, material: matte(albedo) },
});
const shapes = Object.entries(tiles).flatMap(([name, tile]) => {
  const [x, y] = [tile % COLUMNS, -Math.floor(tile / COLUMNS)];
  return [
    { id: `ball_${name}`, type: "sphere", properties: { center: [x, y, 0], radius: 0.42, material: name } },
    // A light half and a dark half behind it: what is clear shows them upside down.
    quad(`above_${name}`, [x - 0.5, y - 0.06, -0.8], [1, 0, 0], [0, 0.56, 0], 0.42),
    quad(`below_${name}`, [x - 0.5, y - 0.5, -0.8], [1, 0, 0], [0, 0.44, 0], 0.1),
  ];
});
const middle = [(COLUMNS - 1) / 2, -(rows - 1) / 2];
const DISTANCE = 60;
const scene = {
  version: 1,
  shapes,
  lights: [
    {
      id: "key",
      type: "area_quad_light",
      properties: { corner: [-22, 12, 34], u: [16, 0, 0], v: [0, 12, -9], emission: [13, 13, 13] },
    },
    {
      id: "rim",
      type: "area_quad_light",
      properties: { corner: [26, -6, 16], u: [0, 0, -12], v: [0, 14, 0], emission: [3, 3, 3] },
    },
  ],
  environment: { type: "gradient", top_color: [0.5, 0.5, 0.55], bottom_color: [0.12, 0.12, 0.12] },
  camera: {
    center: [...middle, DISTANCE],
    look_at: [...middle, 0],
    vfov: (2 * Math.atan(rows / 2 / DISTANCE) * 180) / Math.PI,
  },
};

const directory = mkdtempSync(join(tmpdir(), "material-balls-"));
const file = join(directory, "balls.json");
writeFileSync(file, JSON.stringify(scene));
const picture = new URL("web/src/presets/balls.jpg", root).pathname;
const size = ["--width", COLUMNS * TILE_PX, "--height", rows * TILE_PX].map(String);
const quality = ["--samples", String(SAMPLES), "--denoise", "builtin", "--tone-map", "neutral"];
execFileSync(binary, ["render", file, "-o", picture, ...size, ...quality], { stdio: "inherit" });
rmSync(directory, { recursive: true });
const notes = { columns: COLUMNS, rows, tile_px: TILE_PX, tiles };
writeFileSync(new URL("web/src/presets/balls.json", root), `${JSON.stringify(notes, null, 2)}\n`);
