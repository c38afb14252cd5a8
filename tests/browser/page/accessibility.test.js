import assert from "node:assert/strict";
import { test } from "node:test";
import { setStage } from "../harness/stage.js";

/** More than there are stops on the way to the composer. */
const MAX_TABS = 45;

const stage = setStage();

test("everything that can be pressed has a name", async () => {
  const studio = await stage.browser.openStudio(stage.server.url);
  const { page } = studio;
  await page.getByRole("textbox", { name: "Message" }).waitFor();
  await page.getByRole("combobox", { name: "Model" }).waitFor();
  await page.getByRole("button", { name: "Send" }).waitFor();
  await page.getByRole("img", { name: "The scene, path traced" }).waitFor();
  await page.getByRole("progressbar", { name: "Samples traced" }).waitFor();

  await studio.say("Make a ball");
  const request = await stage.gemini.nextRequest();
  const stop = page.getByRole("button", { name: "Stop", exact: true });
  await stop.waitFor();
  await everythingHasAName(page);
  await stop.click();
  await request.dropped;
  await studio.idle();

  await page.getByRole("button", { name: "Sessions" }).press("Enter");
  await page
    .getByRole("dialog", { name: "Sessions" })
    .getByRole("button", { name: "Delete Make a ball" })
    .waitFor();
  await everythingHasAName(page);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Share" }).press("Enter");
  await page.getByRole("button", { name: "New view link" }).press("Enter");
  await page.getByRole("button", { name: "Copy the view link" }).waitFor();
  await everythingHasAName(page);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Edit and resend" }).press("Enter");
  await page.getByRole("form", { name: "Edit and resend" }).waitFor();
  await everythingHasAName(page);
  studio.assertNoProblems();
});

test("the keyboard alone is enough", async () => {
  const studio = await stage.browser.openStudio(stage.server.url);
  const { page } = studio;
  await page.evaluate(() => document.activeElement.blur());
  for (let tabs = 0; tabs < MAX_TABS; tabs += 1) {
    await page.keyboard.press("Tab");
    if (await studio.composer.evaluate((field) => field === document.activeElement)) break;
  }
  await page.keyboard.type("Make a ball");
  await page.keyboard.press("Enter");
  await studio.userMessages.filter({ hasText: "Make a ball" }).waitFor();
  const request = await stage.gemini.nextRequest();
  request.say("There is one.");
  request.end();
  await studio.idle();
  await studio.reads(studio.answers, "There is one.");
  assert.ok(
    await studio.composer.evaluate((field) => field === document.activeElement),
    "ready for the next",
  );
  studio.assertNoProblems();
});

test("the document has names, roles and states, and its own keys leave the way on to Tab", async () => {
  const studio = await stage.browser.openStudio(stage.server.url);
  const { page } = studio;
  const names = ["Sphere", "Box", "Cone", "Triangle", "Point light", "Spot light"];
  for (const name of names) {
    await page.getByRole("button", { name: "Add" }).press("Enter");
    await page.getByRole("menu", { name: "Add" }).getByRole("menuitem", { name, exact: true }).press("Enter");
    await page.getByRole("textbox", { name: "Name", exact: true }).waitFor();
    await everythingHasAName(page);
  }
  const tree = page.getByRole("tree", { name: "Objects" });
  assert.equal(await tree.getByRole("treeitem").count(), names.length + 2);
  await tree.press("Home");
  const camera = tree.getByRole("treeitem", { name: "Camera", selected: true });
  await camera.waitFor();
  const active = await tree.getAttribute("aria-activedescendant");
  assert.equal(await camera.getAttribute("id"), active, "the tree says which row its keys are for");
  await everythingHasAName(page);
  await page.keyboard.press("Tab");
  const focused = await page.evaluate(() => document.activeElement.getAttribute("aria-label"));
  assert.equal(focused, "Center x", "the next stop is the first field");
  studio.assertNoProblems();
});

async function everythingHasAName(page) {
  const tree = await page.locator("body").ariaSnapshot();
  assert.doesNotMatch(
    tree,
    /- (button|combobox|textbox|searchbox|dialog|radio|link)( \[[^\]]*\])*:?\s*$/m,
    "a control without a name",
  );
}
