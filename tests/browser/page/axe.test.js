import assert from "node:assert/strict";
import { test } from "node:test";
import { assertAccessible } from "../harness/axe.js";
import { pictureFile } from "../harness/files.js";
import { setStage } from "../harness/stage.js";

const SIZES = { wide: { width: 1280, height: 800 }, narrow: { width: 390, height: 844 } };

const stage = setStage();

for (const theme of ["dark", "light"]) {
  for (const [name, size] of Object.entries(SIZES)) {
    const where = `${name}, ${theme}`;

    test(`axe finds nothing wrong with a conversation and a document: ${where}`, async () => {
      const studio = await opened(theme, size);
      const { page } = studio;
      await assertAccessible(page, `an empty session, ${where}`);
      await conversation(studio);
      await studio.screenshot(`axe-conversation-${name}-${theme}`);
      await assertAccessible(page, `a conversation, ${where}`);
      await page.getByRole("button", { name: "Edit and resend" }).press("Enter");
      await page.getByTestId("message-editor").waitFor();
      await assertAccessible(page, `a message being said anew, ${where}`);
      await page.keyboard.press("Escape");
      if (name === "narrow") await page.getByTestId("toggle-document").click();
      await page.getByRole("treeitem", { name: "ball" }).click();
      await page.getByRole("textbox", { name: "Name", exact: true }).waitFor();
      await studio.screenshot(`axe-document-${name}-${theme}`);
      await assertAccessible(page, `an object's properties, ${where}`);
      await page.getByTestId("presets").click();
      await page.getByRole("button", { name: "gold", exact: true }).waitFor();
      await studio.screenshot(`axe-presets-${name}-${theme}`);
      await assertAccessible(page, `ready-made materials, ${where}`);
      await page.keyboard.press("Escape");
      await studio.add("Point light");
      // What is new is selected once it is placed; the ball is selected besides it.
      await page.locator('[role="treeitem"][aria-selected="true"]:not(:has-text("ball"))').waitFor();
      await page.getByRole("treeitem", { name: "ball" }).click({ modifiers: ["Control"] });
      await page.getByText("2 objects selected").waitFor();
      await page.getByTestId("outliner").press("h");
      await page.getByTestId("hidden-note").waitFor();
      await assertAccessible(page, `two objects, hidden, ${where}`);
      await page.getByRole("treeitem", { name: "Camera" }).click();
      await page.getByRole("slider", { name: "View angle slider" }).waitFor();
      await assertAccessible(page, `sliders, ${where}`);
      await page.getByRole("treeitem", { name: "Environment" }).click();
      await assertAccessible(page, `the environment's properties, ${where}`);
      studio.assertNoProblems();
    });

    test(`axe finds nothing wrong with what opens over the page: ${where}`, async () => {
      const studio = await opened(theme, size);
      const { page } = studio;
      await studio.composer.fill("unsent @");
      await page.getByTestId("attach-file").setInputFiles(await pictureFile(page, "a.png"));
      await page.getByRole("img", { name: "a.png" }).waitFor();
      await assertAccessible(page, `a picture to send, ${where}`);
      for (const [testId, role] of [
        ["sessions", "dialog"],
        ["share", "dialog"],
        ["download", "menu"],
      ]) {
        await page.getByTestId(testId).click();
        await page.getByRole(role).waitFor();
        await assertAccessible(page, `${testId}, ${where}`);
        await page.keyboard.press("Escape");
      }
      await page.getByTestId("toggle-library").click();
      await page.getByTestId("library-item").first().waitFor();
      await page.getByTestId("library-search").press("ArrowDown");
      await assertAccessible(page, `the library, ${where}`);
      await page.keyboard.press("Escape");
      await page.getByTestId("open-palette").click();
      await page.getByRole("combobox", { name: "Find a command" }).fill("add");
      await assertAccessible(page, `the palette, ${where}`);
      await page.keyboard.press("Escape");
      await page.getByTestId("open-palette").click();
      await page.getByRole("combobox", { name: "Find a command" }).fill("key language");
      await page.keyboard.press("Enter");
      await page.getByTestId("key-help").waitFor();
      await assertAccessible(page, `how to set a key, ${where}`);
      await page.keyboard.press("Escape");
      await page.getByTestId("open-palette").focus();
      await page.keyboard.press("?");
      await page.getByTestId("shortcuts").waitFor();
      await assertAccessible(page, `the shortcuts, ${where}`);
      studio.assertNoProblems();
    });
  }
}

test("axe is listened to: a button without a name and pale words are found", async () => {
  const studio = await opened("dark", SIZES.wide);
  await studio.page.evaluate(() => {
    const button = document.createElement("button");
    const words = document.createElement("p");
    words.textContent = "hard to read";
    words.className = "muted";
    words.style.setProperty("color", "#333");
    document.querySelector("main").append(button, words);
  });
  await assert.rejects(assertAccessible(studio.page, "a spoiled page"), (error) => {
    const ids = error.actual.map(({ id }) => id);
    return ids.includes("button-name") && ids.includes("color-contrast");
  });
});

async function opened(theme, size) {
  const studio = await stage.browser.openStudio(stage.server.url);
  const shown = await studio.page.evaluate(() => document.documentElement.dataset.theme);
  if (shown !== theme) await studio.page.getByTestId("theme").click();
  await studio.page.setViewportSize(size);
  return studio;
}

/** Every kind of entry a chat has. */
async function conversation(studio) {
  await studio.say("Make a **ball**");
  const first = await stage.gemini.nextRequest();
  first.think("A ball is round.");
  first.say("One moment. It is `round`, [they say](https://example.org).\n\n| a | b |\n|---|---|\n| 1 | 2 |\n");
  first.call("create_shape", { id: "ball", type: "sphere", properties: { center: [0, 0, 0], radius: 1 } });
  first.call("create_shape", { id: "wrong", type: "sphere", properties: { center: [0, 0, 0] } });
  first.end();
  const second = await stage.gemini.nextRequest();
  second.fail(400, "No more today.");
  await studio.idle();
  await studio.page.locator(".notice-error").waitFor();
}
