import assert from "node:assert/strict";
import { test } from "node:test";
import { setStage } from "./harness/stage.js";

/** Of a session that is left; more than a browser's own bookkeeping would be a leak. */
const MOST_LEFT_BYTES = 1_500_000;
/** `make soak` streams for ten minutes. */
const MINUTES = Number(process.env.SCENE_LLM_SOAK_MINUTES ?? 0);
const WORDS_PER_SESSION = 400;

const stage = setStage();

test("what a session streamed is gone from memory once another is open", async () => {
  const studio = await stage.browser.openStudio(stage.server.url);
  const measure = await heapOf(studio.page);
  // The first rounds fill caches: fonts, compiled code, pools.
  for (let round = 0; round < 2; round += 1) await streamSession(studio, round);
  const before = await measure();
  const end = Date.now() + MINUTES * 60_000;
  let rounds = 0;
  do {
    await streamSession(studio, rounds);
    rounds += 1;
  } while (rounds < 3 || Date.now() < end);
  const left = (await measure()) - before;
  assert.ok(left < MOST_LEFT_BYTES, `${rounds} sessions left ${left} bytes behind`);
  studio.assertNoProblems();
});

/** A session with an answer of many pieces, tools, edits and pictures; ends in a new, empty one. */
async function streamSession(studio, round) {
  const { page } = studio;
  await studio.say(`Talk at length ${round}`);
  const answer = await stage.gemini.nextRequest();
  for (let word = 0; word < WORDS_PER_SESSION; word += 1) answer.say(word % 20 === 0 ? `\n\n**w${word}** ` : `w${word} `);
  const sphere = { id: "ball", type: "sphere", properties: { center: [0, 0, 0], radius: 1 } };
  answer.call("create_shape", sphere);
  answer.end();
  const last = await stage.gemini.nextRequest();
  last.say("Done.");
  last.end();
  await studio.idle();
  await studio.answers.filter({ hasText: `w${WORDS_PER_SESSION - 1}` }).waitFor();
  await studio.pictureWhere("of the ball", ({ revision, samples }) => revision >= 1 && samples >= 1);
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Find a command" }).fill("begin a new");
  await page.keyboard.press("Enter");
  await page.getByTestId("starters").waitFor();
}

/** Bytes of the page's heap after what is garbage has been collected. */
async function heapOf(page) {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.enable");
  return async () => {
    for (let times = 0; times < 3; times += 1) await session.send("HeapProfiler.collectGarbage");
    return (await session.send("Runtime.getHeapUsage")).usedSize;
  };
}
