import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { eventually, openBrowser } from "../harness/browser.js";
import { ScriptedGemini } from "../harness/scripted-gemini.js";
import { startServer } from "../harness/server.js";

/** Nearly as long as a message may be. */
const LONG_TEXT = "long ".repeat(6_200).trim();

let gemini;
let browser;
before(async () => {
  gemini = await ScriptedGemini.start();
  browser = await openBrowser();
});
afterEach(() => browser.closePages());
after(async () => {
  await browser?.close();
  gemini?.stop();
});

test("a server that keeps nothing says so", async () => {
  const server = await startServer(gemini.variables, { flags: ["--in-memory"] });
  try {
    const studio = await browser.openStudio(server.url);
    await studio.reads(studio.page.getByTestId("memory-hint"), "This server does not save sessions: they end when it stops.");
    studio.assertNoProblems();
  } finally {
    await server.stop();
  }
});

test("what cannot be saved is told until it can, and nothing typed is lost", async () => {
  const server = await startServer(gemini.variables, { flags: ["--max-data-mb", "1"] });
  try {
    const studio = await browser.openStudio(server.url);
    const { page } = studio;
    assert.equal(await page.getByTestId("memory-hint").count(), 0);
    const filler = await fillUp(server);

    // As long as what did not fit any more.
    const wish = `a red ball, and ${LONG_TEXT}`;
    await studio.composer.fill(wish);
    await studio.composer.press("Enter");
    const notSaved = page.getByTestId("not-saved");
    await notSaved.waitFor();
    const outgoing = page.getByTestId("message-outgoing");
    await outgoing.filter({ hasText: wish }).waitFor();
    await studio.log.evaluate((log) => log.scrollTo(0, log.scrollHeight));
    await studio.screenshot("browser-not-saved-dark");

    assert.equal((await fetch(`${server.url}/api/sessions/${filler}`, { method: "DELETE" })).status, 204);
    const sendAgain = outgoing.getByRole("button", { name: "Send again" });
    await eventually("room again", async () => {
      if ((await sendAgain.count()) > 0) await sendAgain.click();
      return (await studio.userMessages.count()) === 1;
    });
    await notSaved.waitFor({ state: "detached" });
    const request = await gemini.nextRequest();
    assert.match(JSON.stringify(request.request.contents.at(-1)), /a red ball/);
    request.say("Saved.");
    request.end();
    await studio.idle();
    await studio.reads(studio.answers, "Saved.");
    studio.assertNoProblems();
  } finally {
    await server.stop();
  }
});

/** Says so much in a session of its own that the server has no room left; the session's id. */
async function fillUp(server) {
  const post = (path, body) =>
    fetch(`${server.url}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const { session_id: id } = await (await post("/api/sessions", {})).json();
  await eventually(
    "no room",
    async () => !(await post(`/api/sessions/${id}/messages`, { text: LONG_TEXT })).ok,
  );
  // The model was asked about the first of them; the run ends with the session.
  const request = await gemini.nextRequest();
  request.dropped.catch(() => {});
  return id;
}
