import assert from "node:assert/strict";
import { test } from "node:test";
import { assertAccessible } from "../harness/axe.js";
import { eventually, tint } from "../harness/browser.js";
import { colorOf, download } from "../harness/files.js";
import { assertFits } from "../harness/fits.js";
import { setStage } from "../harness/stage.js";
import { giveFiles, textFile } from "../harness/transfer.js";

/** From the front one sees red, from behind blue. */
const wall = (id, z, albedo) => ({
  id,
  type: "box",
  properties: { center: [0, 0, z], dimensions: [40, 40, 0.2], material: { type: "lambertian", albedo } },
});
const SCENE = {
  version: 1,
  shapes: [wall("red", 0.5, [0.8, 0.05, 0.05]), wall("blue", -0.5, [0.05, 0.05, 0.8])],
  environment: { type: "uniform", emission: [0.8, 0.8, 0.8] },
  camera: { center: [0, 0, 6], look_at: [0, 0, 0] },
};
const [RED, , BLUE] = [0, 1, 2];

const stage = setStage();

test("the first download is a picture, and formats of 3D programs stand under a heading", async () => {
  const { studio, page } = await opened();
  await page.getByTestId("download").click();
  const menu = page.getByRole("menu", { name: "Download" });
  const all = (await menu.getByRole("menuitem").allInnerTexts()).map((text) => text.split("\n")[0]);
  const first = all.filter((text) => text !== "Save picture").slice(0, 3);
  assert.deepEqual(first, ["Render picture…", "Web page", "Scene"]);
  const models = menu.getByRole("group", { name: "For other 3D programs" }).getByRole("menuitem");
  assert.equal(await menu.getByRole("menuitem", { name: "GLB" }).count(), 1);
  assert.equal(await models.filter({ hasText: /GLB|glTF|OBJ|PBRT|USDZ|PLY/ }).count(), 6);
  assert.equal(await models.count(), 6);
  await assertAccessible(page, "the download menu");
  await studio.screenshot("download-menu-dark");
  studio.assertNoProblems();
});

test("what is shown is saved as it is, without rendering it again", async () => {
  const { studio, page } = await opened();
  await mode(page, "traced");
  const { width, height } = await studio.pictureWhere("traced", ({ samples }) => samples >= 4);
  let renders = 0;
  page.on("request", (request) => {
    if (/\/render(\?|$)/.test(request.url())) renders += 1;
  });
  await eventually("the raster gone", () => page.locator('.view[data-covered="false"]').count());
  const saved = await download(page, () => choose(page, "Save picture"));
  assert.equal(saved.name, "scene.jpg");
  const seen = await colorOf(page, saved.content, "image/jpeg");
  assert.deepEqual([seen.width, seen.height], [width, height]);
  assert.ok(tint(seen.middle, RED) > 40, `it is red: ${seen.middle}`);
  assert.equal(renders, 0);
  studio.assertNoProblems();
});

test("the raster view is saved as it is, without grid and handles", async () => {
  const { studio, page } = await opened();
  await mode(page, "raster");
  await page.getByRole("treeitem", { name: "red" }).click();
  await eventually("the view drawn", () => page.getByTestId("raster-canvas").evaluate((canvas) => canvas.width > 100));
  const saved = await download(page, () => choose(page, "Save picture"));
  assert.equal(saved.name, "scene.png");
  const seen = await colorOf(page, saved.content, "image/png");
  const { width, height } = await page.getByTestId("raster-canvas").boundingBox();
  assert.ok(Math.abs(seen.width / seen.height - width / height) < 0.01, "the shape of the view");
  assert.ok(tint(seen.middle, RED) > 40, `red, where the handles stand on the page: ${seen.middle}`);
  studio.assertNoProblems();
});

test("an image is rendered at the chosen size and format, of what one looks at, and can be compared", async () => {
  const { studio, page } = await opened();
  await page.getByTestId("panes").focus();
  await page.keyboard.press("2");
  await page.getByTestId("private-camera").waitFor();
  await choose(page, "Render picture…");
  const dialog = page.getByTestId("render-dialog");
  await dialog.getByRole("spinbutton", { name: "Width" }).fill("200");
  assert.equal(await dialog.getByRole("spinbutton", { name: "Height" }).inputValue(), "150", "the aspect is locked");
  await dialog.getByRole("spinbutton", { name: "Samples" }).fill("4");
  const denoiser = dialog.getByRole("checkbox", { name: "Denoise" });
  assert.equal(await denoiser.isChecked(), true, "as the picture on the page");
  await dialog.getByTestId("render-noise").filter({ hasText: /% noise/ }).waitFor();
  await assertAccessible(page, "the render dialog");
  await studio.screenshot("render-dialog-dark");
  const fromBehind = await download(page, () => dialog.getByTestId("render-start").click());
  assert.equal(fromBehind.name, "scene-200x150.png");
  const seen = await colorOf(page, fromBehind.content, "image/png");
  assert.deepEqual([seen.width, seen.height], [200, 150]);
  assert.ok(tint(seen.middle, BLUE) > 40, `what is on screen, from behind, is blue: ${seen.middle}`);
  await dialog.getByTestId("render-result").getByText("Saved as scene-200x150.png").waitFor();
  await studio.screenshot("render-result-dark");

  await dialog.getByRole("combobox", { name: "Until" }).selectOption("Time");
  await dialog.getByRole("spinbutton", { name: "Time" }).fill("1");
  await denoiser.uncheck();
  await dialog.getByRole("combobox", { name: "Camera" }).selectOption("Scene camera, all objects");
  await dialog.getByRole("combobox", { name: "Format" }).selectOption("WebP, lossless");
  const ofTheScene = await download(page, () => dialog.getByTestId("render-start").click());
  assert.ok(tint((await colorOf(page, ofTheScene.content, "image/webp")).middle, RED) > 40, "the scene's camera sees red");
  await dialog.getByTestId("render-result").getByText("Saved as scene-200x150.webp").waitFor();
  // Both are still there: an earlier one is looked at and saved again.
  const history = dialog.getByRole("list", { name: "Renders of this session" });
  assert.equal(await history.getByRole("button").count(), 2);
  await history.getByRole("button", { name: "scene-200x150.png" }).click();
  await dialog.getByRole("img", { name: "The render scene-200x150.png" }).waitFor();
  await assertAccessible(page, "the renders of a session");
  const again = await download(page, () => dialog.getByRole("button", { name: "Save again" }).click());
  assert.deepEqual(again.content, fromBehind.content, "as it was, without rendering it again");
  await studio.screenshot("render-history-dark");
  // The blue one, which is shown, beside the red one.
  await dialog.getByLabel("Compare with").selectOption("scene-200x150.webp");
  await dialog.getByRole("button", { name: "Compare" }).click();
  await page.locator('.view[data-mode="wipe"]').waitFor();
  await dialog.waitFor({ state: "detached" });
  await eventually("blue left of the divider", async () => tint(await colorAt(page, 0.25), BLUE) > 40);
  await eventually("red right of it", async () => tint(await colorAt(page, 0.75), RED) > 40);
  await studio.screenshot("render-compare-dark");
  await choose(page, "Render picture…");
  assert.equal(await denoiser.isChecked(), false, "as it was chosen last");
  studio.assertNoProblems();
});

test("renders are there after a reload; of what cannot be compared it is said why", async () => {
  const { studio, page } = await opened();
  await choose(page, "Render picture…");
  const dialog = page.getByTestId("render-dialog");
  const render = async (width, height, format) => {
    await dialog.getByRole("combobox", { name: "Format" }).selectOption(format);
    const lock = dialog.getByRole("checkbox", { name: /aspect/i });
    if (await lock.isChecked()) await lock.uncheck();
    await dialog.getByRole("spinbutton", { name: "Width" }).fill(String(width));
    await dialog.getByRole("spinbutton", { name: "Height" }).fill(String(height));
    await dialog.getByRole("spinbutton", { name: "Samples" }).fill("4");
    return download(page, () => dialog.getByTestId("render-start").click());
  };
  const wide = await render(200, 100, "PNG");
  await render(120, 120, "PNG");
  await render(80, 80, "EXR, linear HDR");
  await dialog.getByText("Browsers cannot show EXR").waitFor();

  await page.reload();
  await studio.connected();
  await choose(page, "Render picture…");
  const history = dialog.getByRole("list", { name: "Renders of this session" });
  await eventually("all three", async () => (await history.getByRole("button").count()) === 3);
  await history.getByRole("button", { name: "scene-200x100.png" }).click();
  const again = await download(page, () => dialog.getByRole("button", { name: "Save again" }).click());
  assert.deepEqual(again, wide);
  assert.deepEqual(
    await dialog.getByLabel("Compare with").locator("option").allTextContents(),
    ["The live picture", "scene-120x120.png"],
  );
  await dialog.getByLabel("Compare with").selectOption("scene-120x120.png");
  await dialog.getByRole("button", { name: "Compare" }).click();
  const note = page.getByTestId("compare-note");
  await note.filter({ hasText: "scene-200x100.png (200 × 100) and scene-120x120.png (120 × 120)" }).waitFor();
  await studio.screenshot("render-compare-shapes-dark");
  await page.getByTestId("compare-left").selectOption("scene-120x120.png");
  await note.waitFor({ state: "detached" });
  const exr = page.getByTestId("compare-right").getByRole("option", { name: /exr \(browsers cannot show EXR\)/ });
  assert.equal(await exr.isDisabled(), true);
  studio.assertNoProblems();
});

test("an image is rendered from a bookmark", async () => {
  const { studio, page } = await opened();
  await page.getByTestId("panes").focus();
  await page.keyboard.press("2");
  await page.getByTestId("private-camera").waitFor();
  await page.getByTestId("camera-menu").click();
  await page.getByTestId("bookmark-add").click();
  await page.getByTestId("look-camera").click();
  await page.getByTestId("private-camera").waitFor({ state: "detached" });
  await choose(page, "Render picture…");
  const dialog = page.getByTestId("render-dialog");
  const camera = dialog.getByRole("combobox", { name: "Camera" });
  await camera.waitFor();
  assert.deepEqual(await camera.locator("option").allTextContents(), ["Scene camera", "Bookmark: View 1"]);
  await camera.selectOption("Bookmark: View 1");
  await dialog.getByRole("spinbutton", { name: "Width" }).fill("80");
  await dialog.getByRole("spinbutton", { name: "Samples" }).fill("4");
  const saved = await download(page, () => dialog.getByTestId("render-start").click());
  assert.ok(tint((await colorOf(page, saved.content, "image/png")).middle, BLUE) > 40, "blue from behind");
  studio.assertNoProblems();
});

test("what this page hides is not in its image, and is in that of the scene", async () => {
  const { studio, page } = await opened();
  await page.getByRole("treeitem", { name: "red" }).click();
  await page.keyboard.press("h");
  await page.getByTestId("hidden-note").waitFor();
  await choose(page, "Render picture…");
  const dialog = page.getByTestId("render-dialog");
  await dialog.getByRole("spinbutton", { name: "Width" }).fill("80");
  await dialog.getByRole("spinbutton", { name: "Samples" }).fill("4");
  const seen = await download(page, () => dialog.getByTestId("render-start").click());
  assert.ok(tint((await colorOf(page, seen.content, "image/png")).middle, BLUE) > 40, "the blue wall behind it");
  studio.assertNoProblems();
});

test("a long render tells how long it takes, goes on behind the page, and is cancelled at once", async () => {
  const { studio, page } = await opened();
  await choose(page, "Render picture…");
  const dialog = page.getByTestId("render-dialog");
  await dialog.getByRole("combobox", { name: "Size" }).selectOption("3840 × 2160, 4K");
  await dialog.getByRole("spinbutton", { name: "Samples" }).fill("2000");
  await dialog.getByRole("alert").filter({ hasText: "at most 517 samples" }).waitFor();
  assert.equal(await dialog.getByTestId("render-start").isDisabled(), true);
  await dialog.getByRole("spinbutton", { name: "Samples" }).fill("200");
  await dialog.getByTestId("render-start").click();
  await dialog.getByTestId("render-running").getByText(/Rendering… 0:0[1-9]/).waitFor();
  const draft = dialog.getByTestId("render-draft");
  await draft.waitFor();
  assert.ok(await draft.evaluate((image) => image.decode().then(() => image.naturalWidth > 0)), "what it will be like");
  await studio.screenshot("render-running-dark");
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await choose(page, "Rendering…");
  const samples = dialog.getByRole("spinbutton", { name: "Samples" });
  assert.equal(await samples.inputValue(), "200", "what was chosen is still there");
  await dialog.getByTestId("render-cancel").click();
  await dialog.getByTestId("render-start").waitFor();
  assert.equal(await page.getByTestId("toast").count(), 0, "a cancel is no error");
  assert.equal(await dialog.getByTestId("render-result").count(), 0);
  for (const [width, height] of [[1440, 900], [768, 1024], [390, 844]]) {
    await page.setViewportSize({ width, height });
    await assertFits(page, `the render dialog, ${width}`);
    await studio.screenshot(`render-dialog-${width}`);
  }
  studio.assertNoProblems();
});

test("a session that is left takes its render along, and says so", async () => {
  const { studio, page } = await opened();
  await choose(page, "Render picture…");
  const dialog = page.getByTestId("render-dialog");
  await dialog.getByRole("combobox", { name: "Size" }).selectOption("3840 × 2160, 4K");
  const [width, height] = ["Width", "Height"].map((name) => dialog.getByRole("spinbutton", { name }));
  await width.fill("");
  await width.pressSequentially("3000");
  assert.equal(await height.inputValue(), "1688", "16:9, however it was typed");
  await dialog.getByTestId("render-start").click();
  await dialog.getByTestId("render-running").waitFor();
  await page.keyboard.press("Escape");
  await studio.command("New scene");
  await page.getByTestId("toast").filter({ hasText: "The render of the session before was canceled." }).waitFor();
  assert.ok(
    await studio.composer.evaluate((element) => element === document.activeElement),
    "the next thing typed is a message",
  );
  studio.assertNoProblems();
});

test("a paused render says that it is out of date, and goes on when asked", async () => {
  const { studio, page } = await opened();
  await mode(page, "split");
  await studio.pictureWhere("traced", ({ samples, middle }) => samples >= 1 && tint(middle, RED) > 40);
  await page.getByTestId("pause").click();
  await page.getByRole("button", { name: "Resume rendering" }).waitFor();
  const note = page.getByTestId("paused-note");
  assert.equal(await note.count(), 0, "nothing has changed yet");
  await page.getByRole("treeitem", { name: "red" }).click();
  await page.keyboard.press("Delete");
  await note.filter({ hasText: "The render does not show the latest changes" }).waitFor();
  await studio.screenshot("paused-split-dark");
  await mode(page, "traced");
  await note.filter({ hasText: "This is the raster view" }).waitFor();
  await studio.screenshot("paused-traced-dark");
  await page.getByTestId("download").click();
  assert.equal(await page.getByRole("menuitem", { name: "Save picture" }).count(), 0, "it is not what is meant");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Find a command" }).fill("image as shown");
  const command = page.getByRole("option", { name: /Download the image as shown/ });
  await command.and(page.locator('[aria-disabled="true"]')).getByText("the picture is of before").waitFor();
  await page.keyboard.press("Escape");
  await note.getByRole("button", { name: "Resume" }).click();
  await note.waitFor({ state: "detached" });
  await studio.pictureWhere("of the blue wall", ({ middle }) => tint(middle, BLUE) > 40);
  studio.assertNoProblems();
});

test("files are called by their session; what a format cannot hold is a note, not an error", async () => {
  const { studio, page } = await opened();
  await studio.say("Two walls, back to back");
  const request = await stage.gemini.nextRequest();
  request.say("Done.");
  request.end();
  await studio.idle();
  const names = [];
  for (const item of ["Scene as GLB", "Scene as glTF", "Scene as OBJ", "Scene"]) {
    names.push((await download(page, () => choose(page, item))).name);
  }
  assert.deepEqual(
    names,
    ["glb", "gltf.zip", "obj.zip", "json"].map((ending) => `Two-walls-back-to-back.${ending}`),
  );
  const note = page.getByTestId("toast").filter({ hasText: "Two-walls-back-to-back.glb was downloaded." });
  await note.waitFor();
  assert.match(await note.getAttribute("class"), /toast-note/);
  await studio.screenshot("export-note-dark");
  studio.assertNoProblems();
});

/** Looks down and to the side from above, as cameras in files of other programs do: its own up leans forward. */
function tiltedCamera() {
  const [yaw, pitch] = [0.6, -0.5].map((angle) => angle / 2);
  const [cy, sy, cp, sp] = [Math.cos(yaw), Math.sin(yaw), Math.cos(pitch), Math.sin(pitch)];
  return JSON.stringify({
    asset: { version: "2.0" },
    scene: 0,
    scenes: [{ nodes: [0, 1] }],
    nodes: [
      { camera: 0, translation: [3, 3.2, 4.4], rotation: [cy * sp, sy * cp, -sy * sp, cy * cp] },
      { name: "ball", mesh: 0 },
    ],
    cameras: [{ type: "perspective", perspective: { yfov: 0.8, znear: 0.01 } }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] }],
    accessors: [
      { bufferView: 0, componentType: 5126, count: 3, type: "VEC3", min: [-1, 0, 0], max: [1, 1, 0] },
      { bufferView: 1, componentType: 5123, count: 3, type: "SCALAR" },
    ],
    bufferViews: [
      { buffer: 0, byteOffset: 0, byteLength: 36 },
      { buffer: 0, byteOffset: 36, byteLength: 6 },
    ],
    buffers: [{ byteLength: 42, uri: `data:application/octet-stream;base64,${triangle()}` }],
  });
}

function triangle() {
  const bytes = Buffer.alloc(42);
  [-1, 0, 0, 1, 0, 0, 0, 1, 0].forEach((value, index) => bytes.writeFloatLE(value, 4 * index));
  [0, 1, 2].forEach((value, index) => bytes.writeUInt16LE(value, 36 + 2 * index));
  return bytes.toString("base64");
}

test("orbiting keeps the horizon level after a camera of another program came", async () => {
  const studio = await stage.browser.openStudio(stage.server.url);
  const { page } = studio;
  const session = await studio.sessionId();
  const scene = async () => (await fetch(`${stage.server.url}/api/sessions/${session}/scene`)).json();
  await giveFiles(page, "drop", [textFile("tilted.gltf", tiltedCamera())]);
  await eventually("its camera", async () => Math.abs((await scene()).camera.up?.[2] ?? 0) > 0.1);
  const notes = page.getByTestId("import-dialog");
  await notes.getByRole("button", { name: "Close" }).last().click();
  await notes.waitFor({ state: "detached" });
  await mode(page, "raster");
  const { x, y, width, height } = await page.getByTestId("raster-frame").boundingBox();
  await page.mouse.move(x + 0.2 * width, y + 0.2 * height);
  await page.mouse.down();
  await page.mouse.move(x + 0.8 * width, y + 0.3 * height, { steps: 8 });
  await page.mouse.up();
  await page.getByTestId("use-as-camera").click();
  await eventually("the camera turned", async () => (await scene()).camera.center[0] !== 3);
  const { center, look_at, up } = (await scene()).camera;
  const forward = look_at.map((value, axis) => value - center[axis]);
  // The picture's right, forward times up, is level.
  assert.ok(Math.abs(forward[2] * up[0] - forward[0] * up[2]) < 1e-6 * Math.hypot(...forward), `up is ${up}`);
  studio.assertNoProblems();
});

async function opened() {
  const studio = await stage.browser.openStudio(stage.server.url);
  const { page } = studio;
  await giveFiles(page, "drop", [textFile("scene.json", JSON.stringify(SCENE))]);
  await page.getByRole("treeitem", { name: "blue" }).waitFor();
  await studio.pictureWhere("of the scene", ({ revision }) => revision > 0);
  return { studio, page };
}

/** The color of the page in the middle of the picture's height, at a share of its width. */
async function colorAt(page, share) {
  const { x, y, width, height } = await page.getByTestId("raster-frame").boundingBox();
  const clip = { x: x + share * width, y: y + 0.3 * height, width: 4, height: 4 };
  return (await colorOf(page, await page.screenshot({ clip }), "image/png")).middle;
}

async function mode(page, name) {
  await page.locator('.view:not([data-raster="loading"])').waitFor();
  await page.getByTestId(`view-switch-${name}`).check({ force: true });
  await page.locator(`.view[data-mode="${name}"]`).waitFor();
}

async function choose(page, item) {
  await page.getByTestId("download").click();
  await page
    .getByRole("menuitem")
    .filter({ has: page.getByText(item, { exact: true }) })
    .click();
}
