import assert from "node:assert/strict";
import { test } from "node:test";
import { NETWORK_FAULTS, tint } from "../harness/browser.js";
import { setStage } from "../harness/stage.js";

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

const stage = setStage();

test("a server that is killed and started again finds the page waiting, with chat and scene as they were", async () => {
  const studio = await stage.browser.openStudio(stage.server.url);
  const session = await studio.sessionId();
  await studio.say("a red ball");
  const first = await stage.gemini.nextRequest();
  first.call("create_shape", BALL);
  first.end();
  const second = await stage.gemini.nextRequest();
  second.say("It is there.");
  second.end();
  await studio.idle();
  await studio.pictureWhere("red in the middle", isRed);
  const shown = (await studio.log.innerText()).trim();
  const scene = await sceneOf(session);

  await stage.server.kill();
  await studio.banner.filter({ hasText: "Connection lost." }).waitFor();
  await studio.composer.fill("typed while the server was gone");
  await studio.reads(studio.log, shown);
  await stage.server.startAgain();
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
  const studio = await stage.browser.openStudio(stage.server.url);
  await studio.say("Count");
  const answer = await stage.gemini.nextRequest();
  answer.say("one two ");
  await studio.reads(studio.answers, "one two");
  await stage.server.kill();
  await studio.banner.filter({ hasText: "Connection lost." }).waitFor();
  await stage.server.startAgain();
  await studio.notices.filter({ hasText: "The server stopped while the model was working" }).waitFor();
  await studio.idle();
  await studio.reads(studio.answers, "one two");

  await studio.say("Go on");
  const next = await stage.gemini.nextRequest();
  next.say("three");
  next.end();
  await studio.idle();
  await studio.reads(studio.answers.last(), "three");
  studio.assertNoProblems(NETWORK_FAULTS);
});

async function sceneOf(session) {
  return (await fetch(`${stage.server.url}/api/sessions/${session}/scene`)).json();
}
