import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { NETWORK_FAULTS, openBrowser, tint } from "./harness/browser.js";
import { ScriptedGemini } from "./harness/scripted-gemini.js";
import { startServer } from "./harness/server.js";

const RED = 0;
const isRed = ({ middle }) => tint(middle, RED) > 40;
const BALL = {
  id: "ball",
  type: "sphere",
  properties: {
    center: [0, 0, 0],
    radius: 1,
    material: { type: "lambertian", albedo: [0.8, 0.05, 0.05] },
  },
};

let gemini;
let server;
let browser;
before(async () => {
  gemini = await ScriptedGemini.start();
  server = await startServer(gemini.variables);
  browser = await openBrowser();
});
afterEach(() => browser.closePages());
after(async () => {
  await browser?.close();
  await server?.stop();
  gemini?.stop();
});

test("a server that is killed and started again finds the page waiting, with chat and scene as they were", async () => {
  const studio = await browser.openStudio(server.url);
  const session = await studio.sessionId();
  await studio.say("a red ball");
  const first = await gemini.nextRequest();
  first.call("create_shape", BALL);
  first.end();
  const second = await gemini.nextRequest();
  second.say("It is there.");
  second.end();
  await studio.idle();
  await studio.pictureWhere("red in the middle", isRed);
  const shown = (await studio.log.innerText()).trim();
  const scene = await sceneOf(session);

  await server.kill();
  await studio.banner.filter({ hasText: "Connection lost." }).waitFor();
  await studio.composer.fill("typed while the server was gone");
  await studio.reads(studio.log, shown);
  await server.startAgain();
  await studio.connected();
  await studio.banner.filter({ hasText: "Nothing was missed" }).waitFor();
  await studio.reads(studio.log, shown);
  assert.equal(await studio.sessionId(), session);
  assert.equal(await studio.composer.inputValue(), "typed while the server was gone");
  assert.deepEqual(await sceneOf(session), scene);

  await studio.page.reload();
  await studio.connected();
  await studio.reads(studio.log, shown);
  await studio.pictureWhere("red in the middle", isRed);
  studio.assertNoProblems(NETWORK_FAULTS);
});

test("an answer that the end of the server cut off is closed, and the next message is answered", async () => {
  const studio = await browser.openStudio(server.url);
  await studio.say("Count");
  const answer = await gemini.nextRequest();
  answer.say("one two ");
  await studio.reads(studio.answers, "one two");
  await server.kill();
  await studio.banner.filter({ hasText: "Connection lost." }).waitFor();
  await server.startAgain();
  await studio.notices.filter({ hasText: "The server stopped while the model was working" }).waitFor();
  await studio.idle();
  await studio.reads(studio.answers, "one two");

  await studio.say("Go on");
  const next = await gemini.nextRequest();
  next.say("three");
  next.end();
  await studio.idle();
  await studio.reads(studio.answers.last(), "three");
  studio.assertNoProblems(NETWORK_FAULTS);
});

async function sceneOf(session) {
  return (await fetch(`${server.url}/api/sessions/${session}/scene`)).json();
}
