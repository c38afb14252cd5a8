import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openBrowser, tint } from "../harness/browser.js";
import { startServer } from "../harness/server.js";

const RED = 0;
const BLUE = 2;
/** Enough for a picture to be looked at; a sphere in light then stands out clearly. */
const GOOD_SAMPLES = 8;

let server;
let browser;
before(async () => {
  server = await startServer();
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

test("the whole way on the built-in model", async () => {
  const studio = await browser.openStudio(server.url);
  await studio.screenshot("browser-1-start-dark");

  const wish = "Create a red sphere on a grey floor with a soft light above it";
  await studio.say(wish);
  await studio.answers.first().waitFor();
  await studio.page.getByTestId("tool-fold").first().waitFor();
  await studio.idle();
  assert.equal(await studio.userMessages.count(), 1);
  assert.notEqual((await studio.answers.last().innerText()).trim(), "");
  assert.equal(await studio.page.locator('[data-testid="tool-card"]:not([data-status="ok"])').count(), 0);

  const isRed = ({ middle, whole }) => tint(middle, RED) > 40 && tint(middle, RED) > tint(whole, RED) + 30;
  const first = await studio.pictureWhere("red in the middle", isRed);
  const red = await studio.pictureWhere(
    "the same, with more samples",
    (picture) => picture.samples > GOOD_SAMPLES && isRed(picture),
  );
  assert.equal(red.revision, first.revision);
  await studio.screenshot("browser-2-red-dark");

  await studio.say("make it blue and a bit bigger");
  await studio.answers.nth(1).waitFor();
  await studio.idle();
  const blue = await studio.pictureWhere(
    "blue in the middle",
    ({ middle, samples }) => tint(middle, BLUE) > 20 && samples > GOOD_SAMPLES,
  );
  assert.ok(blue.revision > red.revision, "another revision is shown");
  assert.ok(tint(blue.middle, RED) < 0, "no red is left in the middle");
  await studio.screenshot("browser-3-blue-dark");

  await studio.page.getByTestId("theme").click();
  await studio.page.locator('html[data-theme="light"]').waitFor();
  await studio.screenshot("browser-4-blue-light");
  await studio.page.setViewportSize({ width: 390, height: 844 });
  await studio.screenshot("browser-5-blue-narrow-light");
  await studio.command("dark theme");
  await studio.page.locator('html[data-theme="dark"]').waitFor();
  await studio.screenshot("browser-6-blue-narrow-dark");
  assert.equal(
    await studio.page.evaluate(() => document.documentElement.scrollWidth),
    390,
    "nothing sticks out of a narrow page",
  );
  studio.assertNoProblems();
});
