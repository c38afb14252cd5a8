import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { assertAccessible } from "../harness/axe.js";
import { openBrowser } from "../harness/browser.js";
import { ScriptedGemini } from "../harness/scripted-gemini.js";
import { startServer } from "../harness/server.js";

const KEY = "a-key-that-works-and-is-long-9876";

let gemini;
let server;
let browser;
before(async () => {
  gemini = await ScriptedGemini.start();
  gemini.listsModels = true;
  const { GEMINI_BASE_URL } = gemini.variables;
  server = await startServer({ GEMINI_BASE_URL });
  browser = await openBrowser();
});
afterEach(() => browser.closePages());
after(async () => {
  await browser?.close();
  await server?.stop();
  gemini?.stop();
});

test("a key is typed, refused, corrected, saved, used and removed", async () => {
  const studio = await browser.openStudio(server.url);
  const { page } = studio;
  await page.getByTestId("open-key-help").click();
  const form = page.getByTestId("key-form");
  const field = form.getByTestId("key-field");
  const outcome = form.getByTestId("key-outcome");
  assert.ok(await form.getByTestId("key-save").isDisabled(), "nothing is typed yet");

  await field.fill("short");
  await form.getByTestId("key-save").click();
  await outcome.and(page.getByRole("alert")).waitFor();
  await field.fill(ScriptedGemini.REFUSED_KEY);
  await form.getByTestId("key-save").click();
  await outcome.filter({ hasText: /refused/ }).waitFor();
  assert.equal(await field.inputValue(), ScriptedGemini.REFUSED_KEY, "it can be corrected");
  assert.equal(await form.getByTestId("key-of-gemini").count(), 0, "it is not kept");
  await studio.screenshot("key-refused-dark");

  await field.fill(KEY);
  await form.getByRole("checkbox", { name: /Save the key on the server/ }).check();
  await field.press("Enter");
  await outcome.filter({ hasText: "The key works: Google Gemini offers 1 model." }).waitFor();
  assert.equal(await field.inputValue(), "", "the page forgets it");
  const row = form.getByTestId("key-of-gemini");
  await row.filter({ hasText: "ends with …9876, saved on the server" }).waitFor();
  await assertAccessible(page, "a key that is set");
  await studio.screenshot("key-set-dark");
  await page.keyboard.press("Escape");
  await studio.say("Hello");
  const request = await gemini.nextRequest();
  request.say("Good day.");
  request.end();
  await studio.answers.filter({ hasText: "Good day." }).waitFor();
  await studio.idle();

  await studio.command("api keys");
  await row.getByRole("button", { name: "Remove the key for Google Gemini" }).click();
  await outcome.filter({ hasText: "The key for Google Gemini is removed." }).waitFor();
  assert.equal(await row.count(), 0);
  studio.assertNoProblems(/Failed to load resource/);
});
