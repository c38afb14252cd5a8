import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually, openBrowser } from "../harness/browser.js";
import { startServer } from "../harness/server.js";
import { setStage } from "../harness/stage.js";

const stage = setStage({ variables: { SCENE_LLM_PRICES: "gemini-=100/1000" } });

test("the composer tells what the session has used, also after loading the page again", async () => {
  const studio = await stage.browser.openStudio(stage.server.url);
  const usage = studio.page.getByTestId("usage");
  assert.equal(await usage.count(), 0, "nothing was used yet");
  await studio.say("Make a ball");
  const request = await stage.gemini.nextRequest();
  request.say("One.");
  request.end({ promptTokenCount: 209_000, candidatesTokenCount: 1_000 });
  await studio.idle();
  // 0.209 million at 100 and a thousandth of a million at 1000.
  await eventually("the sum", async () => (await usage.innerText()).replaceAll(/\s+/g, " ") === "210k · 21.90");
  const words = await usage.getAttribute("aria-label");
  assert.match(words, /209,000 tokens in, 1,000 out/);
  assert.match(words, /takes 20 % of the model's window/);
  await studio.screenshot("usage-dark");
  await studio.page.reload();
  await eventually("the sum", async () => (await usage.innerText()).includes("210k"));
  studio.assertNoProblems();
});

test("a service that takes no more requests for now is told as such, with the time left", async () => {
  const studio = await stage.browser.openStudio(stage.server.url);
  await studio.say("Make a ball");
  (await stage.gemini.nextRequest()).fail(429, "Too many requests.");
  const retrying = studio.page.getByTestId("retrying");
  await retrying.filter({ hasText: "rate limit is reached" }).waitFor();
  await studio.screenshot("rate-limited-dark");
  const again = await stage.gemini.nextRequest();
  again.say("Here.");
  again.end();
  await studio.idle();
  await retrying.waitFor({ state: "detached" });
  studio.assertNoProblems();
});

test("with other models there, the offline one points to them", async () => {
  const studio = await stage.browser.openStudio(stage.server.url);
  await studio.page.getByTestId("model-picker").selectOption("offline");
  await studio.page.getByTestId("offline-hint").filter({ hasText: "in the model list" }).waitFor();
  assert.equal(await studio.page.getByTestId("open-key-help").count(), 0);
  studio.assertNoProblems();
});

test("without a key the offline model builds, and the page says how to set one", async () => {
  const server = await startServer();
  const browser = await openBrowser();
  try {
    const studio = await browser.openStudio(server.url);
    await studio.page.getByTestId("open-key-help").click();
    const help = studio.page.getByRole("dialog", { name: "Use a language model" });
    await help.getByText("ANTHROPIC_API_KEY=… scene-llm serve").waitFor();
    await studio.screenshot("no-key-dark");
    await studio.page.keyboard.press("Escape");
    await help.waitFor({ state: "detached" });
    await studio.say("Create a red sphere");
    await studio.idle();
    await studio.page.getByTestId("tool-fold").waitFor();
    assert.equal(await studio.page.getByTestId("usage").count(), 0, "nothing was paid for");
    studio.assertNoProblems();
  } finally {
    await browser.close();
    await server.stop();
  }
});
