import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../harness/browser.js";
import { pictureFile } from "../harness/files.js";
import { setStage } from "../harness/stage.js";
import { giveFiles } from "../harness/transfer.js";

const stage = setStage();

async function answerNext(text) {
  const request = await stage.gemini.nextRequest();
  request.say(text);
  request.end();
  return request.request;
}

/** The pictures of the newest message that the model was asked with. */
function picturesIn(request) {
  return request.contents.at(-1).parts.flatMap((part) => (part.inlineData ? [part.inlineData.mimeType] : []));
}

test("a message that is being written is there after loading the page again, and not once it was sent", async () => {
  const studio = await stage.browser.openStudio(stage.server.url);
  const { page } = studio;
  await studio.composer.fill("a castle with");
  await page.reload();
  await studio.connected();
  assert.equal(await studio.composer.inputValue(), "a castle with");
  await studio.say("a castle");
  await answerNext("Done.");
  await studio.idle();
  await page.reload();
  await studio.answers.first().waitFor();
  assert.equal(await studio.composer.inputValue(), "");
  studio.assertNoProblems();
});

test("a chosen picture goes to the model, stays in the chat, and is there after loading the page again", async () => {
  const studio = await stage.browser.openStudio(stage.server.url);
  const { page } = studio;
  await page.getByTestId("attach-file").setInputFiles(await pictureFile(page, "a sunset.png"));
  const waiting = page.getByRole("img", { name: "a sunset.png" });
  await waiting.waitFor();
  await studio.screenshot("browser-attachment-dark");
  await studio.composer.fill("Build this");
  await studio.composer.press("Enter");
  assert.deepEqual(picturesIn(await answerNext("Done.")), ["image/png"]);
  await studio.idle();
  await waiting.waitFor({ state: "detached" });
  await shown(page);
  await page.reload();
  await shown(page);
  await studio.screenshot("browser-attachment-in-chat-dark");
  studio.assertNoProblems();
});

test("a picture is pasted, a large one is made smaller, one is taken away again", async () => {
  const studio = await stage.browser.openStudio(stage.server.url);
  const { page } = studio;
  await studio.composer.focus();
  await paste(page, [{ name: "small.png" }, { name: "large.png", width: 4000, height: 1000 }]);
  await page.getByRole("img", { name: "large.png" }).waitFor();
  await page.getByRole("button", { name: "Remove small.png" }).click();
  await page.getByRole("img", { name: "small.png" }).waitFor({ state: "detached" });
  await page.getByTestId("send").click();
  const request = await answerNext("A wide one.");
  assert.deepEqual(picturesIn(request), ["image/webp"]);
  const image = page.getByTestId("chat-log").getByRole("img", { name: "Image 1" });
  await image.waitFor();
  const [width, height] = await eventually("the picture to be loaded", () =>
    image.evaluate((img) => img.naturalWidth > 0 && [img.naturalWidth, img.naturalHeight]),
  );
  assert.deepEqual([width, height], [1568, 392]);
  studio.assertNoProblems();
});

test("a picture is dropped anywhere; what is no picture is refused in words", async () => {
  const studio = await stage.browser.openStudio(stage.server.url);
  const { page } = studio;
  await drop(page, [{ name: "dropped.png" }]);
  await page.getByRole("img", { name: "dropped.png" }).waitFor();
  await page.getByTestId("attach-file").setInputFiles({
    name: "broken.png",
    mimeType: "image/png",
    buffer: Buffer.from("not a picture"),
  });
  await page.getByTestId("toast").filter({ hasText: "broken.png cannot be read" }).waitFor();
  assert.equal(await page.getByTestId("thumbnails").getByRole("img").count(), 1);
  studio.assertNoProblems();
});

test("a model that sees no images says so before the message is sent, and at the message", async () => {
  const studio = await stage.browser.openStudio(stage.server.url);
  const { page } = studio;
  await page.getByTestId("model-picker").selectOption("offline");
  await page.getByTestId("attach-file").setInputFiles(await pictureFile(page, "a.png"));
  const note = page.getByTestId("attachment-note").filter({ hasText: "Offline does not accept images" });
  await note.filter({ hasText: "describe what you want" }).waitFor();
  assert.equal(await page.getByTestId("send").isDisabled(), true, "an image alone says nothing to it");
  await studio.composer.fill("A red ball as in the picture");
  await note.filter({ hasText: "it will answer the text only" }).waitFor();
  await studio.composer.press("Enter");
  await studio.answers.filter({ hasText: /ball|sphere/ }).first().waitFor();
  await page.getByTestId("unseen-note").filter({ hasText: "Offline does not see images." }).waitFor();
  await studio.screenshot("image-unseen-dark");
  await studio.idle();
  await page.getByTestId("model-picker").selectOption({ index: 0 });
  await page.getByTestId("unseen-note").waitFor({ state: "detached" });
  studio.assertNoProblems();
});

test("a message with a picture is said in another way, and the picture goes along", async () => {
  const studio = await stage.browser.openStudio(stage.server.url);
  const { page } = studio;
  await page.getByTestId("attach-file").setInputFiles(await pictureFile(page, "a.png"));
  await page.getByRole("img", { name: "a.png" }).waitFor();
  await studio.say("Build this");
  await answerNext("Done.");
  await studio.idle();
  await page.getByRole("button", { name: "Edit and resend" }).press("Enter");
  const editor = page.getByTestId("message-editor");
  await editor.getByRole("img", { name: "Image 1" }).waitFor();
  await editor.getByRole("textbox").fill("Build this in blue");
  await editor.getByRole("textbox").press("Enter");
  assert.deepEqual(picturesIn(await answerNext("In blue.")), ["image/png"]);
  await studio.idle();
  await shown(page);
  studio.assertNoProblems();
});

test("a refused message keeps its place: what is said and answered later stands below it", async () => {
  const studio = await stage.browser.openStudio(stage.server.url);
  const { page } = studio;
  await studio.say("First");
  await answerNext("One.");
  await studio.idle();
  await studio.composer.fill("far too long ".repeat(3000));
  await studio.composer.press("Enter");
  const refused = page.locator('[data-testid="message-outgoing"][data-status="refused"]');
  await refused.waitFor();
  await studio.say("Second");
  await answerNext("Two.");
  await studio.answers.filter({ hasText: "Two." }).waitFor();
  const top = async (locator) => (await locator.boundingBox()).y;
  assert.ok((await top(refused)) > (await top(studio.answers.filter({ hasText: "One." }))), "below what was before");
  assert.ok((await top(refused)) < (await top(studio.userMessages.filter({ hasText: "Second" }))), "above what came later");
  await refused.getByRole("button", { name: "Edit" }).click();
  await refused.waitFor({ state: "detached" });
  studio.assertNoProblems();
});

test("an @ mentions an object: by keyboard, completed, told to the model, found again from the chat", async () => {
  const studio = await stage.browser.openStudio(stage.server.url);
  const { page } = studio;
  await studio.add("Sphere");
  await studio.add("Box");
  await page.getByTestId("outliner").press("Home");
  await studio.composer.pressSequentially("Make @b");
  const list = page.getByRole("listbox", { name: "Objects" });
  await list.getByRole("option", { name: "box", selected: true }).waitFor();
  await studio.screenshot("browser-mention-dark");
  await studio.composer.press("Enter");
  await list.waitFor({ state: "detached" });
  await studio.composer.pressSequentially("taller than @sph");
  await list.getByRole("option", { name: "sphere" }).click();
  assert.equal(await studio.composer.inputValue(), "Make @box taller than @sphere ");
  await studio.composer.press("Enter");
  const request = await answerNext("It is.");
  const told = request.contents.at(-1).parts[0].text;
  assert.match(told, /^\[selected: [^\]]*box, sphere\]\nMake @box taller than @sphere$/);
  await studio.idle();
  const mention = studio.userMessages.getByRole("button", { name: "@box" });
  await mention.click();
  await page.getByRole("treeitem", { name: "box", selected: true }).waitFor();
  await page.reload();
  await mention.waitFor();
  studio.assertNoProblems();
});

test("Escape leaves an @ as it is, and does not stop anything", async () => {
  const studio = await stage.browser.openStudio(stage.server.url);
  const { page } = studio;
  await studio.add("Sphere");
  await studio.composer.pressSequentially("mail me @s");
  const list = page.getByRole("listbox", { name: "Objects" });
  await list.waitFor();
  await studio.composer.press("Escape");
  await list.waitFor({ state: "detached" });
  assert.equal(await studio.composer.inputValue(), "mail me @s");
  studio.assertNoProblems();
});

/** Waits until the picture of the message is loaded, not only announced. */
async function shown(page) {
  const image = page.locator(".user-turn").getByRole("img", { name: "Image 1" });
  await image.waitFor();
  await eventually("the picture to be loaded", () => image.evaluate((img) => img.naturalWidth > 0));
}

const paste = (page, pictures) => give(page, pictures, "paste");
const drop = (page, pictures) => give(page, pictures, "drop");

async function give(page, pictures, type) {
  const files = pictures.map(({ name, width, height }) => pictureFile(page, name, width, height));
  await giveFiles(page, type, await Promise.all(files));
}
