import assert from "node:assert/strict";
import { test } from "node:test";
import { runProgram } from "../harness/server.js";
import { setStage } from "../harness/stage.js";

const stage = setStage();

test("a session begun in the page is gone on with in the terminal, and the page follows", async () => {
  const studio = await stage.browser.openStudio(stage.server.url);
  const { page } = studio;
  await studio.say("a red ball");
  const first = await stage.gemini.nextRequest();
  first.say("Here is a red ball.");
  first.end();
  // On a busy machine the page may not have heard yet that anything runs.
  await studio.reads(studio.answers, "Here is a red ball.");
  await studio.idle();

  // The address is what a user copies from the page.
  const talking = runProgram(["chat", "--server", page.url(), "--once", "make it blue"]);
  const second = await stage.gemini.nextRequest();
  await studio.userMessages.filter({ hasText: "make it blue" }).waitFor();
  second.say("It is blue now.");
  second.end();
  const { stdout, stderr, code } = await talking;
  assert.equal(code, 0, stderr);
  assert.equal(stdout, "It is blue now.\n");
  await page.getByTestId("chat-log").getByText("It is blue now.").waitFor();
  await studio.idle();

  const events = await runProgram(["chat", "--server", page.url(), "--json", "--once", "/undo"]);
  assert.equal(events.code, 1, "there is nothing to undo");
  const welcome = JSON.parse(events.stdout.split("\n")[0]);
  const said = welcome.chat.filter((entry) => entry.kind === "user").map((entry) => entry.text);
  assert.deepEqual(said, ["a red ball", "make it blue"]);
  studio.assertNoProblems();
});
