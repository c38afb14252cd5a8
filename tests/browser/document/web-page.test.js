import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { assertAccessible } from "../harness/axe.js";
import { eventually, screenshot, tint } from "../harness/browser.js";
import { download, pictureFile } from "../harness/files.js";
import { pixelsOf } from "../harness/pixels.js";
import { setStage } from "../harness/stage.js";
import { giveFiles, textFile } from "../harness/transfer.js";

const HOSTILE = '</script><script>window.intruder=1</script><img src=x onerror="window.intruder=1">';

const material = (albedo) => ({ type: "lambertian", albedo });
/** A red ball before a picture; behind the camera, seen from the bookmark alone, green letters, which the server tessellates. */
const sceneWith = (asset) => ({
  version: 1,
  shapes: [
    { id: "ball", type: "sphere", properties: { center: [0, 0, 0], radius: 1.5, material: material([0.8, 0.02, 0.02]) } },
    {
      id: "letters",
      type: "text",
      properties: { text: HOSTILE, base_center: [0, 0, 30], size: 0.3, depth: 0.2, material: material([0.5, 0.5, 0.5]) },
    },
    {
      id: "vase",
      type: "lathe",
      properties: {
        base_center: [0, -2, 20],
        profile: [[2, 0], [2, 4]],
        rotation: [0, 0, 0],
        material: material([0.02, 0.6, 0.02]),
      },
    },
    {
      id: "poster",
      type: "quad",
      properties: { corner: [-6, -4, -3], u: [12, 0, 0], v: [0, 8, 0], material: material({ type: "image", asset }) },
    },
  ],
  environment: { type: "uniform", emission: [0.8, 0.8, 0.8] },
  camera: { center: [0, 0, 8], look_at: [0, 0, 0] },
  animation: {
    duration: 2,
    fps: 24,
    loops: true,
    tracks: [{ target: "ball", property: "center", keys: [{ time: 0, value: [0, 0, 0] }, { time: 2, value: [0, 3, 0] }] }],
  },
});

const stage = setStage();
const folder = mkdtempSync(join(tmpdir(), "scene-llm-web-page-"));
after(() => rmSync(folder, { recursive: true, force: true }));

test("a scene as one web page opens from the disk alone: its picture, then the scene to turn, bookmarks, animation", async () => {
  const studio = await stage.browser.openStudio(stage.server.url);
  const { page } = studio;
  const session = await studio.sessionId();
  await giveFiles(page, "drop", [textFile("scene.json", JSON.stringify(sceneWith(await uploaded(page, session))))]);
  await page.getByRole("treeitem", { name: "ball" }).waitFor();
  await page.getByTestId("session-name").click();
  const field = page.getByRole("textbox", { name: "Name of the session" });
  await field.fill(HOSTILE);
  await field.press("Enter");
  await page.getByTestId("camera-menu").click();
  await page.getByTestId("bookmark-add").click();
  await page.getByRole("textbox", { name: "New name of View 1" }).fill("<b>Far & wide</b>");
  await page.keyboard.press("Enter");
  await page.getByTestId("bookmark").filter({ hasText: "Far & wide" }).waitFor();
  await page.keyboard.press("Escape");
  const { name, content } = await download(page, async () => {
    await page.getByTestId("download").click();
    await page.getByRole("menuitem", { name: /^Web page/ }).click();
  });
  assert.match(name, /\.html$/);
  await page.getByTestId("toast").filter({ hasText: "A double click opens it" }).waitFor();
  studio.assertNoProblems();

  const { saved, problems, requests } = await openedFile(content);
  assert.equal(await saved.title(), HOSTILE);
  assert.equal(await saved.getByRole("heading").innerText(), HOSTILE);
  assert.match(await saved.locator("#picture").getAttribute("alt"), /a 3D scene with ball, letters, vase and poster/);
  const scene = saved.locator("#stage");
  const colorAt = async (x, y) => (await pixelsOf(scene)).at(x, y);
  const red = (color) => tint(color, 0) > 100;
  assert.ok(red(await colorAt(0.5, 0.5)), "the traced picture is there at once");
  await saved.getByRole("button", { name: "Picture" }).waitFor();
  await assertAccessible(saved, "a downloaded web page");
  await screenshot(saved, "web-page-picture-dark");

  // A drag turns it: the ball stays where one looks, the poster leaves.
  await saved.mouse.move(500, 400);
  await saved.mouse.down();
  await saved.mouse.move(650, 400, { steps: 8 });
  await saved.mouse.up();
  await saved.locator('#stage[data-shows="scene"]').waitFor();
  await eventually("the ball as the page draws it", async () => red(await colorAt(0.5, 0.5)));
  await screenshot(saved, "web-page-turned-dark");
  // By buttons and keys; far behind the camera stands the vase, whose triangles came along.
  await saved.getByRole("button", { name: "<b>Far & wide</b>" }).click();
  await eventually("the view of the bookmark", async () => red(await colorAt(0.5, 0.5)));
  await saved.keyboard.press("f");
  await eventually("all of it, the vase nearest", async () => tint(await colorAt(0.5, 0.5), 1) > 25);
  await screenshot(saved, "web-page-all-dark");
  // It plays: after some time the ball has left the middle.
  await saved.keyboard.press("1");
  await eventually("the ball again", async () => red(await colorAt(0.5, 0.5)));
  await saved.getByRole("button", { name: "Play" }).click();
  await eventually("the ball to have moved up", async () => !red(await colorAt(0.5, 0.56)));
  await saved.getByRole("button", { name: "Picture" }).click();
  await saved.locator('#stage[data-shows="picture"]').waitFor();
  assert.ok(red(await colorAt(0.5, 0.5)));
  assert.equal(await saved.evaluate(() => "intruder" in window), false);
  assert.deepEqual(requests.filter((url) => !/^(file|data|blob):/.test(url)), [], "nothing is loaded");
  assert.deepEqual(problems, []);

  await saved.setViewportSize({ width: 390, height: 844 });
  await saved.emulateMedia({ colorScheme: "light" });
  await screenshot(saved, "web-page-phone-light");
});

test("what is hidden is not in the file; what cannot be made is told, and a page that is given up is not saved", async () => {
  const studio = await stage.browser.openStudio(stage.server.url);
  const { page } = studio;
  await giveFiles(page, "drop", [textFile("scene.json", JSON.stringify(sceneWith("0".repeat(64))).replace(/,\{"id":"poster".*?\}\}\}\}/, ""))]);
  await page.getByRole("treeitem", { name: "ball" }).waitFor();
  await page.getByRole("treeitem", { name: "letters" }).click();
  await studio.command("Hide");
  const ask = async (item) => {
    await page.getByTestId("download").click();
    await page.getByRole("menuitem", { name: item }).click();
  };
  let answer;
  await page.route("**/viewer.js", (route) => {
    answer = route;
  });
  await ask(/^Web page/);
  await eventually("the script to be asked for", () => answer !== undefined);
  await ask(/^Cancel the web page/);
  await answer.fallback();
  await page.getByTestId("download").filter({ hasText: "Download" }).waitFor();
  assert.equal(await page.getByTestId("toast").filter({ hasText: "double click" }).count(), 0);

  answer = undefined;
  await ask(/^Web page/);
  await eventually("the script to be asked for again", () => answer !== undefined);
  await answer.fulfill({ status: 200, contentType: "text/html", body: "" });
  await page.getByTestId("toast").filter({ hasText: /web page could not be made: the page has no viewer\.js/ }).waitFor();

  await page.unroute("**/viewer.js");
  const { content } = await download(page, () => ask(/^Web page/));
  const contents = JSON.parse(/id="contents">(.*?)<\/script>/s.exec(content.toString())[1]);
  assert.deepEqual(contents.scene.shapes.map(({ id }) => id), ["ball", "vase"]);
  assert.deepEqual(contents.meshes.map(({ shape }) => shape), ["vase"]);
  studio.assertNoProblems();
});

/** A file as somebody opens it who has nothing else. */
async function openedFile(content) {
  const path = join(folder, "scene.html");
  writeFileSync(path, content);
  const saved = await stage.browser.openBlank();
  const problems = [];
  const requests = [];
  saved.on("console", (message) => {
    if (["error", "warning"].includes(message.type()) && !/GPU stall/.test(message.text())) problems.push(message.text());
  });
  saved.on("pageerror", (error) => problems.push(String(error)));
  saved.on("request", (request) => requests.push(request.url()));
  await saved.goto(pathToFileURL(path).href);
  return { saved, problems, requests };
}

async function uploaded(page, session) {
  const { name, buffer } = await pictureFile(page, "wall.png");
  const answer = await fetch(`${stage.server.url}/api/assets?session=${session}&name=${name}`, { method: "POST", body: buffer });
  return (await answer.json()).asset;
}
