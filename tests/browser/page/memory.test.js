import assert from "node:assert/strict";
import { test } from "node:test";
import { ownBytes } from "../harness/heap.js";
import { setStage } from "../harness/stage.js";
import { radiusEdits } from "../measure/radius.js";
import { putScene, sceneOf } from "../measure/scene.js";

/** However many sessions were left: some caches of the page are not full after the first two. */
const MAX_LEFT_BYTES = 200_000;
/** By a hundred edits of one field: what each changes is let go when the next one comes. */
const MAX_LEFT_BY_EDITS_BYTES = 25_000;
/** `make soak` streams for ten minutes. */
const MINUTES = Number(process.env.SCENE_LLM_SOAK_MINUTES ?? 0);
const WORDS_PER_SESSION = 400;

const stage = setStage();

test("what a session streamed is gone from memory once another is open", async () => {
  const studio = await stage.browser.openStudio(stage.server.url);
  const measure = await ownBytes(studio.page);
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
  console.log(`${rounds} sessions left ${left} bytes behind`);
  assert.ok(left < MAX_LEFT_BYTES, `${rounds} sessions left ${left} bytes behind`);
  studio.assertNoProblems();
});

test("edits leave nothing of the page's own in memory", async () => {
  const studio = await stage.browser.openStudio(stage.server.url);
  await putScene(stage.server, await studio.sessionId(), sceneOf(20));
  const edits = await radiusEdits(studio);
  const measure = await ownBytes(studio.page);
  await edits(30);
  // A picture that is on its way just then counts once; what is never let go counts each time.
  const left = [];
  let before = await measure();
  while (left.length < 4 && !left.some((bytes) => bytes < MAX_LEFT_BY_EDITS_BYTES)) {
    await edits(100);
    const after = await measure();
    left.push(after - before);
    before = after;
  }
  console.log(`hundreds of edits left ${left.join(", ")} bytes behind`);
  assert.ok(left.at(-1) < MAX_LEFT_BY_EDITS_BYTES, `hundreds of edits left ${left.join(", ")} bytes behind`);
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
  await page.getByRole("combobox", { name: "Find a command" }).fill("new session");
  await page.keyboard.press("Enter");
  await page.getByTestId("starters").waitFor();
}
