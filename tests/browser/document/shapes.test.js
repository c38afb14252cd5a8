import assert from "node:assert/strict";
import { test } from "node:test";
import { assertAccessible } from "../harness/axe.js";
import { eventually } from "../harness/browser.js";
import { setStage } from "../harness/stage.js";

/** As the menu calls them, and as the document does. */
const KINDS = {
  Ellipsoid: "ellipsoid",
  "Rounded box": "rounded_box",
  Tube: "tube",
  Lathe: "lathe",
  Extrusion: "extrusion",
  Text: "text",
  Terrain: "height_field",
};
const stage = setStage();

test("every kind of shape can be added by hand, is drawn and traced, and changed by its fields", async () => {
  const studio = await stage.browser.openStudio(stage.server.url);
  const { page } = studio;
  const session = await studio.sessionId();
  const shapes = async () => (await (await fetch(`${stage.server.url}/api/sessions/${session}/scene`)).json()).shapes;
  for (const [name, type] of Object.entries(KINDS)) {
    await studio.add(name);
    await eventually(`the ${type} on the server`, async () => (await shapes()).at(-1)?.type === type);
  }
  const row = page.getByTestId("outline-row").filter({ has: page.getByText("text", { exact: true }) });
  await row.click();
  await page.getByRole("textbox", { name: "Text", exact: true }).fill("Hello");
  await page.keyboard.press("Enter");
  await eventually("other letters", async () =>
    (await shapes()).some(({ id, properties }) => id === "text" && properties.text === "Hello"),
  );
  const { revision } = await (await fetch(`${stage.server.url}/api/sessions/${session}`)).json();
  await studio.pictureWhere("of them all", (picture) => picture.revision === revision);
  await page.getByTestId("view-switch-raster").check({ force: true });
  await page.locator('.view[data-raster="ready"]').waitFor();
  await studio.screenshot("shapes-dark");
  assert.equal(await page.getByTestId("toast").count(), 0, "nothing was refused");
  studio.assertNoProblems();
});

test("who looks from elsewhere finds what they add there, on the floor, in the picture and selected", async () => {
  const studio = await stage.browser.openStudio(stage.server.url);
  const { page } = studio;
  const session = await studio.sessionId();
  const url = `${stage.server.url}/api/sessions/${session}/scene`;
  const floor = { corner: [-9, -1, 9], u: [18, 0, 0], v: [0, 0, -18] };
  const put = await fetch(url, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      version: 1,
      shapes: [{ id: "floor", type: "quad", properties: floor }],
      camera: { center: [0, 2, 7], look_at: [0, 0, 0] },
    }),
  });
  assert.equal(put.status, 200);
  await page.getByTestId("outline-row").filter({ hasText: "floor" }).waitFor();
  await page.locator('.view[data-raster="ready"]').waitFor();
  await page.getByTestId("view-switch-raster").check({ force: true });
  await page.getByTestId("panes").focus();
  // From the right.
  await page.keyboard.press("3");
  await page.getByTestId("private-camera").waitFor();
  await studio.add("Sphere");
  const selected = page.locator('[role="treeitem"][aria-selected="true"]');
  await studio.reads(selected, "sphere");
  const ball = await eventually("the ball on the server", async () => {
    const { shapes } = await (await fetch(url)).json();
    return shapes.find(({ id }) => id === "sphere")?.properties;
  });
  assert.ok(ball.center[0] > 1, `towards who looks, not towards the scene's camera: ${ball.center}`);
  assert.ok(Math.abs(ball.center[1] - ball.radius + 1) < 1e-6, `on the floor: ${ball.center}, ${ball.radius}`);
  await studio.screenshot("shapes-added-from-the-side-dark");
  await page.keyboard.press("Escape");
  await page.getByTestId("outline-row").filter({ hasText: "floor" }).click();
  await studio.reads(selected, "floor");
  // The camera stands as far away as before, level with what it looks at.
  const away = Math.hypot(2, 7) - ball.center[0];
  const frame = page.getByTestId("raster-frame");
  const { width, height } = await frame.boundingBox();
  const y = height * (0.5 - ball.center[1] / (2 * away * Math.tan(Math.PI / 8)));
  await frame.click({ position: { x: width * 0.5 + 0.05 * height, y: y + 0.03 * height } });
  await studio.reads(selected, "sphere");
  studio.assertNoProblems();
});

test("points of profiles, outlines and holes are dragged, moved by keys, added and removed", async () => {
  const studio = await stage.browser.openStudio(stage.server.url);
  const { page } = studio;
  const session = await studio.sessionId();
  const url = `${stage.server.url}/api/sessions/${session}/scene`;
  const properties = async (id) => {
    const { shapes } = await (await fetch(url)).json();
    return shapes.find((shape) => shape.id === id)?.properties;
  };
  await studio.add("Lathe");
  const before = (await eventually("the lathe", () => properties("lathe"))).profile;
  const points = page.getByTestId("point");
  await page.getByText(`Point 1 of ${before.length}`).waitFor();
  const third = await points.nth(2).boundingBox();
  await page.mouse.move(third.x + third.width / 2, third.y + third.height / 2);
  await page.mouse.down();
  await page.mouse.move(third.x + 30, third.y + 12, { steps: 4 });
  await page.mouse.up();
  await eventually("a wider profile, lower there", async () => {
    const { profile } = await properties("lathe");
    return profile[2][0] > before[2][0] && profile[2][1] < before[2][1];
  });
  await points.nth(2).focus();
  await page.keyboard.press("Delete");
  await eventually("a point less", async () => (await properties("lathe")).profile.length === before.length - 1);
  await page.getByRole("button", { name: "Add a point after this one" }).click();
  await eventually("one more again", async () => (await properties("lathe")).profile.length === before.length);
  await page.getByTestId("undo").click();
  await eventually("undone", async () => (await properties("lathe")).profile.length === before.length - 1);
  await assertAccessible(page, "a profile");
  await studio.screenshot("points-profile-dark");

  await studio.add("Extrusion");
  await eventually("the extrusion", () => properties("extrusion"));
  await page.getByTestId("add-hole").click();
  await eventually("a hole", async () => (await properties("extrusion")).holes.length === 1);
  await page.getByRole("button", { name: "Remove hole 1" }).click();
  await eventually("none", async () => (await properties("extrusion")).holes.length === 0);
  studio.assertNoProblems();
});

test("an outline begins from a form; one that crosses itself stays as typed, its edges red, until it does not", async () => {
  const studio = await stage.browser.openStudio(stage.server.url);
  const { page } = studio;
  const session = await studio.sessionId();
  const url = `${stage.server.url}/api/sessions/${session}/scene`;
  const outline = async () =>
    (await (await fetch(url)).json()).shapes.find(({ id }) => id === "extrusion")?.properties.outline;
  await studio.add("Extrusion");
  await eventually("the extrusion", outline);
  await page.getByTestId("outline-form").selectOption("Rectangle");
  await eventually("four corners", async () => (await outline()).length === 4);
  const [left, right] = await outline();
  const firstX = page.getByRole("textbox", { name: "Outline 1 x" });
  await firstX.fill(String(right[0] + 1));
  await firstX.press("Enter");
  const crossing = page.getByTestId("crossing");
  await crossing.filter({ hasText: "cross" }).waitFor();
  assert.equal(await page.locator(".point-crossing").count(), 2);
  assert.equal(Number(await firstX.inputValue()), right[0] + 1, "what was typed");
  assert.deepEqual((await outline())[0], left, "the scene is as it was");
  await studio.screenshot("outline-crossing-dark");
  await firstX.fill(String(left[0] - 0.25));
  await firstX.press("Enter");
  await crossing.waitFor({ state: "detached" });
  await eventually("the corner moved", async () => (await outline())[0][0] === left[0] - 0.25);
  assert.equal(await page.getByTestId("toast").count(), 0, "nothing was refused");
  studio.assertNoProblems();
});

test("the menu of what can be added is seen as a whole, under headings", async () => {
  const studio = await stage.browser.openStudio(stage.server.url);
  const { page } = studio;
  await studio.sessionId();
  await page.getByTestId("add").click();
  const menu = page.getByRole("menu", { name: "Add" });
  for (const heading of ["Shapes", "Drawn", "Lights", "More"]) await menu.getByRole("group", { name: heading }).waitFor();
  await menu.getByRole("group", { name: "Drawn" }).getByRole("menuitem", { name: "Text" }).waitFor();
  const { hidden, bottom } = await menu.evaluate((list) => ({
    hidden: list.scrollHeight - list.clientHeight,
    bottom: list.getBoundingClientRect().bottom,
  }));
  assert.ok(hidden <= 0, `${hidden} px have to be scrolled to`);
  assert.ok(bottom <= page.viewportSize().height, `it ends at ${bottom}`);
  studio.assertNoProblems();
});

test("points of a profile, an outline and a line are dragged in the view, each drag one step of undo", async () => {
  const studio = await stage.browser.openStudio(stage.server.url);
  const { page } = studio;
  const session = await studio.sessionId();
  const shape = async () =>
    (await (await fetch(`${stage.server.url}/api/sessions/${session}/scene`)).json()).shapes[0]?.properties;
  const points = page.getByTestId("point-handle");
  for (const [name, property] of [
    ["Lathe", "profile"],
    ["Extrusion", "outline"],
    ["Tube", "points"],
  ]) {
    await studio.add(name);
    await eventually(`the ${name}`, async () => (await shape()) !== undefined);
    const before = (await shape())[property];
    await eventually("its points", async () => (await points.count()) === before.length);
    await page.locator('.view[data-raster="ready"]').waitFor();
    const drag = async (way) => {
      const { x, y, width, height } = await points.nth(1).boundingBox();
      await page.mouse.move(x + width / 2, y + height / 2);
      await page.mouse.down();
      await page.mouse.move(x + width / 2 + way / 2, y + height / 2);
      await page.mouse.move(x + width / 2 + way, y + height / 2);
    };
    await drag(40);
    if (name === "Lathe") await studio.screenshot("points-in-the-view-dark");
    await page.keyboard.press("Escape");
    await page.mouse.up();
    assert.deepEqual((await shape())[property], before, "Escape gives a drag up");
    await drag(40);
    await page.mouse.up();
    await eventually(`another ${property}`, async () => String((await shape())[property]) !== String(before));
    const after = (await shape())[property];
    const changed = after.map((point, index) => String(point) !== String(before[index]));
    assert.deepEqual(changed.flatMap((is, index) => (is ? [index] : [])), [1], "the dragged point alone");
    assert.ok(after[1][0] > before[1][0], `to the right: ${after[1]}`);
    assert.equal(await page.getByRole("treeitem", { selected: true }).count(), 1, "it stays selected");
    await page.keyboard.press("Control+z");
    await eventually("the points as before", async () => String((await shape())?.[property]) === String(before));
    await page.keyboard.press("Control+z");
    await eventually("an empty scene", async () => (await shape()) === undefined);
  }
  studio.assertNoProblems();
});
