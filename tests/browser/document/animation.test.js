import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { assertAccessible } from "../harness/axe.js";
import { eventually } from "../harness/browser.js";
import { setStage } from "../harness/stage.js";
import { giveFiles, textFile } from "../harness/transfer.js";

const STILL = {
  version: 1,
  shapes: [
    {
      id: "ball",
      type: "sphere",
      properties: {
        center: [-1, 0, 0],
        radius: 0.5,
        material: { type: "lambertian", albedo: [0.8, 0.05, 0.05] },
      },
    },
  ],
  environment: { type: "uniform", emission: [0.8, 0.8, 0.8] },
  camera: { center: [0, 0, 6], look_at: [0, 0, 0] },
};
const TWO = {
  ...STILL,
  shapes: [
    STILL.shapes[0],
    { ...STILL.shapes[0], id: "other", properties: { ...STILL.shapes[0].properties, center: [3, 0, 0] } },
  ],
};
const ROLLING = {
  ...STILL,
  animation: {
    duration: 2,
    fps: 10,
    loops: false,
    tracks: [
      {
        target: "ball",
        property: "position",
        keys: [
          { time: 0, value: [-1, 0, 0] },
          { time: 2, value: [1, 0, 0] },
        ],
      },
    ],
  },
};

const stage = setStage();

test("a scene that moves is played, held at a time, and at rest afterwards as it was", async () => {
  const { page, studio } = await opened(ROLLING);
  const timeline = page.getByTestId("timeline");
  await timeline.waitFor();
  await page.getByRole("treeitem", { name: "ball" }).click();
  const before = await outline(page);
  // What is traced is covered by what moves.
  await page.keyboard.press("Space");
  await page.getByTestId("timeline-play").and(page.getByLabel("Pause (Space)")).waitFor();
  await eventually("the ball to roll", async () => (await outline(page)) > before + 0.05);
  await page.locator('[data-testid="view"][data-covered="true"]').waitFor();
  await clock(page, "2.00");
  await page.getByLabel("Play (Space)").waitFor();
  const atEnd = await outline(page);

  const scrub = page.getByTestId("timeline-scrub");
  await scrub.focus();
  await page.keyboard.press("ArrowLeft");
  await clock(page, "1.90");
  await page.keyboard.press("Home");
  await clock(page, "0.00");
  assert.ok(Math.abs((await outline(page)) - before) < 1e-6);
  await page.keyboard.press("End");
  await eventually("the end", async () => Math.abs((await outline(page)) - atEnd) < 1e-6);
  await assertAccessible(page, "a timeline at the end");
  await studio.screenshot("timeline-dark");
  await page.keyboard.press("Escape");
  await clock(page, "0.00");
  await eventually("rest", async () => Math.abs((await outline(page)) - before) < 1e-6);
  studio.assertNoProblems();
});

test("held at a time, the traced picture is of that time, and a click finds what is there", async () => {
  const { page, studio } = await opened(ROLLING);
  const empty = await studio.pictureWhere("at rest", ({ samples }) => samples > 1);
  assert.ok(empty.middle[0] - empty.middle[1] < 20, "nothing is in the middle");
  await page.getByTestId("timeline-scrub").focus();
  for (let step = 0; step < 10; step += 1) await page.keyboard.press("ArrowRight");
  await clock(page, "1.00");
  await studio.pictureWhere("the ball in the middle", ({ middle }) => middle[0] - middle[1] > 40);
  await page.locator('[data-testid="view"][data-covered="false"]').waitFor();
  const canvas = await studio.canvas.boundingBox();
  await page.mouse.click(canvas.x + canvas.width / 2, canvas.y + canvas.height / 2);
  await page.getByRole("treeitem", { name: "ball", selected: true }).waitFor();
  await page.keyboard.press("Escape");
  await studio.pictureWhere("rest again", ({ middle }) => middle[0] - middle[1] < 20);
  await page.locator('[data-testid="view"][data-covered="false"]').waitFor();
  studio.assertNoProblems();
});

test("a still scene has no timeline until it is asked for; a turntable is one step of undo", async () => {
  const { page, studio } = await opened(STILL);
  const timeline = page.getByTestId("timeline");
  assert.equal(await timeline.count(), 0);
  await page.getByTestId("panes").focus();
  await page.keyboard.press("t");
  await page.getByTestId("timeline-empty").waitFor();
  await assertAccessible(page, "a timeline without an animation");
  await page.keyboard.press("3");
  await page.getByTestId("private-camera").waitFor();
  await page.getByTestId("timeline-turntable").click();
  await page.getByTestId("timeline-track").filter({ hasText: "camera orbit" }).waitFor();
  await page.getByTestId("private-camera").waitFor({ state: "detached" });
  await page.getByLabel("Pause (Space)").waitFor();
  const { animation, camera } = await sceneOf(page, studio);
  assert.deepEqual(
    animation.tracks.map(({ target, property, keys }) => [
      target,
      property,
      keys.map(({ time, value }) => [time, value]),
    ]),
    [
      [
        "camera",
        "orbit",
        [
          [0, 0],
          [6, 360],
        ],
      ],
    ],
  );
  assert.ok(Math.abs(camera.center[0] - 6) < 1e-6, "it goes around what was framed");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+z");
  await page.getByTestId("timeline-empty").waitFor();
  const undone = await sceneOf(page, studio);
  assert.equal(undone.animation ?? null, null);
  assert.deepEqual(undone.camera.center, [0, 0, 6]);
  studio.assertNoProblems();
});

test("with something selected a turntable goes around that, and its button says so", async () => {
  const { page, studio } = await opened(TWO);
  await page.getByTestId("animate").click();
  const button = page.getByTestId("timeline-turntable");
  await studio.reads(button, "Turntable");
  await page.getByRole("treeitem", { name: "ball" }).click();
  await studio.reads(button, "Turntable of the selection");
  await button.click();
  await page.getByTestId("timeline-track").filter({ hasText: "camera look at" }).waitFor();
  const { animation } = await sceneOf(page, studio);
  const looks = animation.tracks.find(({ property }) => property === "look_at");
  assert.deepEqual(looks.keys.map(({ value }) => value), ["ball"]);
  await page.keyboard.press("Control+z");
  await page.getByTestId("timeline-empty").waitFor();

  // Around several, their middle.
  await page.getByRole("treeitem", { name: "ball" }).click();
  await page.getByRole("treeitem", { name: "other" }).click({ modifiers: ["Control"] });
  await button.click();
  await page.getByTestId("timeline-track").filter({ hasText: "camera orbit" }).waitFor();
  const both = await sceneOf(page, studio);
  assert.deepEqual(both.camera.look_at, [1, 0, 0]);
  await page.keyboard.press("Control+z");
  await page.getByTestId("timeline-empty").waitFor();
  assert.deepEqual((await sceneOf(page, studio)).camera.look_at, [0, 0, 0], "one step of undo");
  studio.assertNoProblems();
});

test("keys are made, moved, eased and removed by hand", async () => {
  const { page, studio } = await opened(STILL);
  await page.getByRole("treeitem", { name: "ball" }).click();
  await page.getByTestId("animate").click();
  await addKey(page, "Position");
  const keys = page.getByTestId("timeline-key");
  await keys.waitFor();
  assert.equal(await keys.count(), 1);
  const scrub = page.getByTestId("timeline-scrub");
  await scrub.focus();
  await page.keyboard.press("End");
  await addKey(page, "Position");
  await eventually("a second key", async () => (await keys.count()) === 2);
  const fields = page.getByTestId("timeline-fields");
  await fields.getByLabel("X", { exact: true }).fill("2");
  await page.keyboard.press("Enter");
  await fields.getByLabel("Easing").selectOption("ease_in_out");
  await told(page, studio, "ball position", [
    [0, [-1, 0, 0], undefined],
    [4, [2, 0, 0], "ease_in_out"],
  ]);

  // Dragged to the middle, by a pointer and then by keys.
  const lane = await page.locator(".timeline-lane").boundingBox();
  const y = lane.y + lane.height / 2;
  await page.mouse.move(lane.x + lane.width, y);
  await page.mouse.down();
  await page.mouse.move(lane.x + lane.width / 2, y, { steps: 5 });
  await page.mouse.up();
  await told(page, studio, "ball position", [
    [0, [-1, 0, 0], undefined],
    [2, [2, 0, 0], "ease_in_out"],
  ]);
  await keys.nth(1).focus();
  await page.keyboard.press("ArrowRight");
  await told(page, studio, "ball position", [
    [0, [-1, 0, 0], undefined],
    [2.0417, [2, 0, 0], "ease_in_out"],
  ]);
  await assertAccessible(page, "tracks with a selected key");
  await studio.screenshot("timeline-keys-dark");

  // Longer without the keys, then shorter with them.
  await page.getByLabel("Stretch keys").uncheck();
  await page.getByTestId("timeline-duration").fill("8");
  await page.keyboard.press("Enter");
  await eventually("8 seconds", async () => (await sceneOf(page, studio)).animation.duration === 8);
  await page.getByLabel("Stretch keys").check();
  await page.getByTestId("timeline-duration").fill("4");
  await page.keyboard.press("Enter");
  await told(page, studio, "ball position", [
    [0, [-1, 0, 0], undefined],
    [1.02085, [2, 0, 0], "ease_in_out"],
  ]);
  await keys.nth(1).focus();
  await page.keyboard.press("Delete");
  await eventually("one key", async () => (await keys.count()) === 1);
  assert.equal((await sceneOf(page, studio)).shapes.length, 1, "the ball itself stays");
  await page.getByLabel("Remove the track ball position").click();
  await page.getByTestId("timeline-empty").waitFor();
  studio.assertNoProblems();
});

test("a drag by the handles at a time makes a key there", async () => {
  const { page, studio } = await opened(ROLLING);
  await page
    .getByTestId("view-switch-raster")
    .or(page.getByTestId("view-switch-narrow-raster"))
    .first()
    .check({ force: true });
  await page.getByRole("treeitem", { name: "ball" }).click();
  await page.getByTestId("timeline-scrub").focus();
  for (let step = 0; step < 10; step += 1) await page.keyboard.press("ArrowRight");
  await clock(page, "1.00");
  await eventually("the ball in the middle", async () => Math.abs((await outline(page)) - 0.5) < 0.01);
  const frame = await page.getByTestId("raster-frame").boundingBox();
  const [x, y] = [frame.x + frame.width / 2, frame.y + frame.height / 2];
  // By its body, beside the handles.
  await page.mouse.move(x - frame.height / 30, y + frame.height / 30);
  await page.mouse.down();
  await page.mouse.move(x - frame.height / 30, y - frame.height / 6, { steps: 6 });
  await page.mouse.up();
  const keys = await eventually("a key", async () => {
    const track = (await sceneOf(page, studio)).animation.tracks[0];
    return track.keys.length === 3 ? track.keys : null;
  });
  assert.equal(keys[1].time, 1);
  assert.ok(keys[1].value[1] > 0.3, `it went up: ${keys[1].value}`);
  assert.deepEqual(
    (await sceneOf(page, studio)).shapes[0].properties.center,
    [-1, 0, 0],
    "the scene itself is as it was",
  );
  studio.assertNoProblems();
});

test("the animation is rendered into a file: frame by frame, and not when it is canceled", async () => {
  const { page, studio } = await opened(ROLLING);
  await page.getByTestId("download").click();
  await page.getByRole("menuitem", { name: "Animation…" }).click();
  const dialog = page.getByTestId("animation-dialog");
  await dialog.getByText("20 in all").waitFor();
  await dialog.getByLabel("Size").selectOption({ label: "480 × 270, 16:9" });
  await dialog.getByLabel("Samples").fill("4");
  await dialog.getByLabel("As a film camera has it").check();
  await dialog.getByLabel("Frames a second").fill("60");
  await page.getByTestId("animation-start").click();
  const progress = page.getByTestId("animation-progress");
  await progress.filter({ hasText: /\d+ %: frame \d+ of 120, about/ }).waitFor();
  await assertAccessible(page, "an animation that is being rendered");
  await studio.screenshot("animation-rendering-dark");
  await page.getByTestId("animation-cancel").click();
  await page.getByTestId("animation-start").waitFor();
  assert.equal(await page.getByTestId("animation-result").count(), 0);

  await dialog.getByLabel("Frames a second").fill("2");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByTestId("animation-start").click(),
  ]);
  assert.match(download.suggestedFilename(), /-480x270\.webp$/);
  const bytes = await readFile(await download.path());
  assert.equal(bytes.subarray(0, 4).toString() + bytes.subarray(8, 12).toString(), "RIFFWEBP");
  assert.equal(bytes.toString("latin1").split("ANMF").length - 1, 4, "four frames");
  await page.getByTestId("animation-result").waitFor();
  await assertAccessible(page, "an animation that was rendered");
  await studio.screenshot("animation-rendered-dark");

  // The file is there after a reload; what a reload ended is told.
  await page.reload();
  await studio.connected();
  await page.getByRole("treeitem", { name: "ball" }).waitFor();
  await studio.command("render animation");
  await page.getByTestId("animation-result").getByText(/^Saved as .*-480x270\.webp/).waitFor();
  await dialog.getByLabel("Frames a second").fill("60");
  await page.getByTestId("animation-start").click();
  await progress.waitFor();
  await page.reload();
  await studio.connected();
  const told = page.getByText("The animation could not be rendered: the page was loaded again meanwhile.");
  await told.first().waitFor();
  await page.reload();
  await studio.connected();
  await page.getByRole("treeitem", { name: "ball" }).waitFor();
  await studio.command("render animation");
  await page.getByTestId("animation-result").waitFor();
  assert.equal(await told.count(), 0, "it is told once");
  studio.assertNoProblems();
});

test("who only looks plays it, on a phone as well", async () => {
  const { page, studio } = await opened(ROLLING);
  await page.getByTestId("share").click();
  await page.getByTestId("share-view").click();
  const address = await page.getByTestId("share-link").getByRole("textbox").inputValue();
  const guest = await stage.browser.openStudio(address);
  await guest.page.setViewportSize({ width: 390, height: 844 });
  await guest.page.getByTestId("timeline-play").click();
  await clock(guest.page, "2.00");
  await guest.page.getByTestId("timeline-tracks").click();
  await guest.page.getByTestId("timeline-track").waitFor();
  assert.equal(await guest.page.getByTestId("timeline-turntable").count(), 0);
  const width = await guest.page.evaluate(() => document.documentElement.scrollWidth);
  assert.equal(width, 390, "nothing is wider than the screen");
  await assertAccessible(guest.page, "a timeline on a phone");
  await guest.screenshot("timeline-phone");
  studio.assertNoProblems();
  guest.assertNoProblems();
});

async function opened(scene) {
  const studio = await stage.browser.openStudio(stage.server.url);
  const { page } = studio;
  await studio.sessionId();
  await giveFiles(page, "drop", [textFile("scene.json", JSON.stringify(scene), "application/json")]);
  await page.getByRole("treeitem", { name: "ball" }).waitFor();
  await page.locator('.view[data-raster="ready"]').waitFor();
  return { page, studio };
}

async function addKey(page, name) {
  await page.getByTestId("timeline-add-key").click();
  await page.getByRole("menuitem", { name }).click();
}

/** The middle of the outline of what is selected, from the left, 0 to 1. */
async function outline(page) {
  const path = await page.getByTestId("outline-line").first().getAttribute("d");
  const places = [...path.matchAll(/[ML]([\d.-]+) /g)].map(([, x]) => Number(x));
  return (Math.min(...places) + Math.max(...places)) / 2;
}

function clock(page, time) {
  return page.getByTestId("timeline-clock").filter({ hasText: time }).waitFor();
}

async function sceneOf(page, studio) {
  const id = await studio.sessionId();
  return (await page.request.get(new URL(`/api/sessions/${id}/scene`, page.url()).href)).json();
}

/** Waits for a track to have these times, values and easings. */
async function told(page, studio, name, expected) {
  let keys;
  try {
    await eventually(`the keys of ${name}`, async () => {
      const { animation } = await sceneOf(page, studio);
      const track = animation?.tracks.find(({ target, property }) => `${target} ${property}` === name);
      keys = track?.keys.map(({ time, value, easing }) => [time, value, easing]);
      return JSON.stringify(keys) === JSON.stringify(expected);
    });
  } catch {
    assert.deepEqual(keys, expected);
  }
}
