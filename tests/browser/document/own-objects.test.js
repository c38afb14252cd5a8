import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { assertAccessible } from "../harness/axe.js";
import { eventually } from "../harness/browser.js";
import { setStage } from "../harness/stage.js";
import { giveFiles, textFile } from "../harness/transfer.js";

const matte = (albedo) => ({ type: "lambertian", albedo });
const part = (id, type, properties, albedo) => ({
  id,
  type,
  group: "lamp",
  properties: { ...properties, material: matte(albedo) },
});
/** A lamp on a floor, from the front. */
const SCENE = {
  version: 1,
  shapes: [
    { id: "floor", type: "box", properties: { center: [0, -0.05, 0], dimensions: [10, 0.1, 10] } },
    part("lamp_foot", "box", { center: [0, 0.05, 0], dimensions: [0.4, 0.1, 0.4] }, [0.2, 0.1, 0.05]),
    part(
      "lamp_pole",
      "cylinder",
      { base_center: [0, 0.1, 0], top_center: [0, 0.9, 0], radius: 0.03, capped: true },
      [0.2, 0.1, 0.05],
    ),
    part(
      "lamp_shade",
      "cone",
      { base_center: [0, 0.8, 0], base_radius: 0.3, top_center: [0, 1.1, 0], top_radius: 0.15, capped: true },
      [0.8, 0.5, 0.2],
    ),
  ],
  groups: [{ id: "lamp", parent: null }],
  lights: [
    { id: "key", type: "point_spot_light", properties: { center: [2, 5, 4], emission: [60, 60, 60] } },
  ],
  environment: { type: "uniform", emission: [0.4, 0.4, 0.4] },
  camera: { center: [0, 1.6, 3.4], look_at: [0, 0.5, 0] },
};
const SIZES = { wide: { width: 1280, height: 800 }, narrow: { width: 390, height: 844 } };

const stage = setStage();

test("a selection is saved by the context menu, found in the library, added by a click and by the keyboard", async () => {
  const { studio, page, scene } = await opened();
  await page.getByRole("treeitem", { name: "lamp", exact: true }).click({ button: "right" });
  await page.getByRole("menuitem", { name: "Save selection as object…" }).click();
  const dialog = page.getByRole("dialog", { name: "Save as object" });
  const name = dialog.getByRole("textbox", { name: "Name" });
  assert.equal(await name.inputValue(), "lamp");
  await name.fill("armchair");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByText("is the name of a built-in object; choose another").waitFor();
  await name.fill("studio lamp");
  await dialog.getByRole("textbox", { name: "Other words" }).fill("my light, lamp of mine");
  await dialog.getByRole("combobox", { name: "Category" }).selectOption("lighting");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "detached" });

  // The library opens at one's own objects.
  const row = page.getByTestId("own-object").filter({ hasText: "studio lamp" });
  await row.waitFor();
  assert.ok(await page.getByRole("radio", { name: "my objects" }).isChecked());
  await row.locator('.library-picture[data-phase="loaded"]').waitFor();
  await studio.screenshot("own-objects-dark");
  await page.getByRole("button", { name: /^Add studio lamp lighting/ }).click();
  await page.getByRole("treeitem", { name: "studio_lamp", exact: true, selected: true }).waitFor();
  const added = (await scene()).shapes.filter(({ group }) => group === "studio_lamp");
  assert.deepEqual(
    added.map(({ id }) => id),
    ["studio_lamp_foot", "studio_lamp_pole", "studio_lamp_shade"],
  );
  await page.getByTestId("undo").click();
  await page.getByRole("treeitem", { name: "studio_lamp", exact: true }).waitFor({ state: "detached" });

  // Among all objects it is found by its other words, with a mark that it is one's own.
  await page.getByRole("radio", { name: "all" }).check({ force: true });
  const search = page.getByRole("searchbox", { name: "Search objects" });
  await search.fill("my light");
  const item = page.getByRole("option", { name: /studio lamp/ });
  await item.locator(".library-own").waitFor();
  await search.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.getByRole("treeitem", { name: "studio_lamp", exact: true, selected: true }).waitFor();
  studio.assertNoProblems(/409 \(Conflict\)/);
});

test("it is dragged into the view behind a ghost of itself", async () => {
  const { studio, page, scene } = await opened();
  await saved("ghost lamp", await studio.sessionId());
  await openOwn(page);
  const { left, top, width, height } = await page.getByTestId("raster-frame").evaluate((frame) => {
    return frame.getBoundingClientRect().toJSON();
  });
  await page.getByRole("button", { name: /^Add ghost lamp lighting/ }).hover();
  await page.mouse.down();
  await page.mouse.move(left + 0.75 * width, top + 0.8 * height, { steps: 6 });
  await page.locator(".library-dragged").waitFor({ state: "detached" });
  await studio.screenshot("own-objects-ghost-dark");
  await page.mouse.up();
  await page.getByRole("treeitem", { name: "ghost_lamp", exact: true, selected: true }).waitFor();
  const foot = (await scene()).shapes.find(({ id }) => id === "ghost_lamp_foot");
  assert.ok(foot.properties.center[0] > 0.3, `it stands at the right: ${foot.properties.center}`);
  assert.ok(
    Math.abs(foot.properties.center[1] - 0.05) < 0.01,
    `it stands on the floor: ${foot.properties.center}`,
  );
  studio.assertNoProblems();
});

test("it is renamed, exported, deleted by the keyboard, and imported again by a drop", async () => {
  const { studio, page } = await opened();
  await saved("old lamp", await studio.sessionId());
  await openOwn(page);
  await page.getByRole("button", { name: "Edit old lamp" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Edit old lamp" });
  await dialog.getByRole("textbox", { name: "Name" }).fill("new lamp");
  await dialog.getByRole("textbox", { name: "Name" }).press("Enter");
  await dialog.waitFor({ state: "detached" });
  await page.getByRole("button", { name: /^Add new lamp lighting/ }).waitFor();

  const started = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export new lamp" }).click();
  const download = await started;
  assert.equal(download.suggestedFilename(), "new-lamp.object.json");
  const content = readFileSync(await download.path(), "utf8");
  assert.equal(JSON.parse(content).name, "new lamp");

  await page.getByRole("button", { name: "Delete new lamp", exact: true }).press("Enter");
  const keep = page.getByRole("button", { name: "Keep", exact: true });
  await eventually("Keep to have the focus", () =>
    keep.evaluate((button) => button === document.activeElement),
  );
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Delete new lamp", exact: true }).press("Enter");
  await page.getByTestId("confirm-delete-object").press("Enter");
  // The row that asks goes when the object is gone.
  await page.getByTestId("confirm-delete-object").waitFor({ state: "detached" });
  const add = page.getByRole("button", { name: /^Add new lamp lighting/ });
  assert.equal(await add.count(), 0);

  // Under any name: what the file says counts.
  await giveFiles(page, "drop", [textFile("anything.json", content)]);
  await add.waitFor();
  await giveFiles(page, "drop", [textFile("new-lamp.object.json", content)]);
  await page.getByRole("button", { name: /^Add new lamp 2 lighting/ }).waitFor();
  await giveFiles(page, "drop", [textFile("bad.object.json", "{}")]);
  await page
    .getByTestId("toast")
    .filter({ hasText: "bad.object.json could not be imported: it is no exported object" })
    .waitFor();
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Import…" }).click();
  await (await chooser).setFiles([textFile("third.object.json", content)]);
  await page.getByRole("button", { name: /^Add new lamp 3 lighting/ }).waitFor();
  studio.assertNoProblems(/422 \(Unprocessable/);
});

test("the command palette and the menu of the document save, too", async () => {
  const { studio, page } = await opened();
  await page.getByRole("treeitem", { name: "lamp", exact: true }).click();
  await studio.command("save selection as object");
  const dialog = page.getByRole("dialog", { name: "Save as object" });
  await dialog.getByRole("textbox", { name: "Name" }).fill("lamp by command");
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await studio.add("Save selection as object…");
  await dialog.getByRole("textbox", { name: "Name" }).fill("lamp by menu");
  await dialog.getByRole("combobox", { name: "Front" }).selectOption("Facing +X");
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: /^Add lamp by menu / }).waitFor();
  studio.assertNoProblems();
});

for (const theme of ["dark", "light"]) {
  for (const [size, viewport] of Object.entries(SIZES)) {
    test(`axe finds nothing wrong with one's own objects: ${size}, ${theme}`, async () => {
      const { studio, page } = await opened();
      await saved(
        `lamp ${size} ${theme}`,
        await studio.sessionId(),
        "with a name that is rather long for so narrow a list",
      );
      const shown = await page.evaluate(() => document.documentElement.dataset.theme);
      if (shown !== theme) await page.getByTestId("theme").click();
      await page.setViewportSize(viewport);
      await openOwn(page);
      await page.locator('.own-object .library-picture[data-phase="loaded"]').first().waitFor();
      await studio.screenshot(`own-objects-list-${size}-${theme}`);
      await assertAccessible(page, `one's own objects, ${size}, ${theme}`);
      await page
        .getByTestId("own-object")
        .first()
        .getByRole("button", { name: /^Edit/ })
        .click();
      await page.getByTestId("object-dialog").waitFor();
      await studio.screenshot(`own-objects-form-${size}-${theme}`);
      await assertAccessible(page, `the form of an object, ${size}, ${theme}`);
      await page.keyboard.press("Escape");
      await page
        .getByTestId("own-object")
        .first()
        .getByRole("button", { name: /^Delete/ })
        .click();
      await assertAccessible(page, `an object about to be deleted, ${size}, ${theme}`);
      studio.assertNoProblems();
    });
  }
}

/** Saves the lamp of a session without the page. */
async function saved(name, session, note = "") {
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ session, ids: ["lamp"], name, category: "lighting", note });
  const answer = await fetch(`${stage.server.url}/api/objects`, { method: "POST", headers, body });
  assert.equal(answer.status, 201, await answer.text());
}

async function opened() {
  const studio = await stage.browser.openStudio(stage.server.url);
  const { page } = studio;
  const session = await studio.sessionId();
  const url = `${stage.server.url}/api/sessions/${session}/scene`;
  const headers = { "content-type": "application/json" };
  const put = await fetch(url, { method: "PUT", headers, body: JSON.stringify(SCENE) });
  assert.equal(put.status, 200, await put.text());
  await page.getByRole("treeitem", { name: "floor" }).waitFor();
  await page.locator('.view[data-raster="ready"]').waitFor();
  return { studio, page, scene: async () => (await fetch(url)).json() };
}

/** Opens the library at one's own objects. */
async function openOwn(page) {
  await page.getByTestId("toggle-library").click();
  await page.getByRole("radio", { name: "my objects" }).check({ force: true });
  await page.getByTestId("own-object").first().waitFor();
}
