import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../harness/browser.js";
import { setStage } from "../harness/stage.js";
import { giveFiles, textFile } from "../harness/transfer.js";

const ball = (id, x, more = {}) => ({
  id,
  type: "sphere",
  properties: { center: [x, 0, 0], radius: 0.8, material: { type: "lambertian", albedo: [0.7, 0.1, 0.1] } },
  ...more,
});
const ABOUT = {
  version: 1,
  environment: { type: "uniform", emission: [0.4, 0.4, 0.4] },
  camera: { center: [0, 0, 8], look_at: [0, 0, 0] },
};
/** A sofa of two cushions and a group of one foot, a ball beside it. */
const SOFA = {
  ...ABOUT,
  shapes: [
    ball("cushion", 0, { group: "sofa" }),
    ball("pillow", -2, { group: "sofa" }),
    ball("foot", 2, { group: "base" }),
    ball("rug", 4),
  ],
  groups: [
    { id: "sofa", parent: null },
    { id: "base", parent: "sofa" },
  ],
};

const stage = setStage();

test("the first click on a part selects its whole group, the next one what is inside", async () => {
  const { studio, page } = await opened(SOFA);
  await mode(page, "raster");
  const view = page.getByTestId("raster-frame");
  await clickAt(view, 0.5, 0.5);
  await selectedAre(page, ["sofa"]);
  const lines = async () => ((await page.getByTestId("outline-line").getAttribute("d")).match(/M/g) ?? []).length;
  await eventually("one box around the group", async () => (await lines()) === 12);
  await studio.screenshot("group-outline-dark");
  await clickAt(view, 0.5, 0.5);
  await selectedAre(page, ["cushion"]);
  await clickAt(view, at(-2), 0.5);
  await selectedAre(page, ["pillow"]);
  await clickAt(view, at(2), 0.5);
  await selectedAre(page, ["base"]);
  await clickAt(view, at(2), 0.5);
  await selectedAre(page, ["foot"]);
  await clickAt(view, at(4), 0.5);
  await selectedAre(page, ["rug"]);
  await clickAt(view, 0.5, 0.5, { modifiers: ["Shift"] });
  await selectedAre(page, ["rug", "sofa"]);
  await clickAt(view, 0.5, 0.5, { modifiers: ["Shift"] });
  await selectedAre(page, ["rug"]);
  studio.assertNoProblems();
});

test("the traced picture, which the server is asked about, selects the same", async () => {
  const { studio, page } = await opened(SOFA);
  await mode(page, "split");
  await studio.pictureWhere("traced", ({ samples }) => samples >= 1);
  await clickAt(studio.canvas, 0.5, 0.5);
  await selectedAre(page, ["sofa"]);
  await clickAt(studio.canvas, 0.5, 0.5);
  await selectedAre(page, ["cushion"]);
  studio.assertNoProblems();
});

test("a new group is in view in the list of objects, wherever what is in it was", async () => {
  const shapes = Array.from({ length: 60 }, (_, index) => ball(`ball_${index}`, index / 10));
  const { studio, page } = await opened({ ...ABOUT, shapes });
  const list = page.getByTestId("outliner");
  await row(page, "ball_2").click();
  await list.press("End");
  await row(page, "ball_59").click();
  await page.keyboard.press("Shift+ArrowUp");
  await selectedAre(page, ["ball_58", "ball_59"]);
  await page.keyboard.press("Control+g");
  await selectedAre(page, ["group"]);
  const frame = await list.boundingBox();
  await eventually("its row in view", async () => {
    const at = await row(page, "group").boundingBox();
    return at !== null && at.y >= frame.y && at.y + at.height <= frame.y + frame.height;
  });
  studio.assertNoProblems();
});

test("Escape deselects, in the view and in the list; who is writing keeps what the message is about", async () => {
  const { studio, page } = await opened(SOFA);
  await row(page, "rug").click();
  await page.keyboard.press("Escape");
  await selectedAre(page, []);
  await mode(page, "raster");
  await clickAt(page.getByTestId("raster-frame"), at(4), 0.5);
  await selectedAre(page, ["rug"]);
  await page.keyboard.press("Escape");
  await selectedAre(page, []);
  await row(page, "rug").click();
  const radius = page.getByRole("textbox", { name: "Radius" });
  await radius.fill("0.9");
  await radius.press("Enter");
  await eventually("the edit", async () => (await radius.inputValue()) === "0.9");
  await page.keyboard.press("Escape");
  await selectedAre(page, ["rug"]);
  await page.keyboard.press("Escape");
  await selectedAre(page, []);
  await row(page, "rug").click();
  await studio.composer.fill("make this blue");
  await studio.composer.press("Escape");
  await selectedAre(page, ["rug"]);
  studio.assertNoProblems();
});

test("keys mean the same in the list of objects: F frames, R scales, other letters lead to names", async () => {
  const { studio, page } = await opened({ ...ABOUT, shapes: [ball("rug", 0), ball("foot", 2), ball("pillow", 4)] });
  await mode(page, "raster");
  await row(page, "pillow").click();
  await page.keyboard.press("f");
  await page.getByTestId("private-camera").waitFor();
  await selectedAre(page, ["pillow"]);
  await page.keyboard.press("r");
  await eventually("the handles to scale", () => page.getByTestId("gizmo-scale").isChecked());
  await selectedAre(page, ["pillow"]);
  await row(page, "rug").click();
  await page.keyboard.press("p");
  await selectedAre(page, ["pillow"]);
  studio.assertNoProblems();
});

test("of more objects than a message can name none is left out without a word: grouped, all are meant", async () => {
  const many = Array.from({ length: 120 }, (_, index) => ball(`b${index}`, index % 12));
  const { studio, page, scene } = await opened({ ...ABOUT, shapes: many });
  await row(page, "b0").click();
  await page.keyboard.press("Control+a");
  const note = page.getByTestId("selection-note").filter({ hasText: "120 selected; a message can name 100" });
  await note.waitFor();
  await studio.composer.fill("make these red");
  assert.equal(await page.getByTestId("send").isDisabled(), true);
  await studio.screenshot("too-many-selected-dark");
  await note.getByRole("button", { name: "Group them" }).click();
  await note.waitFor({ state: "detached" });
  await eventually("the group", async () => (await scene()).shapes.every(({ group }) => group === "group"));
  await studio.composer.press("Enter");
  const request = await stage.gemini.nextRequest();
  const said = request.request.contents.at(-1).parts.map(({ text }) => text ?? "").join("\n");
  assert.match(said, /\[selected: group\]\nmake these red/);
  request.say("All red.");
  request.end();
  await studio.idle();
  // What is no message is about all of them anyway.
  await row(page, "group").click();
  await page.keyboard.press("h");
  await page.getByTestId("hidden-note").filter({ hasText: "120 hidden" }).waitFor();
  studio.assertNoProblems();
});

async function opened(document) {
  const studio = await stage.browser.openStudio(stage.server.url);
  const { page } = studio;
  await giveFiles(page, "drop", [textFile("scene.json", JSON.stringify(document))]);
  await page.getByTestId("outline-row").nth(2).waitFor();
  const session = await studio.sessionId();
  const scene = async () => (await fetch(`${stage.server.url}/api/sessions/${session}/scene`)).json();
  await eventually("the scene", async () => (await scene()).shapes.length === document.shapes.length);
  return { studio, page, scene };
}

async function mode(page, name) {
  await page.locator('.view:not([data-raster="loading"])').waitFor();
  await page.getByTestId(`view-switch-${name}`).check({ force: true });
  await page.locator(`.view[data-mode="${name}"]`).waitFor();
}

/** Where in the width of the picture something x metres to the right of the middle is. */
function at(x) {
  return 0.5 * (1 + x / (8 * Math.tan(Math.PI / 8) * (4 / 3)));
}

const row = (page, name) => page.getByRole("treeitem", { name: new RegExp(`^${name}(,|$)`) });

async function clickAt(element, x, y, options) {
  const { width, height } = await element.boundingBox();
  await element.click({ position: { x: x * width, y: y * height }, ...options });
}

async function selectedAre(page, names) {
  const wanted = [...names].sort().join();
  const selected = () => page.locator('[role="treeitem"][aria-selected="true"]').allInnerTexts();
  await eventually(`"${wanted}" to be selected`, async () => (await selected()).sort().join() === wanted);
}
