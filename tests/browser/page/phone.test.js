import assert from "node:assert/strict";
import { test } from "node:test";
import { assertAccessible } from "../harness/axe.js";
import { eventually } from "../harness/browser.js";
import { assertFits } from "../harness/fits.js";
import { setStage } from "../harness/stage.js";

const stage = setStage();

test("on a phone the view takes half of the height, and a sheet below it snaps to three heights", async () => {
  const studio = await stage.browser.openStudio(stage.server.url);
  const { page } = studio;
  await page.setViewportSize({ width: 390, height: 844 });
  const view = page.getByTestId("view");
  const share = async () => (await view.boundingBox()).height / 844;
  await eventually("half of the height", async () => (await share()) >= 0.5);
  await studio.composer.waitFor();
  const handle = page.getByTestId("sheet-handle");
  const dragTo = async (y) => {
    const box = await handle.boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(195, y, { steps: 5 });
    await page.mouse.up();
  };
  await dragTo(330);
  await eventually("a low picture", async () => (await share()) < 0.3);
  await assertFits(page, "a low picture");
  await studio.screenshot("phone-low-dark");
  await dragTo(790);
  await eventually("a high picture", async () => (await share()) > 0.65);
  assert.ok(await studio.composer.isVisible(), "a message can still be written");
  await assertFits(page, "a high picture");
  await studio.screenshot("phone-high-dark");
  await handle.press("ArrowUp");
  await eventually("the middle", async () => (await share()) > 0.5 && (await share()) < 0.6);
  await assertAccessible(page, "the sheet of a phone");
  await page.evaluate(() => {
    document.documentElement.dataset.theme = "light";
  });
  await assertFits(page, "the middle");
  await studio.screenshot("phone-middle-light");
  await page.setViewportSize({ width: 1024, height: 768 });
  await handle.waitFor({ state: "hidden" });
  studio.assertNoProblems();
});

test("on a phone the picture itself takes half of the height, and loses nothing at its sides", async () => {
  const studio = await stage.browser.openStudio(stage.server.url);
  const { page } = studio;
  await page.setViewportSize({ width: 390, height: 844 });
  // As far aside as a picture of 4:3 shows: its half width is 2.9 m.
  const lamp = (id, x) => ({
    id,
    type: "sphere",
    properties: { center: [x, 0, 0], radius: 0.3, material: { type: "emissive", emission: [4, 0, 0] } },
  });
  const scene = {
    version: 1,
    shapes: [lamp("left", -2.4), lamp("right", 2.4)],
    environment: { type: "uniform", emission: [0, 0, 0] },
    camera: { center: [0, 0, 6], look_at: [0, 0, 0], vfov: 40 },
  };
  const url = `${stage.server.url}/api/sessions/${await studio.sessionId()}/scene`;
  const put = await fetch(url, { method: "PUT", body: JSON.stringify(scene) });
  assert.equal(put.status, 200, await put.text());
  const height = async (picture) => (await page.locator(`${picture} .picture-frame`).boundingBox()).height;
  await studio.pictureWhere("of the lamps", ({ revision, samples }) => revision > 0 && samples >= 1);
  await eventually("half of the height", async () => (await height(".picture-of-tracer")) >= 0.5 * 844);
  const both = ([left, right]) => left > 60 && right > 60;
  await eventually("both lamps, traced", async () => both(await rednessOfHalves(page, "view-canvas")));
  await studio.screenshot("phone-picture-traced");
  await page.locator('.view:not([data-raster="loading"])').waitFor();
  await page.getByTestId("view-switch-narrow-raster").check({ force: true });
  await page.locator('.view[data-mode="raster"]').waitFor();
  assert.ok((await height(".picture-of-raster")) >= 0.5 * 844);
  await studio.screenshot("phone-picture-raster");
  const box = await page.locator(".picture-of-raster .picture-frame").boundingBox();
  await page.mouse.click(box.x + (0.5 + 2.4 / (2 * 2.91)) * box.width, box.y + box.height / 2);
  await page.getByTestId("chips").getByText("right").waitFor();
  studio.assertNoProblems();
});

/** How much redder than anything else the reddest tenth of the left and of the right half of a canvas is. */
function rednessOfHalves(page, testId) {
  return page.getByTestId(testId).evaluate((canvas) => {
    const { width, height } = canvas;
    const copy = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
    copy.drawImage(canvas, 0, 0);
    const { data } = copy.getImageData(0, 0, width, height);
    const most = [0, 0];
    for (let at = 0; at < width * height; at += 1) {
      const half = at % width < width / 2 ? 0 : 1;
      const [red, green, blue] = data.subarray(4 * at, 4 * at + 3);
      most[half] = Math.max(most[half], red - Math.max(green, blue));
    }
    return most;
  });
}

test("on a phone the controls of the view are one row that scrolls, each large enough for a finger", async () => {
  const studio = await stage.browser.openStudio(stage.server.url);
  const { page } = studio;
  await page.setViewportSize({ width: 390, height: 844 });
  const bar = page.getByRole("toolbar", { name: "View" });
  await page.locator('.view:not([data-raster="loading"])').waitFor();
  const targets = () =>
    bar.locator(":is(button, .segment):visible").evaluateAll((all) =>
      all.map((each) => {
        const { top, width, height } = each.getBoundingClientRect();
        return { top: Math.round(top), width, height };
      }),
    );
  await eventually("controls of a narrow page", async () => (await targets()).every(({ height }) => height >= 40));
  const found = await targets();
  assert.ok(found.length >= 12, `${found.length} controls`);
  assert.ok(found.every(({ width }) => width >= 40), "each at least 40 px wide");
  assert.equal(new Set(found.map(({ top }) => top)).size, 1, "one row");
  const { height } = await bar.boundingBox();
  assert.ok(height <= 48, `the row is ${height} px high`);
  await studio.screenshot("phone-bar-dark");
  await bar.getByTestId("camera-menu").click();
  const panel = page.getByTestId("camera-menu-panel");
  await assertFits(page, "the camera views of a phone");
  await studio.screenshot("phone-camera-dark");
  await panel.getByTestId("look-front").click();
  await page.getByTestId("private-camera").waitFor();
  studio.assertNoProblems();
});
