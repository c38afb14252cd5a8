import assert from "node:assert/strict";
import { test } from "node:test";
import { assertAccessible } from "../harness/axe.js";
import { eventually } from "../harness/browser.js";
import { assertFits } from "../harness/fits.js";
import { setStage } from "../harness/stage.js";

/** A softbox before the camera that faces it, with a red wall behind, and a ball below. */
const SCENE = {
  version: 1,
  shapes: [
    {
      id: "wall",
      type: "quad",
      properties: {
        corner: [-9, -9, -4],
        u: [18, 0, 0],
        v: [0, 18, 0],
        material: { type: "lambertian", albedo: [0.7, 0.02, 0.02] },
      },
    },
    { id: "ball", type: "sphere", properties: { center: [2, 0, 0], radius: 0.5 } },
  ],
  lights: [
    {
      id: "softbox",
      type: "area_quad_light",
      properties: { corner: [-1, -1, 0], u: [2, 0, 0], v: [0, 2, 0], emission: [3, 3, 3] },
    },
  ],
  environment: { type: "uniform", emission: [0.6, 0.6, 0.6] },
  camera: { center: [0, 0, 8], look_at: [0, 0, 0], vfov: 40 },
};

const stage = setStage();

test("an area light has a middle, a size and a rotation, and is stretched by its handles", async () => {
  const { studio, page, light } = await opened();
  await row(page, "softbox").click();
  const field = (name) => page.getByTestId("inspector").getByRole("textbox", { name, exact: true });
  for (const [name, value] of [["Center x", "0"], ["Size w", "2"], ["Size h", "2"], ["Rotation x", "-90"]])
    await eventually(`${name} ${value}`, async () => (await field(name).inputValue()) === value);
  assert.equal(await page.getByTestId("inspector").getByText("Edge u").count(), 0);

  await field("Center y").fill("3");
  await field("Center y").press("Enter");
  await field("Size w").fill("4");
  await field("Size w").press("Enter");
  await eventually("its middle and width", async () => same(await light(), { corner: [-2, 2, 0], u: [4, 0, 0], v: [0, 2, 0] }));
  await field("Rotation x").fill("0");
  await field("Rotation x").press("Enter");
  await eventually("it shines down", async () => same(await light(), { corner: [-2, 3, -1], u: [4, 0, 0], v: [0, 0, 2] }));
  await page.keyboard.press("Control+z");
  await eventually("undone", async () => same(await light(), { corner: [-2, 2, 0], u: [4, 0, 0], v: [0, 2, 0] }));
  await studio.log.getByText("Undid:").waitFor();
  studio.assertNoProblems();
});

test("a light is aimed at what is clicked, and at what else is selected", async () => {
  const { studio, page, light } = await opened();
  await page.locator('.view:not([data-raster="loading"])').waitFor();
  await page.getByTestId("view-switch-raster").check({ force: true });
  await row(page, "softbox").click();
  await page.getByRole("button", { name: "Aim at…" }).click();
  await page.getByRole("button", { name: "Click a point" }).waitFor();
  const frame = await page.getByTestId("raster-frame").boundingBox();
  // The ball, which is 2 m to the right at a distance of 8 m.
  const half = 8 * Math.tan((20 * Math.PI) / 180) * (frame.width / frame.height);
  await page.mouse.click(frame.x + frame.width * (0.5 + 2 / (2 * half)), frame.y + frame.height / 2);
  const normal = async () => {
    const { u, v } = await light();
    const cross = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    return cross.map((part) => part / Math.hypot(...cross));
  };
  // A point on the front of the ball.
  await eventually("towards the ball", async () => (await normal())[0] > 0.9);
  await row(page, "wall").click({ modifiers: ["Control"] });
  await studio.command("Aim selected lights");
  await eventually("towards the middle of the wall", async () => (await normal())[2] < -0.999);
  const { u } = await light();
  assert.ok(Math.abs(u[1]) < 1e-6, "its first edge is level");
  studio.assertNoProblems();
});

test("a light can be hidden from the camera: it goes on shining, and has a mark in the raster view", async () => {
  const { studio, page, light } = await opened();
  await studio.pictureWhere("the light in the middle", ({ middle }) => Math.min(...middle) > 200);
  await row(page, "softbox").click();
  const flag = page.getByTestId("inspector").getByRole("checkbox", { name: "Visible to camera" });
  assert.ok(await flag.isChecked());
  await flag.uncheck();
  await eventually("in the document", async () => (await light()).visible_to_camera === false);
  await studio.pictureWhere("the wall behind it", ({ middle: [red, green] }) => red > green + 40);
  await page.locator('.view:not([data-raster="loading"])').waitFor();
  await page.getByTestId("view-switch-raster").check({ force: true });
  await page.keyboard.press("Escape");
  const frame = await page.getByTestId("raster-frame").boundingBox();
  await page.mouse.click(frame.x + frame.width / 2, frame.y + frame.height / 2);
  await page.getByRole("treeitem", { name: "softbox", selected: true }).waitFor();
  await assertAccessible(page, "the fields of a light");
  for (const [width, theme] of [[1440, "dark"], [1024, "light"], [390, "dark"]]) {
    await page.setViewportSize({ width, height: 844 });
    if (width < 1200 && (await page.getByTestId("inspector").count()) === 0) await page.getByTestId("toggle-document").click();
    await page.evaluate((name) => {
      document.documentElement.dataset.theme = name;
    }, theme);
    await assertFits(page, `the fields of a light, ${width}`);
    await studio.screenshot(`light-${width}-${theme}`);
  }
  studio.assertNoProblems();
});

function same(found, expected) {
  return Object.entries(expected).every(([name, value]) =>
    value.every((part, axis) => Math.abs(part - found[name][axis]) < 1e-6),
  );
}

async function opened() {
  const studio = await stage.browser.openStudio(stage.server.url);
  const url = `${stage.server.url}/api/sessions/${await studio.sessionId()}/scene`;
  const put = await fetch(url, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(SCENE),
  });
  assert.ok(put.ok, await put.text());
  await row(studio.page, "softbox").waitFor();
  const light = async () => (await (await fetch(url)).json()).lights[0].properties;
  return { studio, page: studio.page, light };
}

function row(page, name) {
  return page.getByTestId("outline-row").filter({ has: page.getByText(name, { exact: true }) });
}
