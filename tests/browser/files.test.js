import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { eventually } from "./harness/browser.js";
import { setStage } from "./harness/stage.js";
import { giveFiles, textFile } from "./harness/transfer.js";

const SCENE = JSON.stringify({
  version: 1,
  shapes: [{ id: "dropped", type: "sphere", properties: { center: [0, 0, 0], radius: 1 } }],
});
/** A tetrahedron, far from where anyone looks, and large. */
const MESH = `v 1000 0 0\nv 1300 0 0\nv 1000 300 0\nv 1000 0 300\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n`;

const stage = setStage();

test("a scene to begin with is one press away, and can be undone", async () => {
  const studio = await stage.browser.openStudio(stage.server.url);
  const { page } = studio;
  await studio.screenshot("starters-dark");
  await page.getByRole("button", { name: "Snowman", exact: true }).click();
  await page.getByRole("treeitem", { name: "carrot", exact: false }).first().waitFor();
  await page.getByTestId("undo").click();
  await eventually("the empty scene", async () => (await page.getByTestId("outline-row").count()) === 2);
  studio.assertNoProblems();
});

test("a scene file that is dropped becomes the scene; one that is none is refused in words", async () => {
  const studio = await stage.browser.openStudio(stage.server.url);
  const { page } = studio;
  await giveFiles(page, "drop", [textFile("mine.json", SCENE)]);
  await page.getByRole("treeitem", { name: "dropped" }).waitFor();
  await giveFiles(page, "drop", [textFile("bad.json", '{"version":1,"shapes":[{"id":"x"}]}')]);
  const fault = page.getByTestId("fault").filter({ hasText: "bad.json could not be opened" });
  await fault.waitFor();
  assert.match(await fault.innerText(), /'x'/, "it names what is wrong");
  await page.getByRole("treeitem", { name: "dropped" }).waitFor();
  studio.assertNoProblems(/Failed to load resource/);
});

test("a mesh that is dropped stands in the middle of the picture, selected", async () => {
  const studio = await stage.browser.openStudio(stage.server.url);
  const { page } = studio;
  await studio.pictureWhere("of the empty scene", ({ samples }) => samples >= 1);
  await giveFiles(page, "drop", [textFile("Far away.obj", MESH)]);
  await page.getByRole("treeitem", { name: "far_away", selected: true }).waitFor();
  const { shapes } = await sceneOf(studio);
  assert.equal(shapes[0].type, "mesh");
  const picked = await eventually("the mesh under the middle", async () => {
    await page.getByRole("treeitem", { name: "Camera" }).click();
    const { x, y, width, height } = await studio.canvas.boundingBox();
    await page.mouse.click(x + 0.45 * width, y + 0.55 * height);
    return eventually("an answer", async () => {
      const names = await page.getByRole("treeitem", { selected: true }).allInnerTexts();
      return names.includes("Camera") ? null : { names };
    });
  });
  assert.deepEqual(picked.names, ["far_away"]);
  await studio.screenshot("dropped-mesh-dark");
  studio.assertNoProblems();
});

test("what cannot be opened is told with what can; a mesh that lies is refused", async () => {
  const studio = await stage.browser.openStudio(stage.server.url);
  const { page } = studio;
  await giveFiles(page, "drop", [textFile("notes.txt", "hello", "text/plain")]);
  await page.getByTestId("fault").filter({ hasText: "notes.txt cannot be opened here" }).waitFor();
  await giveFiles(page, "drop", [textFile("broken.ply", "not a mesh")]);
  await page.getByTestId("fault").filter({ hasText: "broken.ply could not be added" }).waitFor();
  assert.equal((await sceneOf(studio)).shapes.length, 0);
  studio.assertNoProblems(/Failed to load resource/);
});

test("the picture is kept as EXR, with all of its light", async () => {
  const studio = await stage.browser.openStudio(stage.server.url);
  const { page } = studio;
  await studio.sessionId();
  await page.getByTestId("download").click();
  const started = page.waitForEvent("download", { timeout: 120_000 });
  await page.getByRole("menuitem", { name: "Picture with its light" }).click();
  const download = await started;
  assert.equal(download.suggestedFilename(), "scene.exr");
  const magic = readFileSync(await download.path()).subarray(0, 4);
  assert.deepEqual([...magic], [0x76, 0x2f, 0x31, 0x01]);
  studio.assertNoProblems();
});

test("the list of sessions shows what each looks like", async () => {
  const studio = await stage.browser.openStudio(stage.server.url);
  const { page } = studio;
  await giveFiles(page, "drop", [textFile("mine.json", SCENE)]);
  await page.getByRole("treeitem", { name: "dropped" }).waitFor();
  await studio.say("Look at this");
  const request = await stage.gemini.nextRequest();
  request.say("I see.");
  request.end();
  await studio.idle();
  await page.getByTestId("sessions").click();
  const row = page.getByTestId("session-row").filter({ hasText: "Look at this" });
  const picture = row.locator("img");
  await eventually("its picture", () => picture.evaluate((image) => image.complete && image.naturalWidth === 192));
  await studio.screenshot("sessions-pictures-dark");
  studio.assertNoProblems();
});

async function sceneOf(studio) {
  const response = await fetch(`${stage.server.url}/api/sessions/${await studio.sessionId()}/scene`);
  return response.json();
}
