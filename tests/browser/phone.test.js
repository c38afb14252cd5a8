import assert from "node:assert/strict";
import { test } from "node:test";
import { assertAccessible } from "./harness/axe.js";
import { eventually } from "./harness/browser.js";
import { assertFits } from "./harness/fits.js";
import { setStage } from "./harness/stage.js";

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
