import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { assertAccessible } from "../harness/axe.js";
import { eventually, NETWORK_FAULTS } from "../harness/browser.js";
import { setStage } from "../harness/stage.js";

const stage = setStage();

test("a session is named by its first message, and renamed by a click, in every page", async () => {
  const studio = await started("a red ball on grass");
  const { page } = studio;
  const other = await stage.browser.openStudio(page.url());
  const name = page.getByTestId("session-name");
  await studio.reads(name, "a red ball on grass");
  assert.equal(await page.title(), "a red ball on grass – scene-llm");

  await name.click();
  const field = page.getByRole("textbox", { name: "Name of the session" });
  await field.fill("Nothing of this stays");
  await field.press("Escape");
  await studio.reads(name, "a red ball on grass");
  // The focus is back, once the button is drawn again.
  await name.and(page.locator(":focus")).waitFor();

  await page.keyboard.press("Enter");
  await field.fill("Balls");
  await field.press("Enter");
  await studio.reads(name, "Balls");
  await other.reads(other.page.getByTestId("session-name"), "Balls");
  await page.reload();
  await studio.reads(name, "Balls");
  studio.assertNoProblems();
  other.assertNoProblems();
});

test("who writes on while the name is being saved, writes where they clicked", async () => {
  const studio = await started("a red ball on grass");
  const { page } = studio;
  let save = () => {};
  const saving = new Promise((resolve) => {
    save = resolve;
  });
  await page.route("**/api/v1/sessions/*", async (route) => {
    if (route.request().method() !== "PATCH") return route.fallback();
    await saving;
    await route.fallback();
  });
  await page.getByTestId("session-name").click();
  const field = page.getByRole("textbox", { name: "Name of the session" });
  await field.fill("Castle");
  const asked = page.waitForRequest((request) => request.method() === "PATCH");
  await field.press("Enter");
  await asked;
  await studio.composer.click();
  await page.keyboard.type("put a sign");
  save();
  await studio.reads(page.getByTestId("session-name"), "Castle");
  await page.keyboard.type(" that says LILY");
  assert.equal(await studio.composer.inputValue(), "put a sign that says LILY");
  studio.assertNoProblems();
});

test("any session is renamed in the list, the shown one and others", async () => {
  const other = await started("a lighthouse on a rock");
  const studio = await started("a windmill by a lake");
  const { page } = studio;
  await page.getByTestId("sessions").click();
  const rename = async (before, after, key = "Enter") => {
    const row = page.getByTestId("session-row").filter({ hasText: before });
    await row.hover();
    await row.getByRole("button", { name: `Rename ${before}` }).click();
    const field = page.getByTestId("session-rename");
    assert.equal(await field.inputValue(), before);
    await field.fill(after);
    await field.press(key);
    await field.waitFor({ state: "detached" });
  };
  await rename("a windmill by a lake", "Not this", "Escape");
  await page.getByTestId("session-row").filter({ hasText: "a windmill by a lake" }).waitFor();
  await rename("a windmill by a lake", "Windmill");
  await page.getByTestId("session-row").filter({ hasText: "Windmill" }).waitFor();
  await studio.reads(page.getByTestId("session-name"), "Windmill");
  await rename("a lighthouse on a rock", "Lighthouse");
  await page.getByTestId("session-row").filter({ hasText: "Lighthouse" }).waitFor();
  await other.reads(other.page.getByTestId("session-name"), "Lighthouse");
  await assertAccessible(page, "sessions renamed in the list");
  studio.assertNoProblems();
  other.assertNoProblems();
});

test("sessions are listed, newest first, found by their words, opened and copied", async () => {
  const first = await started("a pyramid of crates");
  const firstId = await first.sessionId();
  const studio = await started("a snowman at dusk");
  const { page } = studio;
  const id = await studio.sessionId();
  await page.getByTestId("sessions").click();
  const rows = page.getByTestId("session-row");
  await rows.filter({ hasText: "a snowman at dusk" }).waitFor();
  const titles = await page.locator(".session-title").allInnerTexts();
  assert.ok(titles.indexOf("a snowman at dusk") < titles.indexOf("a pyramid of crates"), "newest first");
  assert.match(await rows.first().innerText(), /just now · 1 message/);
  await studio.screenshot("browser-sessions-dark");

  const search = page.getByRole("searchbox", { name: "Search sessions" });
  await search.fill("crates");
  await eventually("one session found", async () => (await rows.count()) === 1);
  await search.fill("unheard of");
  await page.getByText("No results.").waitFor();
  await search.fill("crates");
  await rows.filter({ hasText: "a pyramid of crates" }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await studio.userMessages.filter({ hasText: "a pyramid of crates" }).waitFor();
  assert.equal(await studio.sessionId(), firstId);
  await page.getByTestId("sessions-panel").waitFor({ state: "detached" });

  await page.getByTestId("sessions").click();
  await page.getByRole("button", { name: "Duplicate a snowman at dusk" }).click();
  await studio.reads(page.getByTestId("session-name"), "a snowman at dusk (copy)");
  await studio.userMessages.filter({ hasText: "a snowman at dusk" }).waitFor();
  assert.ok(![id, firstId].includes(await studio.sessionId()));

  await page.getByTestId("sessions").click();
  await page.keyboard.press("Escape");
  await page.getByTestId("sessions-panel").waitFor({ state: "detached" });
  await page.getByTestId("sessions").and(page.locator(":focus")).waitFor();
  studio.assertNoProblems();
});

test("deleting asks first; another page that shows the session says that it is gone", async () => {
  const studio = await started("a thing to delete");
  const { page } = studio;
  const id = await studio.sessionId();
  const other = await stage.browser.openStudio(page.url());
  await other.composer.fill("half a sentence");

  await page.getByTestId("sessions").click();
  await page.getByRole("button", { name: "Delete a thing to delete" }).click();
  const keep = page.getByRole("button", { name: "Keep a thing to delete" });
  // The harmless way has the focus, once the question is drawn.
  await keep.and(page.locator(":focus")).waitFor();
  await studio.screenshot("browser-delete-dark");
  await page.keyboard.press("Escape");
  await keep.waitFor({ state: "detached" });
  assert.equal((await fetch(`${stage.server.url}/api/sessions/${id}`)).status, 200);

  await page.getByRole("button", { name: "Delete a thing to delete" }).click();
  await page.getByTestId("confirm-delete").click();
  await page.getByTestId("starters").waitFor();
  await eventually("another session", async () => (await studio.sessionId()) !== id);
  assert.equal((await fetch(`${stage.server.url}/api/sessions/${id}`)).status, 404);
  assert.equal(await page.getByText("That session").count(), 0, "who deletes it knows");

  await other.banner.filter({ hasText: "was deleted" }).waitFor();
  await other.page.getByTestId("starters").waitFor();
  assert.equal(await other.composer.inputValue(), "half a sentence");
  await other.screenshot("browser-deleted-elsewhere-dark");
  studio.assertNoProblems(NETWORK_FAULTS);
  other.assertNoProblems(NETWORK_FAULTS);
});

test("a session leaves as a file and comes back, by the picker and by dropping it", async () => {
  const studio = await started("a ball to take along");
  const { page } = studio;
  const original = await studio.sessionId();
  const shown = (await studio.log.innerText()).trim();
  await page.getByTestId("sessions").click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByTestId("export-session").click(),
  ]);
  assert.equal(download.suggestedFilename(), "a-ball-to-take-along.scene-llm");
  const content = readFileSync(await download.path(), "utf8");

  await page.getByTestId("import-file").setInputFiles({
    name: "a.scene-llm",
    mimeType: "application/x-ndjson",
    buffer: Buffer.from(content),
  });
  await eventually("another session", async () => (await studio.sessionId()) !== original);
  await studio.reads(studio.log, shown);
  const imported = await studio.sessionId();

  const drop = (text) =>
    page.evaluate((text) => {
      const data = new DataTransfer();
      data.items.add(new File([text], "b.scene-llm"));
      const over = new DragEvent("dragover", { dataTransfer: data, bubbles: true, cancelable: true });
      document.body.dispatchEvent(over);
      return new Promise((resolve) => {
        requestAnimationFrame(() => {
          const told = document.querySelector('[data-testid="drop-target"]')?.textContent;
          document.body.dispatchEvent(
            new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }),
          );
          resolve(told);
        });
      });
    }, text);
  assert.match(await drop(content), /or a session/);
  await eventually("a third session", async () => ![original, imported].includes(await studio.sessionId()));
  await studio.reads(studio.log, shown);

  await drop("no session at all");
  await page.getByTestId("toast").filter({ hasText: "b.scene-llm could not be opened" }).waitFor();
  await studio.reads(studio.log, shown);
  studio.assertNoProblems(NETWORK_FAULTS);
});

test("a view link shows everything and changes nothing; taken back, it opens nothing", async () => {
  const studio = await started("a shared ball");
  const { page } = studio;
  const shown = (await studio.answers.innerText()).trim();
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByTestId("share").click();
  await page.getByTestId("share-view").click();
  await page.getByTestId("share-notice").filter({ hasText: "The new view link is copied" }).waitFor();
  const look = page.locator('[data-testid="share-link"][data-access="view"]');
  const address = await look.getByRole("textbox", { name: "Address of the view link" }).inputValue();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), address);
  await look.getByText("View only", { exact: true }).waitFor();
  await studio.screenshot("browser-share-dark");
  const token = new URLSearchParams(new URL(address).hash.slice(1)).get("session");
  assert.notEqual(token, await studio.sessionId());

  // Either form of the address opens it.
  const viewer = await stage.browser.openStudio(`${stage.server.url}/?session=${token}`);
  await viewer.page.getByTestId("toggle-chat").click();
  await viewer.reads(viewer.answers, shown);
  await viewer.reads(viewer.page.getByTestId("read-only"), "View only: this link does not allow editing.");
  for (const hidden of ["composer", "undo", "share", "edit-message", "restore-before", "model-picker"]) {
    assert.equal(await viewer.page.getByTestId(hidden).count(), 0, hidden);
  }
  assert.equal(await viewer.sessionId(), token);
  await viewer.screenshot("browser-read-only-dark");

  // What the owner does goes on being seen.
  await studio.page.keyboard.press("Escape");
  await studio.say("and another");
  const request = await stage.gemini.nextRequest();
  await viewer.userMessages.filter({ hasText: "and another" }).waitFor();
  await viewer.page.keyboard.press("Escape");
  request.say("Here.");
  request.end();
  await studio.idle();
  await viewer.reads(viewer.answers.last(), "Here.");

  // Guests are shown no other sessions, and change nothing "by themselves".
  await viewer.page.getByTestId("sessions").click();
  await viewer.page.getByText("You are viewing this session by a link.").waitFor();
  assert.equal(await viewer.page.getByTestId("session-row").count(), 0);
  await viewer.page.keyboard.press("Escape");

  await page.getByTestId("share").click();
  await page.getByTestId("share-view").click();
  await eventually("two links", async () => (await look.count()) === 2);
  const focused = () => page.evaluate(() => document.activeElement?.dataset.testid);
  await look.nth(0).getByTestId("revoke-link").click();
  await eventually("one link", async () => (await look.count()) === 1);
  await eventually("the focus on the next link's button", async () => (await focused()) === "revoke-link");
  await page.keyboard.press("Enter");
  await look.waitFor({ state: "detached" });
  await eventually("the focus on what makes links", async () => (await focused()) === "share-view");
  await viewer.page.reload();
  await viewer.banner.filter({ hasText: "That session was not found" }).waitFor();
  studio.assertNoProblems();
  viewer.assertNoProblems(NETWORK_FAULTS);
});

test("an edit link edits, and shares no further", async () => {
  const studio = await started("a ball for two");
  await studio.page.getByTestId("share").click();
  await studio.page.getByTestId("share-edit").click();
  const link = studio.page.locator('[data-testid="share-link"][data-access="edit"]');
  const address = await link.getByRole("textbox").inputValue();
  const guest = await stage.browser.openStudio(address);
  await guest.say("blue, please");
  const request = await stage.gemini.nextRequest();
  request.say("Blue it is.");
  request.end();
  await guest.idle();
  await studio.reads(studio.answers.last(), "Blue it is.");
  await guest.page.getByTestId("share").click();
  await guest.page.getByRole("alert").filter({ hasText: "only the session's own id allows this" }).waitFor();
  studio.assertNoProblems();
  guest.assertNoProblems(NETWORK_FAULTS);
});

test("narrow and light, the panels fit the page", async () => {
  const studio = await started("a ball on a phone with quite a long name for so small a page");
  const { page } = studio;
  await page.getByTestId("theme").click();
  await page.setViewportSize({ width: 390, height: 844 });
  await studio.screenshot("browser-narrow-light");
  for (const panel of ["sessions", "share"]) {
    await page.getByTestId(panel).click();
    const box = await page.getByTestId(`${panel}-panel`).boundingBox();
    assert.ok(box.x >= 0 && box.x + box.width <= 390, `${panel} sticks out`);
    await studio.screenshot(`browser-${panel}-narrow-light`);
    await page.keyboard.press("Escape");
  }
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
  studio.assertNoProblems();
});

/** A page in whose session something was said and answered. */
async function started(text) {
  const studio = await stage.browser.openStudio(stage.server.url);
  await studio.say(text);
  const request = await stage.gemini.nextRequest();
  request.say(`So: ${text}.`);
  request.end();
  await studio.idle();
  return studio;
}

test("who edits with others is told when they change what is selected here", async () => {
  const studio = await stage.browser.openStudio(stage.server.url);
  const { page } = studio;
  await studio.add("Sphere");
  const session = await studio.sessionId();
  const link = await shared(session, "edit");
  const other = await stage.browser.openStudio(`${stage.server.url}/?session=${link.token}`);
  await other.page.getByTestId("people").click();
  await other.page.getByLabel("Your name for others").fill("Ada Lovelace");
  await other.page.keyboard.press("Tab");
  await other.page.keyboard.press("Escape");
  await page.getByTestId("people-here").waitFor();
  const ball = (studio) => studio.page.getByRole("treeitem", { name: /^sphere/ });
  await ball(studio).click();
  await ball(other).click();
  await page.locator('[data-testid="outline-person"][title="Selected by Ada Lovelace"]').waitFor();
  await page.getByTestId("outline-other").waitFor({ state: "attached" });
  const radius = other.page.getByTestId("inspector").getByRole("textbox", { name: "Radius", exact: true });
  await radius.fill("0.7");
  await radius.press("Enter");
  const note = page.getByTestId("toast").filter({ hasText: "Ada Lovelace changed sphere, which you have selected." });
  await note.waitFor();
  await page.getByRole("treeitem", { name: "sphere, changed by Ada Lovelace" }).waitFor();
  await studio.screenshot("others-edit-dark");
  await page.evaluate(() => {
    document.documentElement.dataset.theme = "light";
  });
  await assertAccessible(page, "an edit of somebody else");
  await studio.screenshot("others-edit-light");
  assert.equal(await other.page.getByTestId("toast").count(), 0, "nobody is told of their own edits");
  await note.getByRole("button", { name: "Dismiss" }).click();
  await other.page.getByTestId("undo").click();
  await note.waitFor();
  assert.equal(await other.page.getByTestId("toast").count(), 0, "nor of their own undoing");
  studio.assertNoProblems();
  other.assertNoProblems();
});

test("two people see each other and what each has selected", async () => {
  const studio = await stage.browser.openStudio(stage.server.url);
  const { page } = studio;
  await studio.add("Sphere");
  const session = await studio.sessionId();
  const link = await shared(session, "view");
  assert.equal(await page.getByTestId("people-here").count(), 0, "nobody else is here");
  const other = await stage.browser.openStudio(`${stage.server.url}/?session=${link.token}`);
  await page.getByTestId("people-here").waitFor();
  await other.page.getByTestId("people").click();
  await other.page.getByLabel("Your name for others").fill("Ada Lovelace");
  await other.page.keyboard.press("Tab");
  await page.getByTestId("people").click();
  await page.getByTestId("person").filter({ hasText: "Ada Lovelace" }).filter({ hasText: "looks on" }).waitFor();
  await other.page.keyboard.press("Escape");
  await other.page.getByTestId("toggle-document").click();
  await other.page.getByTestId("outline-row").filter({ hasText: "sphere" }).click();
  await page.locator('[data-testid="outline-person"][title="Selected by Ada Lovelace"]').waitFor();
  await studio.screenshot("people-dark");
  await other.page.close();
  await page.getByTestId("people-here").waitFor({ state: "detached" });
  studio.assertNoProblems();
});

/** A link to a session. */
async function shared(session, access) {
  const answer = await fetch(`${stage.server.url}/api/sessions/${session}/shares`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ access }),
  });
  return answer.json();
}
