import { readFileSync } from "node:fs";
import { test } from "node:test";
import { eventually } from "../harness/browser.js";
import { pixelsOf } from "../harness/pixels.js";
import { setStage } from "../harness/stage.js";
import { putScene } from "../measure/scene.js";

/** Of 255, as the screen has it: less than one sees when one picture takes the place of the other. */
const MAX_DIFFERENCE = 8;
/** By daylight, in a box lit by a lamp in its ceiling, by cones of light at night, and among dark colors. */
const SCENES = ["snowman", "cornell-box", "night-spots", "still-life"];

const stage = setStage();
const exampleScene = (name) => JSON.parse(readFileSync(new URL(`../../../scenes/${name}.json`, import.meta.url), "utf8"));

test("the raster view is as light as the traced picture, so that switching does not jump", async () => {
  const studio = await stage.browser.openStudio(stage.server.url);
  const { page } = studio;
  const session = await studio.sessionId();
  await page.getByTestId("grid").click();
  for (const name of SCENES) await assertAsLight(studio, session, exampleScene(name), MAX_DIFFERENCE, name);
  studio.assertNoProblems();
});

test("flat colors are the same in both, from dark to bright, also with an exposure", async () => {
  const studio = await stage.browser.openStudio(stage.server.url);
  const session = await studio.sessionId();
  await studio.page.getByTestId("grid").click();
  for (const [radiance, exposure] of [
    [0.02, 0],
    [0.18, 0],
    [1.5, 0],
    [0.18, 1.5],
  ]) {
    const scene = {
      version: 1,
      shapes: [],
      environment: { type: "uniform", emission: [radiance, radiance, radiance] },
      camera: { center: [0, 2, 9], look_at: [0, 0, 0], vfov: 40, exposure },
    };
    await assertAsLight(studio, session, scene, 2, `radiance ${radiance}, ${exposure} stops`);
  }
  studio.assertNoProblems();
});

/** Fails unless both views of a scene are as light on average, up to `limit` of 255. */
async function assertAsLight(studio, session, scene, limit, name) {
  const { page } = studio;
  const before = (await studio.picture())?.revision ?? -1;
  await putScene(stage.server, session, scene);
  await page.getByTestId("view-switch-traced").check({ force: true });
  await studio.pictureWhere("of the scene", ({ revision, samples }) => revision > before && samples >= 4);
  const traced = await lightness(studio.canvas);
  await page.getByTestId("view-switch-raster").check({ force: true });
  // It is drawn without shadows first where the processor draws.
  await eventually(`${name}: a raster view as light as the traced ${traced.toFixed(1)}`, async () => {
    const raster = await lightness(page.getByTestId("raster-canvas"));
    return Math.abs(raster - traced) <= limit;
  });
}

async function lightness(element) {
  const { bytes } = await pixelsOf(element);
  let sum = 0;
  for (let at = 0; at < bytes.length; at += 4)
    sum += 0.2126 * bytes[at] + 0.7152 * bytes[at + 1] + 0.0722 * bytes[at + 2];
  return (4 * sum) / bytes.length;
}
