import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { assertAccessible } from "../harness/axe.js";
import { eventually } from "../harness/browser.js";
import { setStage } from "../harness/stage.js";
import { giveFiles, textFile } from "../harness/transfer.js";

const SCENE = JSON.stringify({
  version: 1,
  shapes: [{ id: "dropped", type: "sphere", properties: { center: [0, 0, 0], radius: 1 } }],
});
/** A tetrahedron, far from where anyone looks, and large. */
const MESH = `v 1000 0 0\nv 1300 0 0\nv 1000 300 0\nv 1000 0 300\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n`;
/** Two objects. */
const CHAIR = `v -1 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 2\no lid\nf 1 2 3\no base\nf 1 2 4\n`;
/** What this program has no shape for stands beside a ball. */
const FOREIGN = `WorldBegin\nShape "sphere" "float radius" 0.5\nShape "curve"\n`;

const stage = setStage();

test("a scene file that is dropped becomes the scene; one that is none is refused in words", async () => {
  const studio = await stage.browser.openStudio(stage.server.url);
  const { page } = studio;
  await giveFiles(page, "drop", [textFile("mine.json", SCENE)]);
  await page.getByRole("treeitem", { name: "dropped" }).waitFor();
  await giveFiles(page, "drop", [textFile("bad.json", '{"version":1,"shapes":[{"id":"x"}]}')]);
  const fault = page.getByTestId("toast").filter({ hasText: "bad.json could not be opened" });
  await fault.waitFor();
  assert.match(await fault.innerText(), /'x'/, "it names what is wrong");
  await page.getByRole("treeitem", { name: "dropped" }).waitFor();
  studio.assertNoProblems(/Failed to load resource/);
});

test("a mesh that is dropped stands on the ground in the picture, selected", async () => {
  const studio = await stage.browser.openStudio(stage.server.url);
  const { page } = studio;
  await studio.add("Point light");
  await page.getByTestId("outline-row").nth(2).waitFor();
  await giveFiles(page, "drop", [textFile("Far away.obj", MESH)]);
  const question = page.getByRole("dialog", { name: "Open Far away.obj" });
  await question.getByRole("button", { name: "Add as one mesh" }).click();
  await page.getByRole("treeitem", { name: "far_away", selected: true }).waitFor();
  // The page shows what it asked for before the server has saved it.
  const mesh = await eventually("the mesh on the server", async () => (await sceneOf(studio)).shapes[0]);
  assert.equal(mesh.type, "mesh");
  const picked = await eventually("the mesh under the middle", async () => {
    await page.getByRole("treeitem", { name: "Camera" }).click();
    const { x, y, width, height } = await studio.canvas.boundingBox();
    await page.mouse.click(x + 0.45 * width, y + 0.4 * height);
    return eventually("an answer", async () => {
      const names = await page.getByRole("treeitem", { selected: true }).allInnerTexts();
      return names.includes("Camera") ? null : { names };
    });
  });
  assert.deepEqual(picked.names, ["far_away"]);
  await studio.screenshot("dropped-mesh-dark");
  studio.assertNoProblems();
});

test("the scene of another program is added as one group, or becomes the scene; each is one undo step", async () => {
  const studio = await stage.browser.openStudio(stage.server.url);
  const { page } = studio;
  await giveFiles(page, "drop", [textFile("mine.json", SCENE)]);
  await page.getByRole("treeitem", { name: "dropped" }).waitFor();
  const ids = async () => (await sceneOf(studio)).shapes.map(({ id }) => id).sort();

  await giveFiles(page, "drop", [textFile("chair.obj", CHAIR)]);
  const question = page.getByRole("dialog", { name: "Open chair.obj" });
  await question.waitFor();
  await assertAccessible(page, "the question what becomes of a file");
  await studio.screenshot("import-question-dark");
  await question.getByRole("button", { name: "Add to the scene" }).click();
  await page.getByRole("treeitem", { name: "chair", selected: true }).waitFor();
  await question.waitFor({ state: "detached" });
  assert.deepEqual(await ids(), ["base", "dropped", "lid"]);
  await page.getByTestId("undo").click();
  await eventually("the scene before", async () => (await ids()).join() === "dropped");

  await giveFiles(page, "drop", [textFile("chair.obj", CHAIR)]);
  await question.getByRole("button", { name: "Replace the scene" }).click();
  await eventually("the file's scene", async () => (await ids()).join() === "base,lid");
  await page.getByTestId("undo").click();
  await eventually("the scene before, again", async () => (await ids()).join() === "dropped");

  await giveFiles(page, "drop", [textFile("chair.obj", CHAIR)]);
  await question.waitFor();
  await page.keyboard.press("Escape");
  await question.waitFor({ state: "detached" });
  assert.deepEqual(await ids(), ["dropped"], "nothing came of it");
  studio.assertNoProblems();
});

test("what of a file was left out is told; an empty scene becomes the file without a question", async () => {
  const studio = await stage.browser.openStudio(stage.server.url);
  const { page } = studio;
  await studio.sessionId();
  await giveFiles(page, "drop", [textFile("room.pbrt", FOREIGN)]);
  const told = page.getByRole("dialog", { name: "room.pbrt was opened" });
  await told.getByText("curve").waitFor();
  await studio.screenshot("import-notes-dark");
  await told.getByRole("button", { name: "Close" }).last().click();
  await told.waitFor({ state: "detached" });
  assert.deepEqual((await sceneOf(studio)).shapes.map(({ type }) => type), ["sphere"]);
  studio.assertNoProblems();
});

test("the scene is kept as a file of other programs, and what that cannot hold is told", async () => {
  const studio = await stage.browser.openStudio(stage.server.url);
  const { page } = studio;
  const checked = JSON.parse(SCENE);
  checked.shapes[0].properties.material = { type: "lambertian", albedo: { type: "checker" } };
  await giveFiles(page, "drop", [textFile("mine.json", JSON.stringify(checked))]);
  await page.getByRole("treeitem", { name: "dropped" }).waitFor();
  const kept = [
    ["GLB", ".glb", "glTF"],
    ["glTF", ".zip", "PK"],
    ["OBJ", ".zip", "PK"],
    ["PBRT", ".zip", "PK"],
    ["USDZ", ".usdz", "PK"],
    ["PLY", ".ply", "ply"],
  ];
  for (const [name, ending, start] of kept) {
    await page.getByTestId("download").click();
    const started = page.waitForEvent("download");
    await page.getByRole("menuitem", { name: `Scene as ${name}` }).click();
    const download = await started;
    assert.ok(download.suggestedFilename().endsWith(ending), download.suggestedFilename());
    const content = readFileSync(await download.path());
    assert.ok(content.toString("latin1").startsWith(start), `${name} starts as such files do`);
  }
  await page.getByTestId("toast").filter({ hasText: "surroundings" }).first().waitFor();
  await studio.screenshot("exported-dark");
  studio.assertNoProblems();
});

test("what cannot be opened is told with what can; a mesh that lies is refused", async () => {
  const studio = await stage.browser.openStudio(stage.server.url);
  const { page } = studio;
  await giveFiles(page, "drop", [textFile("notes.txt", "hello", "text/plain")]);
  await page.getByTestId("toast").filter({ hasText: "notes.txt is not supported" }).waitFor();
  await giveFiles(page, "drop", [textFile("broken.ply", "not a mesh")]);
  await page.getByTestId("toast").filter({ hasText: "broken.ply could not be added" }).waitFor();
  assert.equal((await sceneOf(studio)).shapes.length, 0);
  studio.assertNoProblems(/Failed to load resource/);
});

test("the picture is kept as EXR, with all of its light", async () => {
  const studio = await stage.browser.openStudio(stage.server.url);
  const { page } = studio;
  await studio.sessionId();
  await page.getByTestId("download").click();
  await page.getByRole("menuitem", { name: "Render picture…" }).click();
  const dialog = page.getByTestId("render-dialog");
  await dialog.getByRole("spinbutton", { name: "Width" }).fill("200");
  await dialog.getByRole("spinbutton", { name: "Samples" }).fill("4");
  await dialog.getByRole("combobox", { name: "Format" }).selectOption("EXR, linear HDR");
  await dialog.getByRole("checkbox", { name: "Layers" }).check();
  const started = page.waitForEvent("download", { timeout: 120_000 });
  await dialog.getByTestId("render-start").click();
  const download = await started;
  assert.equal(download.suggestedFilename(), "scene-200x150.exr");
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
