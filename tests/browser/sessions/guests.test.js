import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { eventually, openBrowser, tint } from "../harness/browser.js";
import { colorOf, download } from "../harness/files.js";
import { startServer } from "../harness/server.js";
import { giveFiles, textFile } from "../harness/transfer.js";

// Who has come by a link to a server that asks everybody else for a token.

const TOKEN = "open-sesame";
let server;
let browser;

before(async () => {
  server = await startServer({}, { flags: ["--token", TOKEN] });
  browser = await openBrowser();
});
afterEach(() => browser.closePages());
after(async () => {
  await browser?.close();
  await server?.stop();
});

test("who may only look renders what is on screen, from where they look and from a bookmark", async () => {
  const studio = await guest("view");
  const { page } = studio;
  await page.getByTestId("panes").focus();
  await page.keyboard.press("2");
  await page.getByTestId("private-camera").waitFor();
  const fromBehind = await render(page, null);
  assert.ok(tint(fromBehind.middle, BLUE) > 40, `from behind it is blue: ${fromBehind.middle}`);
  await studio.screenshot("guest-render-dark");
  const ofTheFront = await render(page, "Bookmark");
  assert.ok(tint(ofTheFront.middle, RED) > 40, `the bookmark sees red: ${ofTheFront.middle}`);
  assert.match(fromBehind.name, /^scene-120x\d+\.png$/);
  assert.equal(ofTheFront.name, fromBehind.name.replace(".png", "-2.png"));
  studio.assertNoProblems();
});

test("who may edit sees a dropped mesh before it is added, and adds it", async () => {
  const studio = await guest("edit");
  const { page } = studio;
  await giveFiles(page, "drop", [textFile("tile.stl", STL)]);
  const dialog = page.getByRole("dialog", { name: /tile/ });
  await dialog.getByTestId("import-picture").waitFor();
  await studio.screenshot("guest-mesh-dark");
  await dialog.getByRole("button", { name: "Add" }).click();
  await page.getByRole("treeitem", { name: /^tile/ }).waitFor();
  studio.assertNoProblems();
});

test("who looks on never reads that they changed something", async () => {
  const headers = { authorization: `Bearer ${TOKEN}` };
  const { session_id: id } = await (await fetch(`${server.url}/api/sessions`, { method: "POST", headers })).json();
  const owner = await browser.openStudio(`${server.url}/?session=${id}`);
  await owner.say("add a red ball");
  await owner.answers.first().waitFor();
  await owner.idle();
  await owner.add("Box");
  await owner.page.getByText("Edited by hand").first().waitFor();
  const body = JSON.stringify({ access: "view" });
  const { token } = await (
    await fetch(`${server.url}/api/sessions/${id}/shares`, { method: "POST", headers, body })
  ).json();
  const studio = await browser.openStudio(`${server.url}/?session=${token}`);
  await studio.page.getByTestId("toggle-chat").click();
  await studio.page.getByText("Edited by hand").first().waitFor();
  await owner.page.keyboard.press("Control+z");
  await studio.page.getByText("Undid:").first().waitFor();
  assert.doesNotMatch(await studio.page.locator("body").innerText(), /\byou(r own)? (changed|edited|added|removed|undid)\b/i);
  studio.assertNoProblems();
});

test("a guest sees the picture first, however the page was left, and opens chat and objects beside it", async () => {
  const studio = await guest("view");
  const { page } = studio;
  const isShown = async (name) => (await page.getByTestId(name).count()) > 0 && page.getByTestId(name).isVisible();
  await page.getByTestId("toggle-chat").waitFor();
  await eventually("nothing beside the picture", async () => !(await isShown("chat-log")) && !(await isShown("outliner")));
  assert.equal(await page.getByTestId("view").getAttribute("data-mode"), "traced");
  await studio.screenshot("guest-picture-dark");
  await page.getByTestId("toggle-chat").click();
  await page.getByTestId("chat-log").waitFor();
  await page.getByTestId("toggle-document").click();
  await page.getByTestId("outliner").waitFor();
  const kept = await page.evaluate(() => ["chat", "document"].map((name) => localStorage.getItem(`scene-llm.${name}`)));
  assert.deepEqual(kept, [null, null], "what a guest folds is not what the owner of this browser finds folded");

  await page.setViewportSize({ width: 390, height: 844 });
  await page.reload();
  await studio.connected();
  await eventually("a picture that has most of the phone", async () => {
    const { height } = await page.locator(".picture-column").boundingBox();
    return height > 0.6 * 844;
  });
  await studio.screenshot("guest-picture-phone");
  studio.assertNoProblems();
});

/** Renders from a camera of the list, null for what is on screen; the file's name, and the color of its middle. */
async function render(page, camera) {
  await page.getByTestId("download").click();
  await page.getByRole("menuitem").filter({ hasText: "Render picture…" }).click();
  const dialog = page.getByTestId("render-dialog");
  await dialog.getByRole("spinbutton", { name: "Width" }).fill("120");
  await dialog.getByRole("spinbutton", { name: "Samples" }).fill("4");
  if (camera !== null) {
    const cameras = dialog.getByRole("combobox", { name: "Camera" });
    const label = await cameras.getByRole("option").filter({ hasText: camera }).textContent();
    await cameras.selectOption(label.trim());
  }
  const { content, name } = await download(page, () => dialog.getByTestId("render-start").click());
  await dialog.getByTestId("render-result").waitFor();
  await page.keyboard.press("Escape");
  return { name, ...(await colorOf(page, content, "image/png")) };
}

/** A page that came by a link to a session with two walls and a bookmark of its front. */
async function guest(access) {
  const headers = { authorization: `Bearer ${TOKEN}` };
  const ask = async (method, path, body) => {
    const answer = await fetch(`${server.url}/api/${path}`, { method, headers, body: JSON.stringify(body) });
    assert.ok(answer.ok, await answer.clone().text());
    return answer.json();
  };
  const { session_id: id } = await ask("POST", "sessions");
  await ask("PUT", `sessions/${id}/scene`, SCENE);
  const owner = await browser.openStudio(`${server.url}/?session=${id}`);
  await owner.page.getByTestId("camera-menu").click();
  await owner.page.getByTestId("bookmark-add").click();
  await owner.page.getByTestId("bookmark").waitFor();
  await owner.page.close();
  const { token } = await ask("POST", `sessions/${id}/shares`, { access });
  const studio = await browser.openStudio(`${server.url}/?session=${token}`);
  await studio.pictureWhere("of the walls", ({ samples }) => samples >= 1);
  return studio;
}

/** From the front one sees red, from behind blue. */
const wall = (id, z, albedo) => ({
  id,
  type: "box",
  properties: { center: [0, 0, z], dimensions: [40, 40, 0.2], material: { type: "lambertian", albedo } },
});
const SCENE = {
  version: 1,
  shapes: [wall("red", 0.5, [0.8, 0.05, 0.05]), wall("blue", -0.5, [0.05, 0.05, 0.8])],
  environment: { type: "uniform", emission: [0.8, 0.8, 0.8] },
  camera: { center: [0, 0, 6], look_at: [0, 0, 0] },
};
const [RED, , BLUE] = [0, 1, 2];
const CORNERS = { A: [0, 0, 0], B: [40, 0, 0], C: [0, 40, 0], D: [0, 0, 40] };
const facet = (corners) => [
  "facet normal 0 0 0",
  "outer loop",
  ...[...corners].map((name) => `vertex ${CORNERS[name].join(" ")}`),
  "endloop",
  "endfacet",
];
const STL = ["solid tile", ...["ACB", "ABD", "ADC", "BCD"].flatMap(facet), "endsolid tile"].join("\n");
