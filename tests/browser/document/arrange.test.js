import assert from "node:assert/strict";
import { test } from "node:test";
import { assertAccessible } from "../harness/axe.js";
import { eventually } from "../harness/browser.js";
import { assertFits } from "../harness/fits.js";
import { setStage } from "../harness/stage.js";
import { giveFiles, textFile } from "../harness/transfer.js";

const box = (id, center, more = {}) => ({
  id,
  type: "box",
  properties: { center, dimensions: [1, 1, 1], material: { type: "lambertian", albedo: [0.7, 0.1, 0.1] } },
  ...more,
});
const SCENE = {
  version: 1,
  shapes: [
    box("a", [0, 2, 0]),
    box("b", [1.5, 1, 0]),
    box("c", [4, 3, 1]),
    box("seat", [-2, 5, 0], { group: "chair" }),
    box("leg", [-2, 4, 0], { group: "chair" }),
  ],
  groups: [{ id: "chair", parent: null }],
  environment: { type: "uniform", emission: [0.4, 0.4, 0.4] },
  camera: { center: [0, 2, 14], look_at: [0, 2, 0] },
};

const stage = setStage();

test("fields take expressions: sums, brackets, percents and steps from the present value", async () => {
  const { page, studio, centers } = await opened();
  await row(page, "b").click();
  const x = field(page, "Center x");
  for (const [typed, is] of [
    ["1.5+0.25", 1.75],
    ["2*(3-1)", 4],
    ["50%", 2],
    ["+=0.5", 2.5],
    ["1 m + 30 cm", 1.3],
  ]) {
    await x.fill(typed);
    await x.press("Enter");
    await eventually(`${typed} to be ${is}`, async () => (await centers()).b[0] === is);
    assert.equal(await x.inputValue(), String(is));
  }
  await x.fill("2+");
  await x.press("Enter");
  await page.getByText("Enter a number, such as 1.5, 30 cm or 1+0.25.").waitFor();
  await x.press("Escape");
  studio.assertNoProblems();
});

test("several objects and groups are moved, turned and scaled as one by fields, each one undo step", async () => {
  const { page, studio, centers } = await opened();
  await row(page, "a").click();
  await row(page, "c").click({ modifiers: ["Control"] });
  const x = field(page, "Position x");
  assert.equal(await x.inputValue(), "2", "the middle of both");
  await x.fill("+=1");
  await x.press("Enter");
  await eventually("both one meter on", async () => same(await centers(), { a: [1, 2, 0], c: [5, 3, 1] }));
  await eventually("the new middle", async () => (await x.inputValue()) === "3");
  await page.getByTestId("undo").click();
  await eventually("both back", async () => same(await centers(), { a: [0, 2, 0], c: [4, 3, 1] }));

  await row(page, "chair").click();
  await field(page, "Rotate by z").fill("90");
  await field(page, "Rotate by z").press("Enter");
  await eventually("the chair on its side", async () => same(await centers(), { seat: [-2.5, 4.5, 0], leg: [-1.5, 4.5, 0] }));
  assert.equal(await field(page, "Rotate by z").inputValue(), "0", "the next turn counts from here");
  await field(page, "Scale by").fill("200%");
  await field(page, "Scale by").press("Enter");
  await eventually("twice as large", async () => same(await centers(), { seat: [-3, 4.5, 0], leg: [-1, 4.5, 0] }));
  await page.getByTestId("undo").click();
  await page.getByTestId("undo").click();
  await eventually("the chair as it was", async () => same(await centers(), { seat: [-2, 5, 0], leg: [-2, 4, 0] }));
  studio.assertNoProblems();
});

test("several objects turn and grow about the middle, the last selected, or the origin", async () => {
  const { page, studio, centers } = await opened();
  await row(page, "a").click();
  await row(page, "c").click({ modifiers: ["Control"] });
  const pivot = page.getByRole("combobox", { name: "Pivot" });
  const turned = async (axis, degrees, expected) => {
    await field(page, `Rotate by ${axis}`).fill(degrees);
    await field(page, `Rotate by ${axis}`).press("Enter");
    await eventually(`turned to ${JSON.stringify(expected)}`, async () => same(await centers(), expected));
    await page.getByTestId("undo").click();
    await eventually("both back", async () => same(await centers(), { a: [0, 2, 0], c: [4, 3, 1] }));
  };
  await turned("y", "180", { a: [4, 2, 1], c: [0, 3, 0] });
  await pivot.selectOption("Last selected");
  await turned("y", "180", { a: [8, 2, 2], c: [4, 3, 1] });
  await pivot.selectOption("World origin");
  await turned("z", "90", { a: [-2, 0, 0], c: [-3, 4, 1] });
  await eventually("their middle as where they are", async () => (await field(page, "Position x").inputValue()) === "2");
  await assertAccessible(page, "the pivot");
  studio.assertNoProblems();
});

test("a group that stands is scaled from where it stands, in all directions alike", async () => {
  const { page, studio, centers } = await opened();
  await page.locator('.view:not([data-raster="loading"])').waitFor();
  await row(page, "chair").click();
  await page.getByRole("button", { name: "Drop", exact: true }).click();
  await eventually("the chair on the floor", async () => same(await centers(), { seat: [-2, 1.5, 0], leg: [-2, 0.5, 0] }));
  await field(page, "Scale by").fill("200%");
  await field(page, "Scale by").press("Enter");
  await eventually("still on the floor", async () => same(await centers(), { seat: [-2, 3, 0], leg: [-2, 1, 0] }));
  await page.getByTestId("undo").click();
  await eventually("the chair as it was", async () => same(await centers(), { seat: [-2, 1.5, 0], leg: [-2, 0.5, 0] }));

  await page.getByTestId("view-switch-raster").check({ force: true });
  await page.getByTestId("gizmo-scale").check({ force: true });
  await studio.screenshot("scale-group-dark");
  const { x, y, width, height } = await page.getByTestId("raster-frame").boundingBox();
  // The foot of the chair as the camera sees it, 14 m away; the handle stands on it, a ninth of the height tall.
  const meter = height / (2 * 14 * Math.tan(Math.PI / 8));
  const foot = { x: x + width / 2 - 2 * meter, y: y + height / 2 + 2 * meter };
  const drag = async (from, to) => {
    await page.mouse.move(foot.x + from[0], foot.y + from[1] - 8);
    await page.mouse.move(foot.x + from[0], foot.y + from[1], { steps: 4 });
    await page.mouse.down();
    await page.mouse.move(foot.x + to[0], foot.y + to[1], { steps: 6 });
    await page.mouse.up();
  };
  await drag([0, -0.1 * height], [0, -0.2 * height]);
  await eventually("the chair larger and still on the floor", async () => {
    const { seat, leg } = await centers();
    return leg[1] > 0.75 && Math.abs(seat[1] - 3 * leg[1]) < 1e-6 && Math.abs(leg[0] + 2) < 1e-6;
  });
  studio.assertNoProblems();
});

test("dragging on a letter moves a group on the way; letting go is one edit, Escape none", async () => {
  const { page, studio, centers } = await opened();
  await row(page, "chair").click();
  const handle = page.getByTestId("property").filter({ hasText: "Position" }).locator(".handle").first();
  const drag = async (end) => {
    const { x, y, width, height } = await handle.boundingBox();
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + width / 2 + 60, y + height / 2, { steps: 6 });
    await eventually("the field to follow", async () => Number(await field(page, "Position x").inputValue()) > -2);
    assert.deepEqual((await centers()).seat, [-2, 5, 0], "nothing is sent yet");
    await end();
    await page.mouse.up();
  };
  await drag(() => page.keyboard.press("Escape"));
  await eventually("the old place", async () => (await field(page, "Position x").inputValue()) === "-2");
  await drag(async () => {});
  const shown = Number(await field(page, "Position x").inputValue());
  await eventually("the edit", async () => Math.abs((await centers()).leg[0] - shown) < 1e-4);
  assert.ok(shown > -2);
  await page.getByTestId("undo").click();
  await eventually("it taken back in one step", async () => same(await centers(), { seat: [-2, 5, 0], leg: [-2, 4, 0] }));
  studio.assertNoProblems();
});

test("objects and whole groups drop to the floor, line up and are spread evenly", async () => {
  const { page, studio, centers } = await opened();
  await row(page, "a").click();
  await row(page, "chair").click({ modifiers: ["Control"] });
  await page.getByRole("button", { name: "Drop", exact: true }).click();
  await eventually("both on the floor", async () => same(await centers(), { a: [0, 0.5, 0], leg: [-2, 0.5, 0], seat: [-2, 1.5, 0] }));
  await page.keyboard.press("Escape");
  await row(page, "b").click();
  await row(page, "a").click({ modifiers: ["Control"] });
  await row(page, "c").click({ modifiers: ["Control"] });
  await page.getByRole("button", { name: "Align center z" }).click();
  await page.getByRole("button", { name: "Align min y" }).click();
  await eventually("in line with the first", async () => same(await centers(), { a: [0, 1, 0], b: [1.5, 1, 0], c: [4, 1, 0] }));
  await page.getByRole("button", { name: "Distribute along x" }).click();
  await eventually("equal gaps", async () => (await centers()).b[0] === 2);
  await assertAccessible(page, "what arranges several objects");
  for (const [width, theme] of [[1440, "dark"], [1024, "light"], [390, "dark"]]) {
    await page.setViewportSize({ width, height: 844 });
    if (width < 1200 && (await page.getByTestId("inspector").count()) === 0) await page.getByTestId("toggle-document").click();
    await page.evaluate((name) => {
      document.documentElement.dataset.theme = name;
    }, theme);
    await assertFits(page, `what arranges several objects, ${width}`);
    await studio.screenshot(`arrange-${width}-${theme}`);
  }
  studio.assertNoProblems();
});

test("a cup that reaches into a table comes to stand on it, and what hovers drops onto it", async () => {
  const shapes = [
    { id: "table", type: "box", properties: { center: [0, 0.725, 0], dimensions: [2, 0.05, 1] } },
    box("a", [0, 1.2, 0]),
    box("plate", [0.2, 5, 0]),
  ];
  const { page, studio, centers } = await opened({ ...SCENE, shapes, groups: [] });
  await row(page, "a").click();
  await page.getByRole("button", { name: "Drop", exact: true }).click();
  await eventually("on the table", async () => Math.abs((await centers()).a[1] - 1.25) < 1e-5);
  await row(page, "plate").click();
  await page.getByRole("button", { name: "Drop", exact: true }).click();
  await eventually("on what stands there", async () => Math.abs((await centers()).plate[1] - 2.25) < 1e-5);
  studio.assertNoProblems();
});

test("a right click offers what can be done with what is under it; a right drag does not", async () => {
  const { page, studio, centers } = await opened();
  await page.locator('.view:not([data-raster="loading"])').waitFor();
  await page.getByTestId("view-switch-raster").check({ force: true });
  const frame = page.getByTestId("raster-frame");
  const { x, y, width, height } = await frame.boundingBox();
  const onA = { x: x + width / 2, y: y + height / 2 };
  await page.mouse.click(onA.x, onA.y, { button: "right" });
  const menu = page.getByTestId("context-menu");
  await menu.waitFor();
  await page.getByRole("treeitem", { name: "a", exact: true, selected: true }).waitFor();
  await assertAccessible(page, "the context menu");
  await studio.screenshot("context-menu-dark");
  assert.equal(await menu.getByRole("menuitem", { name: "Ungroup" }).count(), 0, "there is no group");
  await page.keyboard.press("Escape");
  await menu.waitFor({ state: "detached" });
  await page.getByRole("treeitem", { name: "a", exact: true, selected: true }).waitFor();

  await page.mouse.click(onA.x, onA.y, { button: "right" });
  await menu.getByRole("menuitem", { name: "Drop", exact: true }).click();
  await eventually("it on the floor", async () => (await centers()).a[1] === 0.5);

  await page.mouse.move(x + 0.1 * width, y + 0.1 * height);
  await page.mouse.down({ button: "right" });
  await page.mouse.move(x + 0.3 * width, y + 0.2 * height, { steps: 4 });
  await page.mouse.up({ button: "right" });
  await page.getByTestId("private-camera").waitFor();
  assert.equal(await menu.count(), 0, "a drag pans");

  await row(page, "b").click();
  await page.keyboard.press("ContextMenu");
  await menu.waitFor();
  await page.keyboard.press("Escape");
  await menu.waitFor({ state: "detached" });
  assert.equal(await page.evaluate(() => document.activeElement.dataset.testid), "outliner", "the focus is back");

  await row(page, "chair").click({ button: "right" });
  await page.getByRole("treeitem", { name: "chair", selected: true }).waitFor();
  await page.keyboard.press("ArrowUp");
  assert.match(await page.evaluate(() => document.activeElement.textContent), /^Delete selection/);
  await page.keyboard.press("Enter");
  await eventually("the chair gone", async () => (await centers()).seat === undefined);
  studio.assertNoProblems();
});

test("what is selected is moved over the ground by its body, everything else turns the view", async () => {
  const sized = (id, center, dimensions) => {
    const { properties, ...rest } = box(id, center);
    return { ...rest, properties: { ...properties, dimensions } };
  };
  const shapes = [sized("a", [0, 0.5, 0], [3, 1, 1]), sized("ground", [0, -0.5, 0], [40, 1, 40])];
  const camera = { center: [0, 6, 8], look_at: [0, 0, 0] };
  const { page, studio, centers } = await opened({ ...SCENE, shapes, groups: [], camera });
  await page.getByTestId("view-switch-raster").check({ force: true });
  const { x, y, width, height } = await page.getByTestId("raster-frame").boundingBox();
  // 10 m away; left of the handles.
  const meter = height / (2 * 10 * Math.tan(Math.PI / 8));
  const from = { x: x + width / 2 - 1.2 * meter, y: y + height / 2 + 0.1 * meter };
  const drag = async (right, end = async () => {}) => {
    await page.mouse.move(from.x, from.y - 3);
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(from.x + right * meter, from.y, { steps: 6 });
    await end();
    await page.mouse.up();
  };
  await row(page, "a").click();
  await drag(2, () => page.keyboard.press("Escape"));
  await drag(1.5);
  await studio.screenshot("zz-drag");
  await eventually("it further right", async () => (await centers()).a[0] > 1);
  const [moved] = (await centers()).a;
  assert.ok(moved < 2, `moved once, by ${moved} m`);
  assert.ok(same(await centers(), { a: [moved, 0.5, 0] }), "on the ground, no nearer and no farther");
  assert.equal(await page.getByTestId("private-camera").count(), 0, "the view stays");
  await page.getByTestId("undo").click();
  await eventually("it taken back in one step", async () => same(await centers(), { a: [0, 0.5, 0] }));

  await row(page, "ground").click();
  await drag(1.5);
  await page.getByTestId("private-camera").waitFor();
  assert.ok(same(await centers(), { ground: [0, -0.5, 0] }), "what one stands over stays");
  studio.assertNoProblems();
});

test("what is selected is copied, cut and pasted, also into another session", async () => {
  const { page, studio, centers } = await opened();
  await row(page, "chair").click();
  await page.keyboard.press("Control+c");
  await page.keyboard.press("Control+v");
  await page.getByRole("treeitem", { name: "chair_2", selected: true }).waitFor();
  await eventually("a copy beside it", async () => (await centers()).seat_2?.[0] > -2);
  await page.keyboard.press("Control+z");
  await eventually("it taken back in one step", async () => (await centers()).seat_2 === undefined);

  const other = await stage.browser.openStudio(stage.server.url);
  await other.page.getByTestId("outliner").focus();
  await other.page.keyboard.press("Control+v");
  await other.page.getByRole("treeitem", { name: "chair", selected: true }).waitFor();
  await other.page.getByText("A group of 2 objects.").waitFor();
  await other.composer.fill("text");
  await other.composer.press("Control+v");
  assert.notEqual(await other.composer.inputValue(), "text", "in a text it is a text");

  await page.bringToFront();
  await row(page, "a").click();
  await page.keyboard.press("Control+x");
  await eventually("it gone", async () => (await centers()).a === undefined);
  await page.keyboard.press("Control+v");
  await eventually("it back", async () => same(await centers(), { a: [0, 2, 0] }));
  studio.assertNoProblems();
  other.assertNoProblems();
});

async function opened(scene = SCENE) {
  const studio = await stage.browser.openStudio(stage.server.url);
  const { page } = studio;
  await giveFiles(page, "drop", [textFile("scene.json", JSON.stringify(scene))]);
  await row(page, "a").waitFor();
  const session = await studio.sessionId();
  const centers = async () => {
    const { shapes } = await (await fetch(`${stage.server.url}/api/sessions/${session}/scene`)).json();
    return Object.fromEntries(shapes.map(({ id, properties }) => [id, properties.center]));
  };
  await eventually("the scene", async () => (await centers()).a !== undefined);
  return { studio, page, centers };
}

const row = (page, name) => page.getByRole("treeitem", { name: new RegExp(`^${name}(,|$)`) });
const field = (page, name) => page.getByTestId("inspector").getByRole("textbox", { name, exact: true });

/** Whether all points are where they are expected, but for rounding. */
function same(points, expected) {
  return Object.entries(expected).every(([id, point]) =>
    point.every((value, axis) => Math.abs((points[id]?.[axis] ?? Number.NaN) - value) < 1e-6),
  );
}
