import assert from "node:assert/strict";
import { test } from "node:test";
import { setStage } from "./harness/stage.js";

/** However many sessions were left: some caches of the page are not full after the first two. */
const MAX_LEFT_BYTES = 200_000;
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

/** What a page itself makes; compiled code and the browser's own lists of what it measured and of what can be undone are not. */
const OWN = ["object", "closure", "array", "string", "concatenated string", "sliced string", "number", "regexp", "symbol", "bigint"];

/** Bytes of the page's own objects after what is garbage has been collected. */
async function ownBytes(page) {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.enable");
  let text = "";
  session.on("HeapProfiler.addHeapSnapshotChunk", ({ chunk }) => {
    text += chunk;
  });
  return async () => {
    text = "";
    for (let times = 0; times < 3; times += 1) await session.send("HeapProfiler.collectGarbage");
    await session.send("HeapProfiler.takeHeapSnapshot", { reportProgress: false });
    const { snapshot, nodes } = JSON.parse(text);
    const { node_fields: fields, node_types: types } = snapshot.meta;
    const [kind, size] = [fields.indexOf("type"), fields.indexOf("self_size")];
    let bytes = 0;
    for (let node = 0; node < nodes.length; node += fields.length) {
      if (OWN.includes(types[kind][nodes[node + kind]])) bytes += nodes[node + size];
    }
    return bytes;
  };
}
