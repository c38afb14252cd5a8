import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../harness/browser.js";
import { setStage } from "../harness/stage.js";

const ball = (id) => ({ id, type: "sphere", properties: { center: [0, 0, 0], radius: 1 } });

const stage = setStage();

test("a message can be said in another way; both ways stay, and a switch leads from one to the other", async () => {
  const studio = await stage.browser.openStudio(stage.server.url);
  const { page } = studio;
  await makes(studio, "a ball", "ball");
  await makes(studio, "a second ball", "second");

  await edit(studio, 1);
  const editor = page.getByRole("textbox", { name: "Edited message" });
  assert.equal(await editor.inputValue(), "a second ball");
  await editor.fill("a box");
  await studio.screenshot("browser-edit-message-dark");
  await editor.press("Escape");
  await studio.reads(studio.userMessages.nth(1), "a second ball");
  assert.ok(await hasFocus(page.getByTestId("edit-message").nth(1)), "the focus is back");

  await edit(studio, 1);
  await editor.fill("a third ball");
  await editor.press("Enter");
  await answers(await stage.gemini.nextRequest(), "third");
  await studio.idle();
  await studio.reads(studio.userMessages.nth(1), "a third ball");
  await eventually("the scene of the new version", async () => String(await ids(studio)) === "ball,third");
  const versions = page.getByRole("group", { name: "Versions of this message" });
  await versions.getByText("2 / 2").waitFor();
  assert.ok(await hasFocus(studio.composer), "ready for the next message");
  await eventually("the new answer", async () => /third/.test(await studio.log.innerText()));
  assert.doesNotMatch(await studio.answers.last().innerText(), /second/);

  // Once more, from the new version: it stands beside both.
  await edit(studio, 1);
  await editor.fill("a fourth ball");
  await editor.press("Enter");
  await answers(await stage.gemini.nextRequest(), "fourth");
  await studio.idle();
  await versions.getByText("3 / 3").waitFor();
  await studio.screenshot("browser-branches-dark");

  const previous = page.getByRole("button", { name: "Previous version" });
  await previous.press("Enter");
  await versions.getByText("2 / 3").waitFor();
  assert.ok(await hasFocus(previous), "the focus stays");
  await page.keyboard.press("Enter");
  await versions.getByText("1 / 3").waitFor();
  await page.getByRole("button", { name: "Previous version (this is the first)" }).waitFor();
  assert.ok(await hasFocus(previous), "the focus stays at the first version, too");
  await studio.reads(studio.userMessages.nth(1), "a second ball");
  await eventually("the scene of the first version", async () => String(await ids(studio)) === "ball,second");

  await page.reload();
  await versions.getByText("1 / 3").waitFor();
  const other = await stage.browser.openStudio(page.url());
  await page.getByRole("button", { name: "Next version" }).click();
  await studio.reads(studio.userMessages.nth(1), "a third ball");
  await other.reads(other.userMessages.nth(1), "a third ball");
  await other.page.getByRole("group", { name: "Versions of this message" }).getByText("2 / 3").waitFor();
  studio.assertNoProblems();
  other.assertNoProblems();
});

test("while the model works, the conversation cannot go another way, and says why", async () => {
  const studio = await stage.browser.openStudio(stage.server.url);
  await makes(studio, "a ball", "ball");
  await studio.say("more");
  const request = await stage.gemini.nextRequest();
  const button = studio.page.getByTestId("edit-message").first();
  await studio.page
    .getByRole("button", { name: "Edit and resend (the model is still running)" })
    .first()
    .waitFor();
  await button.click({ force: true });
  assert.equal(await studio.page.getByTestId("message-editor").count(), 0);
  request.say("Done.");
  request.end();
  await studio.idle();
  await button.click();
  await studio.page.getByTestId("message-editor").waitFor();
  studio.assertNoProblems();
});

test("each turn can be gone back to, before it and after it, and that can be undone", async () => {
  const studio = await stage.browser.openStudio(stage.server.url);
  const { page } = studio;
  await makes(studio, "a ball", "ball");
  await makes(studio, "a second ball", "second");
  const summaries = page.getByTestId("turn-summary");
  assert.equal(await summaries.count(), 2);
  assert.match(await summaries.first().innerText(), /Changed\s+added\s+ball/);
  const restore = { name: "Back to this" };
  assert.equal(await summaries.nth(1).getByRole("button", restore).count(), 0, "the scene is there already");
  await studio.screenshot("browser-ways-back-dark");

  // A picture of then lies beside that of now, once it is rendered; asked for twice, it is one.
  for (const _ of ["once", "again"]) {
    await summaries.first().getByRole("button", { name: "Compare with now" }).click();
    await page.getByRole("img", { name: "After “a ball”" }).waitFor();
    await summaries.first().getByRole("button", { name: "Compare with now" }).waitFor();
  }
  await page.locator('.view[data-mode="wipe"]').waitFor();
  const kept = await page.getByTestId("compare-left").locator("option").allInnerTexts();
  assert.deepEqual(kept, ["Raster", "After “a ball”"]);
  await studio.screenshot("browser-compare-then-dark");
  await studio.command("Compare with before the last message");
  await page.getByRole("img", { name: "Before “a second ball”" }).waitFor();
  await studio.command("View: Traced");

  await summaries.first().getByRole("button", restore).click();
  await eventually("the first ball alone", async () => String(await ids(studio)) === "ball");
  await page.getByRole("button", { name: "Undo" }).click();
  await eventually("both again", async () => String(await ids(studio)) === "ball,second");
  await studio.userMessages.first().hover();
  await studio.screenshot("browser-restore-dark");
  await page.getByRole("button", { name: "Restore the scene to before this message" }).first().click();
  await eventually("an empty scene", async () => (await ids(studio)).length === 0);
  assert.equal(await studio.userMessages.count(), 2, "the conversation stays");
  const own = async () => (await studio.log.innerText()).split("Edited by hand").slice(1).join();
  await eventually("the page to tell of it", async () => (await own()).includes("ball"));

  const shown = (await studio.log.innerText()).trim();
  await page.reload();
  await studio.reads(studio.log, shown);
  studio.assertNoProblems();
});

test("going to another version of a message leaves no line of an edit in the chat", async () => {
  const studio = await stage.browser.openStudio(stage.server.url);
  const { page } = studio;
  for (const [text, id] of [
    ["a ball", "ball"],
    ["a crate", "crate"],
  ]) {
    if (id === "ball") await studio.say(text);
    else {
      await page.getByRole("button", { name: "Edit and resend" }).press("Enter");
      await page.getByTestId("message-editor").getByRole("textbox").fill(text);
      await page.keyboard.press("Enter");
    }
    const first = await stage.gemini.nextRequest();
    first.call("create_shape", ball(id));
    first.end();
    const second = await stage.gemini.nextRequest();
    second.say(`Here is ${text}.`);
    second.end();
    await studio.idle();
  }
  await page.getByRole("button", { name: "Previous version" }).press("Enter");
  await eventually("the first scene", async () => String(await ids(studio)) === "ball");
  await studio.answers.filter({ hasText: "Here is a ball." }).waitFor();
  assert.equal(await page.getByText("Edited by hand").count(), 0);
  await page.reload();
  await studio.answers.filter({ hasText: "Here is a ball." }).waitFor();
  assert.equal(await page.getByText("Edited by hand").count(), 0);
  studio.assertNoProblems();
});

test("a turn that changed much says how much, and names it all when asked", async () => {
  const studio = await stage.browser.openStudio(stage.server.url);
  await studio.say("a row of balls");
  const first = await stage.gemini.nextRequest();
  for (let index = 0; index < 12; index += 1) first.call("create_shape", ball(`ball_${index}`));
  first.end();
  const second = await stage.gemini.nextRequest();
  second.call("remove_shape", { id: "ball_0" });
  second.end();
  const third = await stage.gemini.nextRequest();
  third.say("Eleven.");
  third.end();
  await studio.idle();
  const summary = studio.page.getByTestId("turn-summary");
  await summary.getByText("11 added").click();
  await summary.getByText("ball 11").waitFor();
  assert.equal(
    await summary.getByText("ball 0", { exact: true }).count(),
    0,
    "what came and went is left out",
  );
  studio.assertNoProblems();
});

/** Says `text`, to which the model answers by making a ball. */
async function makes(studio, text, id) {
  await studio.say(text);
  await answers(await stage.gemini.nextRequest(), id);
  await studio.idle();
}

async function answers(request, id) {
  request.call("create_shape", ball(id));
  request.end();
  const next = await stage.gemini.nextRequest();
  next.say(`There is ${id}.`);
  next.end();
}

async function edit(studio, index) {
  await studio.userMessages.nth(index).hover();
  await studio.page.getByTestId("edit-message").nth(index).click();
}

function hasFocus(locator) {
  return eventually("the focus to be there", () =>
    locator.evaluate((element) => element === document.activeElement),
  );
}

async function ids(studio) {
  const response = await fetch(`${stage.server.url}/api/sessions/${await studio.sessionId()}/scene`);
  return (await response.json()).shapes.map((shape) => shape.id);
}
