import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../harness/browser.js";
import { setStage } from "../harness/stage.js";

const stage = setStage();

test("Ctrl+K finds a command by a few letters and does it, by keyboard alone", async () => {
  const studio = await stage.browser.openStudio(stage.server.url);
  const { page } = studio;
  const { palette, field } = await opened(page);
  await studio.screenshot("palette-dark");
  await field.pressSequentially("add sph");
  await palette.getByRole("option", { name: "Add: Sphere", selected: true }).waitFor();
  await field.press("ArrowDown");
  await palette.getByRole("option", { name: "Add: Sphere light", selected: true }).waitFor();
  await field.press("ArrowUp");
  await field.press("Enter");
  await palette.waitFor({ state: "detached" });
  await page.getByRole("treeitem", { name: "sphere", selected: true }).waitFor();
  assert.ok(
    await studio.composer.evaluate((element) => element === document.activeElement),
    "the focus is back where it was",
  );
  studio.assertNoProblems();
});

test("a command that cannot be done now says why, and Enter leaves it", async () => {
  const studio = await stage.browser.openStudio(stage.server.url);
  const { page } = studio;
  const { palette, field } = await opened(page);
  await field.fill("undo");
  const undo = palette.getByRole("option", { name: "Undo" });
  await undo.filter({ hasText: "nothing to undo" }).waitFor();
  assert.equal(await undo.getAttribute("aria-disabled"), "true");
  await field.press("Enter");
  await palette.waitFor();
  await field.fill("make coffee");
  await palette.getByText("No results").waitFor();
  await field.press("Escape");
  await palette.waitFor({ state: "detached" });
  studio.assertNoProblems();
});

test("commands reach everything: models, panels, themes, sessions", async () => {
  const studio = await stage.browser.openStudio(stage.server.url);
  const { page } = studio;
  const first = await opened(page);
  await first.field.fill("render");
  await first.palette.getByRole("option", { name: /^Render image/, selected: true }).waitFor();
  for (const [words, name] of [["api curl", "Open the API documentation"], ["embed", "Share this session"]]) {
    await first.field.fill(words);
    await first.palette.getByRole("option", { name, selected: true }).waitFor();
  }
  await first.field.press("Escape");
  await page.keyboard.press("Control+s");
  await page.getByTestId("toast").filter({ hasText: "Everything is saved as you make it." }).waitFor();
  await studio.command("light theme");
  await eventually("the light theme", () => page.evaluate(() => document.documentElement.dataset.theme === "light"));
  const { field } = await opened(page);
  await field.press("ArrowDown");
  await studio.screenshot("palette-light");
  await field.press("Escape");
  await studio.command("model offline");
  await eventually("the model", async () => (await page.getByTestId("model-picker").inputValue()) === "offline");
  await studio.command("hide scene panel");
  await page.getByTestId("document").waitFor({ state: "detached" });
  await studio.command("search sessions");
  await page.getByRole("searchbox", { name: "Search sessions" }).waitFor();
  await page.keyboard.press("Escape");
  const before = await studio.sessionId();
  await studio.command("new session");
  await eventually("another session", async () => (await studio.sessionId()) !== before);
  studio.assertNoProblems();
});

test("? shows the shortcuts, but writes a question mark in a message", async () => {
  const studio = await stage.browser.openStudio(stage.server.url);
  const { page } = studio;
  await studio.composer.press("?");
  assert.equal(await studio.composer.inputValue(), "?");
  await page.getByTestId("outliner").focus();
  await page.keyboard.press("?");
  const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await sheet.getByText("Duplicate selection").waitFor();
  await studio.screenshot("shortcuts-dark");
  await page.keyboard.press("Escape");
  await sheet.waitFor({ state: "detached" });
  await page.keyboard.press("/");
  await eventually("the composer to have the focus", () =>
    studio.composer.evaluate((element) => element === document.activeElement),
  );
  assert.equal(await studio.composer.inputValue(), "?", "the slash itself is not written");
  studio.assertNoProblems();
});

test("the API's page shows how each route is called, and what it answers", async () => {
  const page = await stage.browser.openBlank();
  await page.goto(`${stage.server.url}/api/docs`);
  const open = async (name) => {
    const route = page.locator("details[data-words]").filter({ has: page.getByText(name, { exact: true }) });
    await route.locator("summary").click();
    return route.locator("pre");
  };
  const created = await open("Create a session");
  assert.equal(await created.first().textContent(), `curl -X POST '${stage.server.url}/api/sessions'`);
  assert.match(JSON.parse(await created.last().textContent()).session_id, /^[0-9a-f]{32}$/);
  const [, body] = (await (await open("Send a message to the model")).first().textContent()).match(/-d '(.+)'$/);
  assert.equal(JSON.parse(body).text, "a red ball on a wooden table");
});

test("on a phone the commands fit the screen", async () => {
  const studio = await stage.browser.openStudio(stage.server.url);
  const { page } = studio;
  await page.setViewportSize({ width: 390, height: 844 });
  const { palette } = await opened(page);
  const box = await palette.boundingBox();
  assert.ok(box.x >= 0 && box.x + box.width <= 390, "it is no wider than the screen");
  await studio.screenshot("palette-narrow");
  studio.assertNoProblems();
});

async function opened(page) {
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog", { name: "Commands" });
  const field = palette.getByRole("combobox", { name: "Find a command" });
  await field.waitFor();
  return { palette, field };
}
