import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { eventually, NETWORK_FAULTS, openBrowser } from "../harness/browser.js";
import { Line } from "../harness/line.js";
import { ScriptedGemini } from "../harness/scripted-gemini.js";
import { startServer } from "../harness/server.js";

let gemini;
let server;
let line;
let browser;
beforeEach(async () => {
  gemini = await ScriptedGemini.start();
  server = await startServer(gemini.variables);
  line = await Line.to(server.url);
  browser = await openBrowser();
});
afterEach(async () => {
  await browser?.close();
  line?.stop();
  await server?.stop();
  gemini?.stop();
});

test("a lost connection comes back by itself, with every word once", async () => {
  const studio = await browser.openStudio(line.url);
  const session = await studio.sessionId();
  await studio.say("Count");
  const answer = await gemini.nextRequest();
  answer.say("one two ");
  await studio.reads(studio.answers, "one two");

  line.cut();
  await studio.banner.filter({ hasText: "Connection lost." }).waitFor();
  await studio.screenshot("browser-connection-lost-dark");
  answer.say("three four ");
  await eventually("the server to have the missed words", async () => {
    const response = await fetch(`${server.url}/api/sessions/${session}/events?after=0`);
    return (await response.text()).includes("three four");
  });
  await studio.composer.fill("kept while there is no connection");
  assert.ok(await studio.page.getByTestId("send").isDisabled());

  // What stands in the chat at the moment the page says that nothing was missed.
  const textWhenBack = studio.page.evaluate(
    () =>
      new Promise((resolve) => {
        const back = () =>
          document.querySelector(".banner-info")?.textContent?.includes("Nothing was missed");
        new MutationObserver((_, observer) => {
          if (!back()) return;
          observer.disconnect();
          resolve(document.querySelector('[data-testid="message-model"]').textContent.trim());
        }).observe(document.body, { childList: true, subtree: true });
      }),
  );
  line.mend();
  assert.equal(await textWhenBack, "one two three four");
  answer.say("five");
  answer.end();
  await studio.idle();
  await studio.reads(studio.answers, "one two three four five");
  assert.equal(await studio.userMessages.count(), 1);
  assert.equal(await studio.composer.inputValue(), "kept while there is no connection");
  assert.equal(await studio.sessionId(), session);
  studio.assertNoProblems(NETWORK_FAULTS);
});

test("a page loaded in the middle of an answer shows all of it, once", async () => {
  const studio = await browser.openStudio(line.url);
  await studio.say("Count");
  const answer = await gemini.nextRequest();
  answer.say("one two ");
  await studio.reads(studio.answers, "one two");
  await studio.page.reload();
  await studio.reads(studio.answers, "one two");
  await studio.stop.waitFor();
  answer.say("three");
  answer.end();
  await studio.idle();
  await studio.reads(studio.answers, "one two three");
  studio.assertNoProblems();
});

test("a server that no longer has the session gets a new one, and the page says so", async () => {
  const studio = await browser.openStudio(line.url);
  const session = await studio.sessionId();
  await studio.say("Count");
  const answer = await gemini.nextRequest();
  answer.say("one");
  answer.end();
  await studio.idle();

  const restarted = await startServer(gemini.variables);
  const old = server;
  server = restarted;
  line.cut();
  await studio.banner.waitFor();
  await old.stop();
  line.leadTo(restarted.url);
  line.mend();
  await studio.banner.filter({ hasText: "That session no longer exists" }).waitFor();
  await studio.page.getByTestId("starters").waitFor();
  assert.equal(await studio.userMessages.count(), 0);
  assert.notEqual(await studio.sessionId(), session);
  await studio.screenshot("browser-new-session-dark");

  await studio.say("Count again");
  const next = await gemini.nextRequest();
  next.say("two");
  next.end();
  await studio.idle();
  await studio.reads(studio.answers, "two");
  studio.assertNoProblems(NETWORK_FAULTS);
});
