import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../harness/browser.js";
import { setStage } from "../harness/stage.js";

const SPHERE = { id: "ball", type: "sphere", properties: { center: [0, 0, 0], radius: 1 } };

const stage = setStage();

test("Stop in the middle of an answer keeps what is there, and the next message is answered", async () => {
  const studio = await stage.browser.openStudio(stage.server.url);
  await studio.say("Build a town");
  const first = await stage.gemini.nextRequest();
  first.call("create_shape", SPHERE);
  first.end();
  const second = await stage.gemini.nextRequest();
  second.say("The ball stands. Now I go on with ");
  await studio.reads(studio.answers.last(), "The ball stands. Now I go on with");

  await studio.stop.click();
  await second.dropped;
  await studio.idle();
  await studio.reads(studio.notices, "Stopped.");
  await studio.reads(studio.answers.last(), "The ball stands. Now I go on with");
  assert.equal(await studio.tools.getAttribute("data-status"), "ok");
  assert.equal((await sceneOf(studio)).shapes[0].id, "ball");

  await studio.say("Go on");
  const third = await stage.gemini.nextRequest();
  third.say("Here is ");
  third.say("the rest.");
  third.end();
  await studio.idle();
  await studio.reads(studio.answers.last(), "Here is the rest.");
  assert.equal(await studio.answers.count(), 2);
  assert.equal(await studio.notices.count(), 1);

  const shown = await studio.log.innerText();
  await studio.page.reload();
  await studio.reads(studio.log, shown.trim());
  studio.assertNoProblems();
});

test("Escape stops too, before the first word", async () => {
  const studio = await stage.browser.openStudio(stage.server.url);
  await studio.say("Build a town");
  const request = await stage.gemini.nextRequest();
  await studio.page.keyboard.press("Escape");
  await request.dropped;
  await studio.idle();
  await studio.reads(studio.notices, "Stopped.");
  assert.equal(await studio.answers.count(), 0);
  studio.assertNoProblems();
});

test("a message during a run is read by the model at its next turn", async () => {
  const studio = await stage.browser.openStudio(stage.server.url);
  await studio.say("Make a ball");
  const first = await stage.gemini.nextRequest();
  first.say("I make one. ");
  await studio.answers.waitFor();
  await studio.say("and call it moon");
  // Until the server has it: the run ends otherwise before it comes.
  await studio.page.getByTestId("message-outgoing").waitFor({ state: "detached" });
  first.call("create_shape", { ...SPHERE, id: "moon" });
  first.end();
  const second = await stage.gemini.nextRequest();
  assert.match(JSON.stringify(second.request.contents.at(-1)), /and call it moon/);
  second.say("It is called moon.");
  second.end();
  await studio.idle();
  await studio.reads(studio.answers.last(), "It is called moon.");
  assert.equal(await studio.userMessages.count(), 2);
  studio.assertNoProblems();
});

test("each call of a wave shows what it changed, and nothing else", async () => {
  const studio = await stage.browser.openStudio(stage.server.url);
  await studio.say("Make three balls");
  const first = await stage.gemini.nextRequest();
  const ids = ["left", "middle", "right"];
  ids.forEach((id, index) => {
    first.call("create_shape", { ...SPHERE, id, properties: { center: [3 * index - 3, 0, 0], radius: 1 } });
  });
  first.end();
  const second = await stage.gemini.nextRequest();
  second.say("Three.");
  second.end();
  await studio.idle();
  const dots = await studio.tools.evaluateAll((cards) =>
    cards.map((card) => card.querySelectorAll('[title="added shape"]').length),
  );
  assert.deepEqual(dots, [1, 1, 1]);
  await studio.page.getByText("Changed", { exact: true }).waitFor();
  const shown = (await studio.log.innerText()).trim();
  await studio.page.reload();
  await studio.reads(studio.log, shown);
  studio.assertNoProblems();
});

test("many calls of a wave are one line that unfolds; a failed one stands out; the end of a long answer stays in view", async () => {
  const studio = await stage.browser.openStudio(stage.server.url);
  const { page } = studio;
  await studio.say("Build a town");
  const first = await stage.gemini.nextRequest();
  for (let house = 0; house < 30; house += 1) {
    const radius = house === 20 ? -1 : 0.4;
    first.call("create_shape", {
      id: `house_${house}`,
      type: "sphere",
      properties: { center: [house, 0, 0], radius },
    });
  }
  first.end();
  const second = await stage.gemini.nextRequest();
  const fold = page.getByTestId("tool-fold");
  await fold.filter({ hasText: "24 more calls" }).waitFor();
  assert.equal(await studio.tools.count(), 6);
  await page.locator('[data-testid="tool-card"][data-status="failed"]', { hasText: "house_20" }).waitFor();
  const words = [];
  for (let paragraph = 0; paragraph < 40; paragraph += 1) {
    words.push(`Paragraph ${paragraph} of the town.`);
    second.say(`${words.at(-1)}\n\n`);
  }
  second.end();
  await studio.idle();
  await studio.answers.last().getByText(words.at(-1)).waitFor();
  await eventually("the end in view", () =>
    studio.log.evaluate((log) => log.scrollHeight - log.scrollTop - log.clientHeight < 2),
  );
  assert.equal(await page.getByRole("button", { name: "Latest" }).count(), 0);
  await fold.focus();
  await page.keyboard.press("Enter");
  await eventually("all calls", async () => (await studio.tools.count()) === 30);
  await studio.screenshot("run-unfolded-dark");
  await page.keyboard.press("Enter");
  await eventually("few calls", async () => (await studio.tools.count()) === 6);
  await fold.scrollIntoViewIfNeeded();
  await studio.screenshot("run-folded-dark");
  studio.assertNoProblems();
});

test("a failed call shows what was wrong", async () => {
  const studio = await stage.browser.openStudio(stage.server.url);
  await studio.say("Make a ball");
  const first = await stage.gemini.nextRequest();
  first.call("create_shape", { ...SPHERE, properties: { center: [0, 0, 0], radius: -1 } });
  first.end();
  await studio.page.locator('[data-testid="tool-card"][data-status="failed"]').waitFor();
  assert.match(await studio.tools.innerText(), /radius/);
  const second = await stage.gemini.nextRequest();
  second.say("That did not work.");
  second.end();
  await studio.idle();
  await studio.screenshot("browser-failed-call-dark");
  studio.assertNoProblems();
});

test("a model that is busy is asked again, and the page says so meanwhile", async () => {
  const studio = await stage.browser.openStudio(stage.server.url);
  await studio.say("Make a ball");
  const first = await stage.gemini.nextRequest();
  first.fail(503, "The model is overloaded.");
  const retrying = studio.page.getByTestId("retrying");
  await retrying.filter({ hasText: "Retrying" }).waitFor();
  const second = await stage.gemini.nextRequest();
  second.say("Here I am.");
  await studio.reads(studio.answers, "Here I am.");
  await retrying.waitFor({ state: "detached" });
  second.end();
  await studio.idle();
  studio.assertNoProblems();
});

test("a model's error is told, and still after loading the page again", async () => {
  const studio = await stage.browser.openStudio(stage.server.url);
  await studio.say("Make a ball");
  const request = await stage.gemini.nextRequest();
  request.fail(400, "This request cannot be answered.");
  await studio.idle();
  await studio.page.locator(".notice-error", { hasText: "This request cannot be answered" }).waitFor();
  const shown = (await studio.log.innerText()).trim();
  await studio.screenshot("browser-model-error-dark");
  await studio.page.reload();
  await studio.reads(studio.log, shown);
  await studio.page.locator(".notice-error").waitFor();
  studio.assertNoProblems();
});

test("the model one page chooses is the model of all pages of the session", async () => {
  const studio = await stage.browser.openStudio(stage.server.url);
  await studio.sessionId();
  const other = await stage.browser.openStudio(studio.page.url());
  const picker = studio.page.getByRole("combobox", { name: "Model" });
  const ids = await picker.locator("option").evaluateAll((options) => options.map((option) => option.value));
  const current = await picker.inputValue();
  const another = ids.find((id) => id !== current);
  await picker.selectOption(another);
  const otherPicker = other.page.getByRole("combobox", { name: "Model" });
  await eventually("the other page to follow", async () => (await otherPicker.inputValue()) === another);
  studio.assertNoProblems();
  other.assertNoProblems();
});

async function sceneOf(studio) {
  const response = await fetch(`${stage.server.url}/api/sessions/${await studio.sessionId()}/scene`);
  return response.json();
}
