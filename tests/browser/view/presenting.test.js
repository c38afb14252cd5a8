import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { test } from "node:test";
import { assertAccessible } from "../harness/axe.js";
import { eventually } from "../harness/browser.js";
import { setStage } from "../harness/stage.js";
import { giveFiles, textFile } from "../harness/transfer.js";

const SCENE = {
  version: 1,
  shapes: [
    {
      id: "ball",
      type: "sphere",
      properties: {
        center: [0, 0, 0],
        radius: 1.5,
        material: { type: "lambertian", albedo: [0.8, 0.05, 0.05] },
      },
    },
  ],
  environment: { type: "uniform", emission: [0.8, 0.8, 0.8] },
  camera: { center: [0, 0, 6], look_at: [0, 0, 0] },
};

const stage = setStage();

test("a page of others shows the picture, which can be turned but not changed, even by an edit link", async () => {
  const { page, studio } = await opened();
  await page.getByTestId("share").click();
  await page.getByTestId("share-edit").click();
  const address = await page.getByTestId("share-link").getByRole("textbox").inputValue();
  const token = new URLSearchParams(new URL(address).hash.slice(1)).get("session");

  const other = createServer((_, response) => {
    response.setHeader("content-type", "text/html");
    response.end(
      `<title>Other</title><iframe src="${stage.server.url}/embed?session=${token}" width="800" height="600"></iframe>`,
    );
  });
  other.listen(0, "127.0.0.1");
  await once(other, "listening");
  try {
    const guest = await page.context().newPage();
    await guest.goto(`http://127.0.0.1:${other.address().port}/`);
    const frame = guest.frameLocator("iframe");
    await frame.getByTestId("viewer").waitFor();
    await frame.locator('[data-testid="view-canvas"][data-samples]').waitFor();
    assert.equal(await frame.getByTestId("composer").count(), 0);
    assert.equal(await frame.getByTestId("outliner").count(), 0);
    assert.equal(await frame.getByTestId("gizmo-move").count(), 0, "there are no handles");
    await frame.locator('.view:not([data-raster="loading"])').waitFor();
    await guest.mouse.move(400, 300);
    await guest.mouse.down();
    await guest.mouse.move(480, 320, { steps: 4 });
    await guest.mouse.up();
    await frame.getByTestId("back-to-camera").click();
    await frame.getByTestId("back-to-camera").waitFor({ state: "detached" });
    await guest.locator("iframe").screenshot({ path: "../../artifacts/viewer-dark.png" });
  } finally {
    other.close();
  }
  studio.assertNoProblems();
});

test("a viewer that leads to no scene says so, and begins no session", async () => {
  const { studio } = await opened();
  const sessions = async () => (await (await fetch(`${stage.server.url}/api/sessions`)).json()).sessions.length;
  const before = await sessions();
  const made = [];
  const guest = await studio.page.context().newPage();
  guest.on("websocket", (socket) => made.push(socket.url()));
  for (const address of ["/embed", "/embed?session=nonsense"]) {
    await guest.goto(stage.server.url + address);
    await guest.getByTestId("viewer-note").filter({ hasText: "There is no scene at this address" }).waitFor();
    assert.equal(await guest.getByTestId("view").count(), 0);
  }
  assert.deepEqual(made.filter((url) => !url.includes("nonsense")), [], "no session was asked for");
  assert.equal(await sessions(), before);
  await guest.screenshot({ path: "../../artifacts/viewer-without-scene-dark.png" });
  studio.assertNoProblems();
});

test("the page itself is not shown in frames of others; a view link is copied as HTML", async () => {
  const { page, studio } = await opened();
  const headers = async (path) =>
    (await fetch(`${stage.server.url}${path}`)).headers.get("content-security-policy");
  assert.match(await headers("/"), /frame-ancestors 'none'/);
  assert.match(await headers("/embed"), /frame-ancestors \*/);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByTestId("share").click();
  await page.getByTestId("share-view").click();
  await page.getByTestId("copy-embed").click();
  const html = await eventually("the HTML", async () => {
    const text = await page.evaluate(() => navigator.clipboard.readText());
    return text.startsWith("<iframe") ? text : null;
  });
  assert.match(html, /src="http:\/\/127\.0\.0\.1:\d+\/embed\?session=[^"]+"/);
  await assertAccessible(page, "links with HTML");
  studio.assertNoProblems();
});

test("the picture takes the whole screen, and goes from bookmark to bookmark by keys", async () => {
  const { page, studio } = await opened();
  for (const side of ["3", "5"]) {
    await page.keyboard.press("Escape");
    await page.getByTestId("outliner").focus();
    await page.keyboard.press(side);
    await studio.command("Bookmark this view");
  }
  await page.keyboard.press("0");
  await page.getByTestId("fullscreen").click();
  await page.locator('[data-testid="fullscreen"][aria-pressed="true"]').waitFor();
  assert.equal(await page.evaluate(() => document.fullscreenElement.dataset.testid), "view");
  const outline = async () => page.getByTestId("private-camera").count();
  assert.equal(await outline(), 0);
  await page.keyboard.press(".");
  await page.getByTestId("private-camera").waitFor();
  await page.keyboard.press(".");
  await page.keyboard.press(",");
  await page.keyboard.press("Shift+F");
  await page.locator('[data-testid="fullscreen"][aria-pressed="false"]').waitFor();
  studio.assertNoProblems();
});

test("the name of a new bookmark is open for typing at once", async () => {
  const { page, studio } = await opened();
  await page.getByTestId("camera-menu").click();
  await page.getByTestId("bookmark-add").click();
  await page.getByRole("textbox", { name: "New name of View 1" }).waitFor();
  await page.keyboard.type("Front");
  await page.keyboard.press("Enter");
  await page.getByTestId("bookmark").filter({ hasText: "Front" }).waitFor();
  await page.getByTestId("present").click();
  await page.getByTestId("presented-bookmark").filter({ hasText: "Front · 1 / 1" }).waitFor();
  studio.assertNoProblems();
});

test("bookmarks are presented as the picture alone, by the keys that other presentations have", async () => {
  const { page, studio } = await opened();
  await page.getByTestId("camera-menu").click();
  assert.ok(await page.getByTestId("present").isDisabled(), "there is nothing to present");
  await page.keyboard.press("Escape");
  for (const side of ["3", "5"]) {
    await page.getByTestId("outliner").focus();
    await page.keyboard.press(side);
    await studio.command("Bookmark this view");
  }
  await page.getByRole("treeitem", { name: "ball" }).click();
  await page.getByTestId("camera-menu").click();
  await page.getByTestId("present").click();
  const shown = page.getByTestId("presented-bookmark");
  await shown.filter({ hasText: "1 / 2" }).waitFor();
  for (const part of ["fullscreen", "private-camera"])
    assert.equal(await page.getByTestId(part).isVisible(), false, part);
  assert.equal(await page.getByRole("treeitem", { selected: true }).count(), 0, "no handles");
  await studio.screenshot("presentation-dark");
  for (const [key, name] of [
    ["ArrowRight", "2 / 2"],
    ["ArrowLeft", "1 / 2"],
    ["PageDown", "2 / 2"],
    ["Space", "1 / 2"],
  ]) {
    await page.keyboard.press(key);
    await shown.filter({ hasText: name }).waitFor();
  }
  // A click goes on, and neither it nor a key changes anything.
  await page.mouse.click(640, 400);
  await shown.filter({ hasText: "2 / 2" }).waitFor();
  for (const key of ["f", "Delete", "e"]) await page.keyboard.press(key);
  await page.mouse.click(640, 400, { button: "right" });
  assert.equal(await page.getByTestId("context-menu").count(), 0);
  await shown.filter({ hasText: "2 / 2" }).waitFor();
  assert.equal(await page.getByRole("treeitem", { selected: true }).count(), 0, "nothing is selected");
  await page.getByRole("button", { name: "Previous (Left arrow)" }).click();
  await shown.filter({ hasText: "1 / 2" }).waitFor();
  await assertAccessible(page, "a presentation");
  await page.getByRole("button", { name: "Leave the presentation (Escape)" }).click();
  await shown.waitFor({ state: "detached" });
  await page.getByRole("treeitem", { name: "ball" }).waitFor();
  await page.getByTestId("camera-menu").click();
  await page.getByTestId("present").click();
  await shown.waitFor();
  await page.keyboard.press("Escape");
  await shown.waitFor({ state: "detached" });
  assert.ok(await page.getByTestId("fullscreen").isVisible());

  // They go with a link, to be looked at.
  await page.getByTestId("share").click();
  await page.getByTestId("share-view").click();
  const address = await page.getByTestId("share-link").getByRole("textbox").inputValue();
  const guest = await stage.browser.openStudio(address);
  await guest.page.getByTestId("camera-menu").click();
  await guest.page.getByTestId("bookmark").filter({ hasText: "View 2" }).waitFor();
  assert.ok(await guest.page.getByTestId("bookmark-add").isDisabled());
  await guest.page.getByTestId("present").click();
  await guest.page.getByTestId("presented-bookmark").filter({ hasText: "1 / 2" }).waitFor();
  studio.assertNoProblems();
  guest.assertNoProblems();
});

async function opened() {
  const studio = await stage.browser.openStudio(stage.server.url);
  const { page } = studio;
  await giveFiles(page, "drop", [textFile("scene.json", JSON.stringify(SCENE))]);
  await page.getByRole("treeitem", { name: "ball" }).waitFor();
  return { studio, page };
}
