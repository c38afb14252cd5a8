import assert from "node:assert/strict";
import { test } from "node:test";
import { assertAccessible } from "../harness/axe.js";
import { eventually } from "../harness/browser.js";
import { setStage } from "../harness/stage.js";
import { giveFiles, textFile } from "../harness/transfer.js";

const matte = (albedo) => ({ type: "lambertian", albedo });
const ball = (id, x, more = {}) => ({
  id,
  type: "sphere",
  properties: { center: [x, 0, 0], radius: 0.8, material: matte([0.7, 0.1, 0.1]) },
  ...more,
});
const SCENE = {
  version: 1,
  shapes: [ball("left", -2), ball("middle", 0), ball("right", 2, { group: "pair" }), ball("far", 4, { group: "pair" })],
  groups: [{ id: "pair", parent: null }],
  lights: [{ id: "key", type: "point_spot_light", properties: { center: [2, 5, 4], emission: [60, 60, 60] } }],
  environment: { type: "uniform", emission: [0.4, 0.4, 0.4] },
  camera: { center: [0, 0, 6], look_at: [0, 0, 0] },
};

const stage = setStage();

test("a right click on the traced picture is about what is under it, whatever was selected", async () => {
  const { studio, page } = await opened();
  await page.locator('.view[data-raster="ready"]').waitFor();
  await studio.pictureWhere("with the ball", ({ samples, middle }) => samples >= 1 && middle[0] > middle[2] + 25);
  await page.locator('.view[data-mode="traced"][data-covered="false"]').waitFor();
  await row(page, "left").click();
  const { x, y, width, height } = await studio.canvas.boundingBox();
  await page.mouse.click(x + width / 2, y + height / 2, { button: "right" });
  await page.getByTestId("context-menu").waitFor();
  await page.getByRole("treeitem", { name: "middle", selected: true }).waitFor();
  studio.assertNoProblems();
});

test("what is selected is isolated by the menu or a key, with the light on it", async () => {
  const { studio, page, scene } = await opened();
  await row(page, "middle").click();
  await page.keyboard.press("Shift+h");
  await page.getByTestId("hidden-note").filter({ hasText: "3 hidden on this page only" }).waitFor();
  await studio.pictureWhere("the ball alone, lit", ({ samples, middle }) => samples >= 1 && middle[0] > middle[2] + 25);
  assert.equal(await page.getByRole("treeitem", { name: "key, hidden here" }).count(), 0, "the light stays");
  await page.keyboard.press("Alt+h");
  await page.getByTestId("hidden-note").waitFor({ state: "detached" });
  await page.locator('.view:not([data-raster="loading"])').waitFor();
  await page.getByTestId("view-switch-raster").check({ force: true });
  const { x, y, width, height } = await page.getByTestId("raster-frame").boundingBox();
  await page.mouse.click(x + width / 2, y + height / 2, { button: "right" });
  await page.getByRole("menuitem", { name: "Isolate selection" }).click();
  await page.getByTestId("hidden-note").filter({ hasText: "3 hidden on this page only" }).waitFor();
  assert.equal((await scene()).shapes.length, 4, "the scene has them still");
  studio.assertNoProblems();
});

test("the eye hides a thing on this page alone, and says so; Alt+H brings everything back", async () => {
  const { studio, page, scene } = await opened();
  const before = await studio.pictureWhere("with the ball", ({ samples, middle }) => samples >= 1 && middle[0] > middle[2] + 25);
  await row(page, "middle").hover();
  await row(page, "middle").getByTestId("outline-eye").click();
  await page.getByRole("treeitem", { name: "middle, hidden here" }).waitFor();
  await page.getByTestId("hidden-note").filter({ hasText: "1 hidden on this page only" }).waitFor();
  await studio.pictureWhere("without the ball", ({ middle }) => Math.abs(middle[0] - middle[2]) < 12);
  assert.equal((await scene()).shapes.length, 4, "the scene has it still");
  const other = await stage.browser.openStudio(page.url());
  await other.pictureWhere("with the ball, on another page", ({ samples, middle }) => samples >= 1 && middle[0] > middle[2] + 25);
  await other.page.close();
  await studio.screenshot("hidden-dark");
  await row(page, "middle").click();
  await page.keyboard.press("Alt+h");
  await page.getByTestId("hidden-note").waitFor({ state: "detached" });
  await studio.pictureWhere("with the ball again", ({ middle }) => Math.abs(middle[0] - before.middle[0]) < 25);
  studio.assertNoProblems();
});

test("several lines of what was done by hand are one, which unfolds", async () => {
  const studio = await stage.browser.openStudio(stage.server.url);
  const { page } = studio;
  const row = page.getByTestId("hand-work");
  await studio.sessionId();
  await studio.add("Box");
  await page.getByText("Edited by hand").first().waitFor();
  await page.keyboard.press("Control+z");
  await page.getByText("Undid:").waitFor();
  assert.equal(await row.count(), 0, "two lines tell more by themselves");
  await page.keyboard.press("Control+Shift+z");
  await row.waitFor();
  await studio.reads(row.locator("summary"), "Edited by hand: box");
  assert.equal(await page.getByText("Undid:").isVisible(), false);
  await row.locator("summary").click();
  await page.getByText("Undid:").waitFor();
  await page.getByText("Redid:").waitFor();
  await page.keyboard.press("Control+z");
  await studio.reads(row.locator("summary"), "Edited by hand: all undone");
  assert.ok(await page.getByText("Redid:").isVisible(), "it stays open");
  await assertAccessible(page, "folded lines of hand work");
  studio.assertNoProblems();
});

test("H hides a whole group and shows it again", async () => {
  const { studio, page } = await opened();
  await row(page, "pair").click();
  await page.keyboard.press("h");
  await page.getByTestId("hidden-note").filter({ hasText: "2 hidden" }).waitFor();
  await page.getByRole("treeitem", { name: "pair, hidden here" }).waitFor();
  await page.keyboard.press("h");
  await page.getByTestId("hidden-note").waitFor({ state: "detached" });
  studio.assertNoProblems();
});

test("things are grouped and freed by a key, each one step to undo; a listed group takes another name", async () => {
  const { studio, page, scene } = await opened();
  await row(page, "left").click();
  await row(page, "middle").click({ modifiers: ["Control"] });
  await page.keyboard.press("Control+g");
  await page.getByRole("treeitem", { name: "group", selected: true }).waitFor();
  await eventually("both in it", async () => (await groupsOf(scene)) === "left:group middle:group right:pair far:pair");
  await page.keyboard.press("F2");
  await page.keyboard.type("two");
  await page.keyboard.press("Enter");
  await eventually("the new name", async () => (await groupsOf(scene)) === "left:two middle:two right:pair far:pair");
  await page.getByRole("treeitem", { name: "two", selected: true }).waitFor();
  await page.keyboard.press("Control+Shift+g");
  await eventually("both free", async () => (await groupsOf(scene)) === "left: middle: right:pair far:pair");
  await selectedAre(page, ["left", "middle"]);
  await page.keyboard.press("Control+z");
  await eventually("the group again", async () => (await groupsOf(scene)).startsWith("left:two"));
  studio.assertNoProblems();
});

test("several things get one value in one step; where they differ the field says so", async () => {
  const { studio, page, scene } = await opened();
  await page.getByTestId("outliner").press("*");
  await row(page, "left").click();
  await row(page, "middle").click({ modifiers: ["Control"] });
  await row(page, "right").click({ modifiers: ["Control"] });
  const radius = page.getByRole("textbox", { name: "Radius", exact: true });
  assert.equal(await radius.inputValue(), "0.8");
  await radius.fill("0.5");
  await radius.press("Enter");
  const radii = async () => (await scene()).shapes.map((shape) => shape.properties.radius).join(" ");
  await eventually("three smaller ones", async () => (await radii()) === "0.5 0.5 0.5 0.8");
  await row(page, "far").click({ modifiers: ["Control"] });
  await eventually("a field that says so", async () => (await radius.getAttribute("placeholder")) === "several");
  assert.equal(await radius.inputValue(), "");
  await studio.screenshot("many-selected-dark");
  await page.getByTestId("outliner").focus();
  await page.keyboard.press("Control+z");
  await eventually("all back at once", async () => (await radii()) === "0.8 0.8 0.8 0.8");
  studio.assertNoProblems();
});

test("a ready-made material is chosen by how it looks, for one thing or a whole group", async () => {
  const { studio, page, scene } = await opened();
  await row(page, "pair").click();
  await page.getByTestId("presets").click();
  const dialog = page.getByRole("dialog", { name: "Materials" });
  await dialog.getByRole("button", { name: "gold", exact: true }).waitFor();
  await studio.screenshot("presets-dark");
  await dialog.getByRole("searchbox").fill("oak");
  await dialog.getByRole("button", { name: "oak" }).first().click();
  await dialog.waitFor({ state: "detached" });
  await eventually("both of oak", async () => {
    const { shapes } = await scene();
    return shapes.filter(({ properties }) => String(properties.material).includes("oak")).length === 2;
  });
  await row(page, "left").click();
  await page.getByTestId("presets").click();
  await dialog.getByRole("searchbox").fill("gold");
  await dialog.getByRole("button", { name: "gold", exact: true }).click();
  await eventually("gold", async () => (await scene()).shapes[0].properties.material === "gold");
  studio.assertNoProblems();
});

test("Enter chooses the first of the presets that are found; another kind begins with what the preset is made of", async () => {
  const { studio, page, scene } = await opened();
  const material = async () => (await scene()).shapes[0].properties.material;
  await row(page, "left").click();
  await page.getByTestId("presets").click();
  const dialog = page.getByRole("dialog", { name: "Materials" });
  await dialog.getByRole("button", { name: "gold", exact: true }).waitFor();
  await dialog.getByRole("searchbox").fill("oak");
  await dialog.locator(".preset-first").filter({ hasText: "oak" }).waitFor();
  await dialog.getByRole("searchbox").press("Enter");
  await dialog.waitFor({ state: "detached" });
  await eventually("oak", async () => (await material()) === "oak");
  await page.getByRole("combobox", { name: "Kind" }).selectOption("Principled");
  await eventually("what oak is made of", async () => (await material()).base_color?.type === "wood");
  assert.equal((await material()).specular_roughness, 0.5);
  const weight = page.getByRole("textbox", { name: "Base weight", exact: true });
  await weight.fill("50%");
  await weight.press("Enter");
  await eventually("oak, but darker", async () => (await material()).base_weight === 0.5);
  assert.equal((await material()).base_color.type, "wood");
  studio.assertNoProblems();
});

test("a slider shows where it leads while it moves, and is one edit when it is let go", async () => {
  const { studio, page, scene } = await opened();
  await row(page, "Camera").click();
  const slider = page.getByRole("slider", { name: "View angle slider" });
  const { x, y, width, height } = await slider.boundingBox();
  await page.mouse.move(x + 0.35 * width, y + height / 2);
  await page.mouse.down();
  for (let share = 0.35; share <= 0.7; share += 0.05) await page.mouse.move(x + share * width, y + height / 2);
  const field = page.getByRole("textbox", { name: "View angle", exact: true });
  await eventually("the field to follow", async () => Number(await field.inputValue()) > 70);
  assert.equal((await scene()).camera.vfov, 45, "nothing is sent yet");
  await page.mouse.up();
  const shown = Number(await field.inputValue());
  await eventually("the edit", async () => (await scene()).camera.vfov === shown);
  await page.getByTestId("undo").click();
  await eventually("it taken back in one step", async () => (await scene()).camera.vfov === 45);
  studio.assertNoProblems();
});

test("Ctrl+A outside of fields selects all objects, and a copy of a wide thing stays in the picture", async () => {
  const { page, studio, scene } = await opened();
  await page.getByTestId("panes").focus();
  await page.keyboard.press("Control+a");
  const all = await page.getByRole("treeitem").evaluateAll((rows) => rows.map((each) => each.getAttribute("aria-label")));
  await selectedAre(page, all.filter((name) => !/^(Camera|Environment)/.test(name)));
  assert.equal(await page.evaluate(() => String(getSelection())), "", "no text is");
  const { camera } = await scene();
  const count = (await scene()).shapes.length;
  await page.keyboard.press("Control+d");
  await eventually("copies", async () => (await scene()).shapes.length === 2 * count);
  assert.deepEqual((await scene()).camera, camera);
  studio.assertNoProblems();
});

async function opened() {
  const studio = await stage.browser.openStudio(stage.server.url);
  const { page } = studio;
  await giveFiles(page, "drop", [textFile("scene.json", JSON.stringify(SCENE))]);
  await row(page, "middle").waitFor();
  const session = await studio.sessionId();
  const scene = async () => (await fetch(`${stage.server.url}/api/sessions/${session}/scene`)).json();
  return { studio, page, scene };
}

const row = (page, name) => page.getByRole("treeitem", { name: new RegExp(`^${name}(,|$)`) });

async function groupsOf(scene) {
  return (await scene()).shapes.map(({ id, group }) => `${id}:${group ?? ""}`).join(" ");
}

async function selectedAre(page, names) {
  await eventually(`${names} to be selected`, async () => {
    const rows = await page.getByRole("treeitem", { selected: true }).allInnerTexts();
    return rows.join() === names.join();
  });
}
