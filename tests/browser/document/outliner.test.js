import assert from "node:assert/strict";
import { test } from "node:test";
import { assertAccessible } from "../harness/axe.js";
import { eventually } from "../harness/browser.js";
import { assertFits } from "../harness/fits.js";
import { setStage } from "../harness/stage.js";
import { giveFiles, textFile } from "../harness/transfer.js";

const box = (id, center, more = {}, dimensions = [1, 1, 1]) => ({
  id,
  type: "box",
  properties: { center, dimensions, material: { type: "lambertian", albedo: [0.7, 0.1, 0.1] } },
  ...more,
});
const SCENE = {
  version: 1,
  shapes: [
    box("a", [0, 2, 0]),
    box("table", [3, 1, 0], {}, [2, 2, 2]),
    box("seat", [-3, 1, 0], { group: "chair" }),
    box("leg", [-3, 0, 0], { group: "chair" }),
  ],
  groups: [
    { id: "chair", parent: "room" },
    { id: "room", parent: null },
  ],
  environment: { type: "uniform", emission: [0.6, 0.6, 0.6] },
  camera: { center: [0, 2, 14], look_at: [0, 2, 0], vfov: 45 },
};

const stage = setStage();

test("groups are folded at first; arrow keys and selecting what is inside open them", async () => {
  const { page, studio } = await opened();
  assert.equal(await row(page, "chair").count(), 0);
  await row(page, "room").click();
  await page.keyboard.press("ArrowRight");
  await row(page, "chair").waitFor();
  assert.equal(await row(page, "seat").count(), 0);
  await page.keyboard.press("ArrowLeft");
  await row(page, "chair").waitFor({ state: "detached" });
  await showRaster(page);
  await page.keyboard.press("Escape");
  const seat = await at(page, -3.35, 1.35);
  await page.mouse.click(seat.x, seat.y);
  await selected(page, "room");
  await page.mouse.click(seat.x, seat.y);
  await selected(page, "chair");
  await page.mouse.click(seat.x, seat.y);
  await selected(page, "seat");
  studio.assertNoProblems();
});

test("rows are dragged into groups, out of them, and several at once; each is one undo step", async () => {
  const { page, studio, scene } = await opened();
  const groupOf = async (id) => (await scene()).shapes.find((shape) => shape.id === id).group ?? null;
  const parentOf = async (id) => (await scene()).groups.find((group) => group.id === id).parent;
  await row(page, "a").click();
  await row(page, "table").click({ modifiers: ["Control"] });
  await row(page, "a").dragTo(row(page, "room"));
  await eventually(
    "both in the room",
    async () => (await groupOf("a")) === "room" && (await groupOf("table")) === "room",
  );
  await page.keyboard.press("Control+z");
  await eventually(
    "both back by one undo",
    async () => (await groupOf("a")) === null && (await groupOf("table")) === null,
  );

  await row(page, "room").click();
  await page.keyboard.press("ArrowRight");
  await row(page, "chair").dragTo(row(page, "a"));
  await eventually("the chair beside a, in no group", async () => (await parentOf("chair")) === null);
  assert.equal(await groupOf("seat"), "chair", "with what is in it");
  await row(page, "chair").click();
  await page.keyboard.press("ArrowRight");
  await row(page, "leg").dragTo(row(page, "Environment"));
  await eventually("the leg on its own", async () => (await groupOf("leg")) === null);

  await row(page, "chair").dragTo(row(page, "seat"));
  await row(page, "a").dragTo(row(page, "chair"));
  await eventually("a in the chair", async () => (await groupOf("a")) === "chair");
  assert.equal(await parentOf("chair"), null, "a group does not go into itself");
  studio.assertNoProblems();
});

test("rows are put in order by dragging and by Alt and arrow keys", async () => {
  const { page, studio, scene } = await opened();
  const shapes = async () => (await scene()).shapes.map(({ id }) => id).join(" ");
  const listed = async (expected) =>
    eventually(`the rows ${expected}`, async () => {
      const names = await page.getByRole("treeitem").evaluateAll((rows) => rows.map((each) => each.getAttribute("aria-label")));
      return names.filter((name) => !/Camera|Environment/.test(name)).join(" ") === expected;
    });
  await listed("a table room");
  await row(page, "a").dragTo(row(page, "table"), { targetPosition: { x: 60, y: 20 } });
  await listed("table a room");
  await eventually("the order in the scene", async () => (await shapes()) === "table a seat leg");
  await page.keyboard.press("Control+z");
  await listed("a table room");

  await row(page, "a").click();
  await page.keyboard.press("Alt+ArrowDown");
  await listed("table a room");
  await page.keyboard.press("Alt+ArrowUp");
  await listed("a table room");
  assert.equal(await row(page, "a").getAttribute("aria-selected"), "true");

  await row(page, "room").click();
  await page.keyboard.press("*");
  await listed("a table room chair seat leg");
  await row(page, "table").dragTo(row(page, "leg"), { targetPosition: { x: 60, y: 3 } });
  await listed("a room chair seat table leg");
  await eventually("it is in the group as well", async () => {
    const { shapes } = await scene();
    return shapes.find(({ id }) => id === "table").group === "chair";
  });
  await page.keyboard.press("Control+z");
  await listed("a table room chair seat leg");
  studio.assertNoProblems();
});

test("what is locked is neither picked nor moved in the picture, but can be unlocked in the list", async () => {
  const { page, studio, scene } = await opened();
  await showRaster(page);
  await row(page, "a").hover();
  await row(page, "a").getByTestId("outline-lock").click();
  await page.getByRole("treeitem", { name: "a, locked here" }).waitFor();
  const onA = await at(page, 0, 2);
  await page.mouse.click(onA.x, onA.y);
  await page.mouse.click(onA.x, onA.y, { button: "right" });
  await page.getByTestId("context-menu").waitFor();
  await page.keyboard.press("Escape");
  assert.equal(await page.getByRole("treeitem", { selected: true }).count(), 0, "nothing is picked");

  await row(page, "a").click();
  await page.mouse.move(onA.x, onA.y);
  await page.mouse.down();
  await page.mouse.move(onA.x + 60, onA.y, { steps: 5 });
  await page.mouse.up();
  await page.getByTestId("private-camera").waitFor();
  assert.deepEqual((await scene()).shapes[0].properties.center, [0, 2, 0], "a drag orbits");
  await page.keyboard.press("0");
  await studio.command("Lock or unlock selection");
  await page.keyboard.press("Escape");
  await page.mouse.click(onA.x, onA.y);
  await selected(page, "a");
  await assertAccessible(page, "locked objects");
  studio.assertNoProblems();
});

test("with snapping to surfaces a box that is moved sideways stands on what is below it", async () => {
  const { page, studio, scene } = await opened();
  await showRaster(page);
  const centerOf = async () => (await scene()).shapes[0].properties.center;
  await row(page, "a").click();
  await page.getByTestId("snap-surfaces").click();
  const from = await at(page, 0.7, 2);
  const to = await at(page, 3.6, 2);
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 8 });
  await page.mouse.up();
  const moved = await eventually("it moved", async () => ((await centerOf())[0] > 2 ? centerOf() : null));
  assert.ok(Math.abs(moved[1] - 2.5) < 1e-3, `on the table: ${moved}`);
  await page.keyboard.press("Control+z");
  await eventually("one undo", async () => (await centerOf())[0] === 0);
  studio.assertNoProblems();
});

test("a distance is measured by two clicks; a double click looks at what is under it", async () => {
  const { page, studio } = await opened();
  await showRaster(page);
  await page.getByTestId("raster-frame").hover();
  await page.keyboard.press("m");
  const note = page.getByTestId("measure");
  await note.waitFor();
  for (const [x, y] of [
    [-0.4, 2],
    [0.4, 2],
  ]) {
    const point = await at(page, x, y, 0.5);
    await page.mouse.click(point.x, point.y);
  }
  const text = await eventually(
    "a distance",
    async () => /^(7\d|8\d)\.\d cm/.exec(await note.innerText())?.[0],
  );
  assert.ok(Math.abs(Number.parseFloat(text) - 80) < 3, text);
  assert.equal(await page.getByRole("treeitem", { selected: true }).count(), 0, "nothing is picked");
  for (const [width, theme] of [
    [1440, "dark"],
    [1024, "light"],
    [768, "light"],
    [390, "dark"],
  ]) {
    await page.setViewportSize({ width, height: 844 });
    await page.evaluate((name) => {
      document.documentElement.dataset.theme = name;
    }, theme);
    await assertFits(page, `measuring, ${width}`);
    await studio.screenshot(`measure-${width}-${theme}`);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.keyboard.press("Escape");
  await note.waitFor({ state: "detached" });
  const onA = await at(page, 0, 2);
  await page.mouse.dblclick(onA.x, onA.y);
  await page.getByTestId("private-camera").waitFor();
  await selected(page, "a");
  studio.assertNoProblems();
});

test("a double click on an object looks at it in the traced picture, too, which is shown at first", async () => {
  const { studio, page } = await opened();
  await page.locator('.view[data-mode="traced"]').waitFor();
  await studio.pictureWhere("of the scene", ({ revision, samples }) => revision > 0 && samples >= 1);
  const onA = await at(page, 0, 2);
  await page.mouse.dblclick(onA.x, onA.y);
  await page.getByTestId("private-camera").waitFor();
  await selected(page, "a");
  await studio.pictureWhere("of what was looked at", ({ samples }) => samples >= 1);
  await studio.screenshot("double-click-traced");
  studio.assertNoProblems();
});

async function opened() {
  const studio = await stage.browser.openStudio(stage.server.url);
  const { page } = studio;
  await giveFiles(page, "drop", [textFile("scene.json", JSON.stringify(SCENE))]);
  await row(page, "a").waitFor();
  const session = await studio.sessionId();
  const scene = async () => (await fetch(`${stage.server.url}/api/sessions/${session}/scene`)).json();
  return { studio, page, scene };
}

async function showRaster(page) {
  await page.locator('.view:not([data-raster="loading"])').waitFor();
  await page.getByTestId("view-switch-raster").check({ force: true });
}

/** Where the scene's camera, 14 m away with a view angle of 45 degrees, shows a point at a depth `z`. */
async function at(page, x, y, z = 0.5) {
  const frame = await page.getByTestId("raster-frame").boundingBox();
  const perMeter = frame.height / (2 * (14 - z) * Math.tan((VFOV / 2) * (Math.PI / 180)));
  return { x: frame.x + frame.width / 2 + x * perMeter, y: frame.y + frame.height / 2 - (y - 2) * perMeter };
}

const VFOV = 45;
const row = (page, name) => page.getByRole("treeitem", { name: new RegExp(`^${name}(,|$)`) });
const selected = (page, name) =>
  page.getByRole("treeitem", { name: new RegExp(`^${name}(,|$)`), selected: true }).waitFor();
