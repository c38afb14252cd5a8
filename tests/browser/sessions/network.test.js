import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { eventually, NETWORK_FAULTS, openBrowser } from "../harness/browser.js";
import { Line } from "../harness/line.js";
import { ScriptedGemini } from "../harness/scripted-gemini.js";
import { startServer } from "../harness/server.js";

/** Longer than the page waits for a sign of life. */
const LONG_SILENCE_MS = 31_000;

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

test("a line that has died without a word is noticed, and a new one made", async () => {
  const studio = await browser.openStudio(line.url, { ownClock: true });
  await studio.say("Count");
  const answer = await gemini.nextRequest();
  answer.say("one ");
  await studio.reads(studio.answers, "one");
  line.fallSilent();
  answer.say("two ");
  await studio.page.clock.fastForward(LONG_SILENCE_MS);
  await studio.banner.filter({ hasText: "Connection lost." }).waitFor();
  await studio.screenshot("half-open-dark");
  line.cut();
  line.speak();
  line.mend();
  await studio.page.clock.fastForward(LONG_SILENCE_MS);
  await studio.connected();
  answer.say("three");
  answer.end();
  await studio.idle();
  await studio.reads(studio.answers, "one two three");
  studio.assertNoProblems(NETWORK_FAULTS);
});

test("on a slow line that breaks again and again nothing is doubled and nothing lost", async () => {
  const studio = await browser.openStudio(line.url);
  const random = randomOf(7);
  line.slow(() => Math.floor(random() * 30));
  await studio.say("Count");
  const answer = await gemini.nextRequest();
  const words = [];
  for (let cuts = 0; cuts < 6; cuts += 1) {
    for (let count = 0; count < 20; count += 1) {
      words.push(`w${words.length}`);
      answer.say(`${words.at(-1)} `);
    }
    // Somewhere in what streams.
    const until = words[words.length - 1 - Math.floor(random() * 19)];
    await eventually(`${until} to be read`, async () => (await studio.answers.innerText()).includes(until));
    line.cut();
    line.mend();
    // The wait between attempts ends by itself; a person may be less patient.
    await studio.page.evaluate(() => window.dispatchEvent(new Event("online")));
  }
  answer.end();
  await studio.idle();
  await studio.reads(studio.answers, words.join(" "));
  assert.equal(await studio.userMessages.count(), 1);
  studio.assertNoProblems(NETWORK_FAULTS);
});

test("an edit that the line swallowed is made once or not at all, and the page knows which", async () => {
  const studio = await browser.openStudio(line.url, { ownClock: true });
  const { page } = studio;
  const session = await studio.sessionId();
  await studio.add("Sphere");
  await page.getByRole("treeitem", { name: "sphere" }).waitFor();
  line.fallSilent();
  await studio.add("Box");
  // It is shown at once, though nobody has heard of it.
  await page.getByRole("treeitem", { name: "box" }).waitFor();
  await page.clock.fastForward(LONG_SILENCE_MS);
  await studio.banner.filter({ hasText: "Connection lost." }).waitFor();
  line.cut();
  line.speak();
  line.mend();
  await page.clock.fastForward(LONG_SILENCE_MS);
  await studio.connected();
  const ids = await eventually("page and server to agree", async () => {
    const scene = await (await fetch(`${server.url}/api/sessions/${session}/scene`)).json();
    const there = scene.shapes.map(({ id }) => id).join();
    const shown = (await page.getByTestId("outline-row").allInnerTexts()).slice(2).join();
    return there === shown && there;
  });
  assert.ok(["sphere", "sphere,box"].includes(ids), ids);
  studio.assertNoProblems(NETWORK_FAULTS);
});

test("a server that is killed in mid-answer and comes back finds the page waiting", async () => {
  const studio = await browser.openStudio(line.url);
  await studio.say("Count");
  const answer = await gemini.nextRequest();
  answer.say("one two ");
  await studio.reads(studio.answers, "one two");
  line.slow(() => 20);
  await server.kill();
  await studio.banner.waitFor();
  await server.startAgain();
  await studio.page.evaluate(() => window.dispatchEvent(new Event("online")));
  await studio.connected();
  await studio.idle();
  await studio.notices.filter({ hasText: "The server stopped while the model was working" }).waitFor();
  assert.match(await studio.answers.first().innerText(), /^one two/);
  assert.equal(await studio.answers.count(), 1);
  await studio.say("Go on");
  const next = await gemini.nextRequest();
  next.say("three");
  next.end();
  await studio.idle();
  await studio.answers.filter({ hasText: "three" }).waitFor();
  assert.equal(await studio.userMessages.count(), 2);
  studio.assertNoProblems(NETWORK_FAULTS);
});

test("a part of the page whose loading is cut is loaded again", async () => {
  const cut = new Set();
  const prepare = (page) =>
    page.route(/\/assets\/.*\.js/, (route) => {
      const url = route.request().url();
      if (!/raster-view|LibraryBrowser/.test(url) || cut.has(url)) return route.fallback();
      cut.add(url);
      return route.abort("connectionreset");
    });
  const studio = await browser.openStudio(server.url, { prepare });
  const { page } = studio;
  await page.locator("#library-button").click();
  await page.getByTestId("library").getByRole("searchbox").waitFor();
  await studio.add("Sphere");
  await eventually("the raster view to be drawn", () =>
    page.getByTestId("raster-canvas").evaluate((canvas) => canvas.width !== 300 && canvas.width > 0),
  );
  assert.equal(cut.size, 2);
  studio.assertNoProblems(NETWORK_FAULTS);
});

/** Numbers in 0..1 that are the same for the same seed (mulberry32). */
function randomOf(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
