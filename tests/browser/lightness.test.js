import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { eventually } from "./harness/browser.js";
import { pixelsOf } from "./harness/pixels.js";
import { setStage } from "./harness/stage.js";
import { putScene } from "./measure/scene.js";

/** Of 255, as the screen has it: less than one sees when one picture takes the place of the other. */
const MAX_DIFFERENCE = 8;
/** By daylight, in a box lit by a lamp in its ceiling, by cones of light at night, and among dark colors. */
const SCENES = ["snowman", "cornell-box", "night-spots", "still-life"];

const stage = setStage();
const exampleScene = (name) => JSON.parse(readFileSync(new URL(`../../scenes/${name}.json`, import.meta.url), "utf8"));

test("the raster view is as light as the traced picture, so that switching does not jump", async () => {
  const studio = await stage.browser.openStudio(stage.server.url);
  const { page } = studio;
  const session = await studio.sessionId();
  if ((await page.getByRole("button", { name: "Hide the grid" }).count()) > 0) await studio.command("Hide the grid");
  for (const name of SCENES) {
    const found = await compared(studio, session, exampleScene(name));
    console.log(`${name}: traced ${found.traced.toFixed(1)}, raster ${found.raster.toFixed(1)}`);
    assert.ok(Math.abs(found.raster - found.traced) < MAX_DIFFERENCE, `${name}: ${JSON.stringify(found)}`);
  }
  studio.assertNoProblems();
});

test("flat colors are the same in both, from dark to bright, also with an exposure", async () => {
  const studio = await stage.browser.openStudio(stage.server.url);
  const session = await studio.sessionId();
  for (const [radiance, exposure] of [
    [0.02, 0],
    [0.18, 0],
    [1.5, 0],
    [0.18, 1.5],
  ]) {
    const found = await compared(studio, session, {
      version: 1,
      shapes: [],
      environment: { type: "uniform", emission: [radiance, radiance, radiance] },
      camera: { center: [0, 2, 9], look_at: [0, 0, 0], vfov: 40, exposure },
    });
    const step = Math.abs(found.raster - found.traced);
    assert.ok(step <= 2, `radiance ${radiance}, ${exposure} stops: ${JSON.stringify(found)}`);
  }
  studio.assertNoProblems();
});

/** How light both views of a scene are on average, 0..255. */
async function compared(studio, session, scene) {
  const { page } = studio;
  const before = (await studio.picture())?.revision ?? -1;
  await putScene(stage.server, session, scene);
  await page.getByTestId("view-switch-traced").check({ force: true });
  await studio.pictureWhere("of the scene", ({ revision, samples }) => revision > before && samples >= 4);
  const traced = await lightness(studio.canvas);
  await page.getByTestId("view-switch-raster").check({ force: true });
  const canvas = page.getByTestId("raster-canvas");
  // Finer and finer until nothing changes any more.
  let last = await lightness(canvas);
  const raster = await eventually("the raster view to be finished", async () => {
    const now = await lightness(canvas);
    const isSame = now === last && now > 0;
    last = now;
    return isSame ? now : null;
  });
  return { traced, raster };
}

async function lightness(element) {
  const { bytes } = await pixelsOf(element);
  let sum = 0;
  for (let at = 0; at < bytes.length; at += 4)
    sum += 0.2126 * bytes[at] + 0.7152 * bytes[at + 1] + 0.0722 * bytes[at + 2];
  return (4 * sum) / bytes.length;
}
