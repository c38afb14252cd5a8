import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { eventually, openBrowser, tint } from "../harness/browser.js";
import { startMockServer } from "../harness/server.js";

const RED = 0;
const BLUE = 2;
const colour = (albedo) => ({ material: { type: "lambertian", albedo } });
const RESPONSES = [
  {
    text: "A **red** ball:",
    tool_calls: [
      {
        name: "create_shape",
        arguments: {
          id: "ball",
          type: "sphere",
          properties: { center: [0, 0, 0], radius: 1, ...colour([0.8, 0.05, 0.05]) },
        },
      },
      { name: "get_scene_state", arguments: {} },
    ],
  },
  "It is there.",
  {
    tool_calls: [
      {
        name: "update_shape",
        arguments: { id: "ball", updates: { properties: colour([0.05, 0.05, 0.8]) } },
      },
    ],
  },
  "It is blue now.",
];

const isRed = ({ middle }) => tint(middle, RED) > 40;
const isBlue = ({ middle }) => tint(middle, BLUE) > 40;

let server;
let browser;
before(async () => {
  server = await startMockServer(RESPONSES);
  browser = await openBrowser();
});
afterEach(() => browser.closePages());
after(async () => {
  await browser?.close();
  await server?.stop();
});

test("a reload keeps chat, picture and scene", async () => {
  const studio = await browser.openStudio(server.url);
  const session = await studio.sessionId();
  await studio.say("a red ball");
  await studio.idle();
  const before = await studio.pictureWhere("red in the middle", isRed);
  const shown = (await studio.log.innerText()).trim();
  const scene = await sceneOf(session);
  assert.match(shown, /It is there\./);

  await studio.page.reload();
  await studio.connected();
  assert.equal(await studio.sessionId(), session);
  await studio.reads(studio.log, shown);
  const again = await studio.pictureWhere("red in the middle", isRed);
  assert.equal(again.revision, before.revision);
  assert.deepEqual(await sceneOf(session), scene);
  studio.assertNoProblems();
});

test("two pages of a session show the same, live; Undo takes a change back, Redo makes it again", async () => {
  const studio = await browser.openStudio(server.url);
  const session = await studio.sessionId();
  const undo = studio.page.getByRole("button", { name: "Undo" });
  const redo = studio.page.getByRole("button", { name: "Redo" });
  assert.ok(await undo.isDisabled(), "there is nothing to undo yet");

  const other = await browser.openStudio(studio.page.url());
  await studio.say("a red ball");
  await other.userMessages.filter({ hasText: "a red ball" }).waitFor();
  await studio.idle();
  await studio.say("blue, please");
  await studio.idle();
  await other.idle();
  await studio.pictureWhere("blue in the middle", isBlue);
  await other.pictureWhere("blue in the middle", isBlue);
  await other.reads(other.log, (await studio.log.innerText()).trim());
  const scene = await sceneOf(session);

  assert.ok(await redo.isDisabled(), "there is nothing to redo yet");
  await undo.click();
  await studio.pictureWhere("red again", isRed);
  await other.pictureWhere("red again", isRed);
  await studio.log.getByText("Undid:").waitFor();
  await other.log.getByText("Undid:").waitFor();
  await redo.click();
  await studio.pictureWhere("blue again", isBlue);
  await studio.log.getByText("Redid:").waitFor();
  assert.deepEqual(await sceneOf(session), scene);
  await studio.screenshot("browser-undo-redo-dark");

  await undo.click();
  await undo.click();
  await eventually("nothing left to undo", () => undo.isDisabled());
  assert.deepEqual((await sceneOf(session)).shapes, []);
  studio.assertNoProblems();
  other.assertNoProblems();
});

test("a new session is empty, and Back leads to the old one", async () => {
  const studio = await browser.openStudio(server.url);
  const session = await studio.sessionId();
  await studio.say("a red ball");
  await studio.idle();
  await studio.page.getByTestId("sessions").click();
  await studio.page.getByTestId("new-session").click();
  await studio.page.getByTestId("starters").waitFor();
  await eventually("another session", async () => (await studio.sessionId()) !== session);
  await studio.page.goBack();
  await studio.userMessages.filter({ hasText: "a red ball" }).waitFor();
  assert.equal(await studio.sessionId(), session);
  studio.assertNoProblems();
});

async function sceneOf(session) {
  return (await fetch(`${server.url}/api/sessions/${session}/scene`)).json();
}
