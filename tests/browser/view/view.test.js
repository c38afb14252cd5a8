import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../harness/browser.js";
import { pixelsOf } from "../harness/pixels.js";
import { setStage } from "../harness/stage.js";

const matte = (albedo) => ({ type: "lambertian", albedo });
const SCENE = {
  version: 1,
  shapes: [
    { id: "floor", type: "quad", properties: { corner: [-9, -1, 9], u: [18, 0, 0], v: [0, 0, -18] } },
    {
      id: "crate",
      type: "box",
      properties: { center: [0, 0, 0], dimensions: [1.2, 1.2, 1.2], material: matte([0.05, 0.1, 0.8]) },
    },
    { id: "ball", type: "sphere", properties: { center: [2, 0, 0], radius: 0.6, material: matte([0.8, 0.05, 0.05]) } },
  ],
  lights: [{ id: "key", type: "point_spot_light", properties: { center: [2, 5, 6], emission: [60, 60, 60] } }],
  environment: { type: "uniform", emission: [0.4, 0.4, 0.4] },
  camera: { center: [0, 2, 7], look_at: [0, 0, 0] },
};
const stage = setStage();

test("the raster is drawn: not blank, each thing in its colour where the tracer shows it", async () => {
  const { studio, page } = await opened();
  await mode(page, "raster");
  const drawn = await eventually("a drawn picture", async () => {
    const pixels = await rasterPixels(page);
    return pixels.at(0.5, 0.5)[2] > 60 ? pixels : null;
  });
  const [crate, ball, floor] = [drawn.at(0.5, 0.5), drawn.at(...ballAt()), drawn.at(0.2, 0.8)];
  assert.ok(crate[2] > crate[0] + 30, `the crate is blue, not ${crate}`);
  assert.ok(ball[0] > ball[2] + 30, `the ball is red, not ${ball}`);
  assert.ok(Math.max(...floor) - Math.min(...floor) < 40 && floor[0] > 60, `the floor is grey, not ${floor}`);
  await studio.screenshot("view-raster-dark");
  studio.assertNoProblems();
});

test("raster and traced picture agree in framing: the edges of a box lie at the same pixels", async () => {
  const { studio, page } = await opened({
    ...SCENE,
    shapes: [{ ...SCENE.shapes[1], properties: { ...SCENE.shapes[1].properties, material: { type: "emissive", emission: [0, 0, 9] } } }],
    lights: [],
    environment: { type: "none" },
    camera: { center: [1, 1.5, 4], look_at: [0.2, 0.1, 0], vfov: 50 },
  });
  await mode(page, "split");
  await page.getByTestId("grid").click();
  const edges = async (pixels) => {
    const { width, height } = pixels;
    const isLit = (x, y) => pixels.at((x + 0.5) / width, (y + 0.5) / height)[2] > 100;
    const row = Math.floor(height / 2);
    const column = Math.floor(width / 2);
    const across = Array.from({ length: width }, (_, x) => isLit(x, row));
    const down = Array.from({ length: height }, (_, y) => isLit(column, y));
    return [
      across.indexOf(true) / width,
      (across.lastIndexOf(true) + 1) / width,
      down.indexOf(true) / height,
      (down.lastIndexOf(true) + 1) / height,
    ];
  };
  await studio.pictureWhere("traced well", ({ samples }) => samples >= 4);
  const traced = await edges(await pixelsOf(studio.canvas));
  assert.ok(traced[0] > 0, "the box is seen");
  const { width } = await page.getByTestId("raster-canvas").boundingBox();
  // On a slow machine the first picture has few pixels.
  await eventually("the edges of the box at the same pixels", async () => {
    const drawn = await edges(await rasterPixels(page));
    return drawn.every((edge, index) => Math.abs(edge - traced[index]) * width < 2);
  });
  studio.assertNoProblems();
});

test("looking around is one's own: drawn at once, traced when still, and the way back", async () => {
  const { studio, page, scene } = await opened();
  const before = await scene();
  await eventually("the traced picture", () => isCovered(page, false));
  await orbit(page, studio.canvas, 120, 30, async () => {
    assert.ok(await isCovered(page, true), "while it moves, the raster shows it");
  });
  await page.getByTestId("private-camera").waitFor();
  await eventually("the traced picture of the new look", () => isCovered(page, false));
  await studio.screenshot("view-private-dark");
  assert.deepEqual((await scene()).camera, before.camera, "the scene's camera has not moved");
  await page.getByTestId("back-to-camera").click();
  await page.getByTestId("private-camera").waitFor({ state: "detached" });
  await eventually("the traced picture of the camera", () => isCovered(page, false));
  studio.assertNoProblems();
});

test("a private view becomes the scene's camera on request, as one undo step", async () => {
  const { studio, page, scene } = await opened();
  await page.getByTestId("panes").focus();
  await page.keyboard.press("3");
  await page.getByTestId("use-as-camera").click();
  await page.getByTestId("private-camera").waitFor({ state: "detached" });
  await eventually("the camera on the right", async () => {
    const { center } = (await scene()).camera;
    return Math.abs(center[0] - Math.hypot(2, 7)) < 1e-6 && Math.abs(center[2]) < 1e-6;
  });
  await page.keyboard.press("Control+z");
  await eventually("the camera back", async () => (await scene()).camera.center[2] === 7);
  studio.assertNoProblems();
});

test("a click in the raster selects, Shift adds, nothing clears; a hover is told in the list", async () => {
  const { studio, page } = await opened();
  await mode(page, "raster");
  const frame = page.getByTestId("raster-frame");
  await clickAt(frame, 0.5, 0.5);
  await selectedAre(page, ["crate"]);
  await clickAt(frame, ...ballAt(), { modifiers: ["Shift"] });
  await selectedAre(page, ["ball", "crate"]);
  await clickAt(frame, 0.05, 0.05);
  await selectedAre(page, []);
  const { x, y, width, height } = await frame.boundingBox();
  await page.mouse.move(x + ballAt()[0] * width, y + ballAt()[1] * height);
  await page.locator(".outline-row-pointed", { hasText: "ball" }).waitFor();
  studio.assertNoProblems();
});

test("handles move what is selected: shown on the way, one edit on release, one undo; Escape takes back", async () => {
  const { studio, page, scene } = await opened();
  await mode(page, "raster");
  await page.keyboard.press("1");
  await row(page, "crate").click();
  const center = page.getByRole("textbox", { name: "Center x", exact: true });
  const along = await xHandle(page);
  await dragMouse(page, along, 90, async () => {
    assert.ok(Number(await center.inputValue()) > 0.2, "the field shows the way");
    assert.equal((await boxOf(scene)).center[0], 0, "nobody else does");
  });
  await eventually("the crate moved along x alone", async () => {
    const [x, y, z] = (await boxOf(scene)).center;
    return x > 0.2 && y === 0 && z === 0;
  });
  await studio.screenshot("view-handles-dark");
  await page.keyboard.press("Control+z");
  await eventually("the crate back", async () => (await boxOf(scene)).center[0] === 0);
  await dragMouse(page, await xHandle(page), 90, async () => {
    await page.keyboard.press("Escape");
  });
  await eventually("the field as before", async () => (await center.inputValue()) === "0");
  assert.equal((await boxOf(scene)).center[0], 0);
  studio.assertNoProblems();
});

test("with snapping things stop at steps; boxes are stretched along their own axes", async () => {
  const { studio, page, scene } = await opened();
  await mode(page, "raster");
  await page.keyboard.press("1");
  await row(page, "crate").click();
  await page.getByTestId("snap").click();
  await dragMouse(page, await xHandle(page), 170);
  await eventually("the crate at a whole step", async () => {
    const [x] = (await boxOf(scene)).center;
    return x > 0 && Number.isInteger(x);
  });
  await page.getByTestId("snap").click();
  await page.keyboard.press("Control+z");
  await eventually("the crate back", async () => (await boxOf(scene)).center[0] === 0);
  await page.keyboard.down("Control");
  await dragMouse(page, await xHandle(page), 170);
  await page.keyboard.up("Control");
  await eventually("the crate at a whole step, by a key", async () => {
    const [x] = (await boxOf(scene)).center;
    return x > 0 && Number.isInteger(x);
  });
  await page.keyboard.press("Control+z");
  await eventually("the crate back again", async () => (await boxOf(scene)).center[0] === 0);
  await page.getByTestId("gizmo-scale").check({ force: true });
  await dragMouse(page, await xHandle(page), 60);
  await eventually("the crate wider, and no higher", async () => {
    const [w, h, d] = (await boxOf(scene)).dimensions;
    return w > 1.4 && h === 1.2 && d === 1.2;
  });
  studio.assertNoProblems();
});

test("split: both side by side, and looking around in one turns the other", async () => {
  const { studio, page } = await opened();
  await mode(page, "split");
  // Both take the shape of half the place, with the first picture of that shape.
  await eventually("both of one size, apart", async () => {
    const [drawn, traced] = [await page.getByTestId("raster-canvas").boundingBox(), await studio.canvas.boundingBox()];
    const standApart = drawn.x + drawn.width <= traced.x || drawn.y + drawn.height <= traced.y;
    return standApart && Math.abs(drawn.width - traced.width) < 1 && Math.abs(drawn.height - traced.height) < 1;
  });
  const before = await rasterPixels(page);
  await orbit(page, studio.canvas, 150, 0);
  await page.getByTestId("private-camera").waitFor();
  await eventually("another raster", async () => {
    const after = await rasterPixels(page);
    return differs(before, after);
  });
  await studio.screenshot("view-split-dark");
  studio.assertNoProblems();
});

test("wipe: a line between both, moved by pointer and by keys; clicks ask whom they see", async () => {
  const { studio, page } = await opened();
  await mode(page, "wipe");
  await page.getByTestId("grid").click();
  const divider = page.getByTestId("wipe-divider");
  const { x, y, width, height } = await page.getByTestId("raster-frame").boundingBox();
  await page.mouse.move(x + width / 2, y + height / 4);
  await page.mouse.down();
  await page.mouse.move(x + width * 0.3, y + height / 4, { steps: 4 });
  await page.mouse.up();
  await eventually("the line at 30 %", async () => Math.abs(Number(await divider.getAttribute("aria-valuenow")) - 30) < 2);
  await divider.press("ArrowRight");
  await eventually("the line 2 % on", async () => Math.abs(Number(await divider.getAttribute("aria-valuenow")) - 32) < 2);
  await clickAt(page.getByTestId("raster-frame"), 0.5, 0.5);
  await selectedAre(page, ["crate"]);
  await clickAt(page.getByTestId("raster-frame"), ...ballAt());
  await selectedAre(page, ["ball"]);
  // A traced picture that is paused still has what is hidden: the ball is there right of the line only.
  await page.getByTestId("pause").click();
  await page.getByTestId("panes").focus();
  await page.keyboard.press("h");
  const redness = async () => {
    const [red, , blue] = (await rasterPixels(page)).at(...ballAt());
    return red - blue;
  };
  await eventually("the ball, traced", async () => (await redness()) > 30);
  await divider.focus();
  for (let step = 0; step < 34; step += 1) await page.keyboard.press("ArrowRight");
  await eventually("the raster without the ball", async () => (await redness()) <= 30);
  await studio.screenshot("view-wipe-dark");
  studio.assertNoProblems();
});

test("a picture is kept, and stands left of the line beside what became of the scene", async () => {
  const { studio, page, scene } = await opened();
  await studio.command("save render");
  await page.locator('.view[data-mode="wipe"]').waitFor();
  await page.getByTestId("saved-render-left").waitFor();
  await page.getByTestId("grid").click();
  await row(page, "ball").click();
  await page.keyboard.press("Delete");
  await eventually("the ball gone", async () => (await scene()).shapes.length === 2);
  await page.getByTestId("wipe-divider").focus();
  const redness = async () => {
    const [red, , blue] = (await rasterPixels(page)).at(...ballAt());
    return red - blue;
  };
  await eventually("the scene without the ball, right of the line", async () => (await redness()) <= 30);
  for (let step = 0; step < 20; step += 1) await page.keyboard.press("ArrowRight");
  await eventually("the ball as it was, left of it", async () => (await redness()) > 30);
  await studio.screenshot("view-compare-dark");
  await page.reload();
  await studio.connected();
  const kept = page.getByTestId("compare-left").getByRole("option", { name: /Revision/ });
  await eventually("the picture after a reload", async () => (await kept.count()) === 1);
  await page.getByTestId("compare-left").selectOption({ index: 1 });
  for (let step = 0; step < 20; step += 1) await page.getByTestId("wipe-divider").press("ArrowRight");
  await eventually("the ball as it was, again", async () => (await redness()) > 30);
  await page.getByTestId("compare-left").selectOption("Raster");
  await eventually("the raster of now, left of it", async () => (await redness()) <= 30);
  studio.assertNoProblems();
});

test("a click on an axis looks along it, and the axes turn with the view", async () => {
  const { studio, page } = await opened();
  const before = await page.getByTestId("axis-right").boundingBox();
  await page.getByTestId("axis-top").click();
  await page.getByTestId("private-camera").waitFor();
  const behind = () => page.getByTestId("axis-bottom").getAttribute("data-behind");
  await eventually("the lower end behind", async () => (await behind()) === "true");
  await page.getByTestId("axis-right").click();
  await eventually("the right end in the middle", async () => {
    const now = await page.getByTestId("axis-right").boundingBox();
    const middle = await page.getByTestId("view-axes").boundingBox();
    const off = now.x + now.width / 2 - (middle.x + middle.width / 2);
    return Math.abs(off) < 1.5 && now.x !== before.x;
  });
  studio.assertNoProblems();
});

test("in the raster view things cast shadows on what is below them", async () => {
  const { studio, page } = await opened({
    version: 1,
    shapes: [
      { id: "floor", type: "quad", properties: { corner: [-10, 0, 10], u: [20, 0, 0], v: [0, 0, -20] } },
      { id: "shelf", type: "box", properties: { center: [0, 2, 0], dimensions: [2, 0.2, 2] } },
    ],
    lights: [{ id: "lamp", type: "point_spot_light", properties: { center: [0, 8, 0], emission: [120, 120, 120] } }],
    environment: { type: "uniform", emission: [0.1, 0.1, 0.1] },
    camera: { center: [0, 6, 12], look_at: [0, 0, 0], vfov: 40 },
  });
  await mode(page, "raster");
  await eventually("the floor below the shelf darker than beside it", async () => {
    const { at } = await rasterPixels(page);
    return at(0.5, 0.53)[1] < 0.75 * at(0.12, 0.53)[1];
  });
  await studio.screenshot("view-shadows-dark");
  studio.assertNoProblems();
});

test("bookmarks are kept, named and come back to, also after a reload", async () => {
  const { studio, page } = await opened();
  await page.getByTestId("panes").focus();
  await page.keyboard.press("5");
  await page.getByTestId("camera-menu").click();
  await page.getByTestId("bookmark-add").click();
  await page.getByRole("button", { name: "Rename View 1" }).click();
  await page.getByRole("textbox", { name: "New name of View 1" }).fill("From above");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "From above", exact: true }).waitFor();
  await studio.screenshot("view-bookmarks-dark");
  await page.reload();
  await studio.connected();
  await page.getByTestId("camera-menu").click();
  await page.getByRole("button", { name: "From above", exact: true }).click();
  await page.getByTestId("private-camera").waitFor();
  studio.assertNoProblems();
});

test("by keys: arrows look around, F frames, H hides, 0 goes back", async () => {
  const { studio, page } = await opened();
  await mode(page, "raster");
  await page.getByTestId("panes").focus();
  await page.keyboard.press("ArrowLeft");
  await page.getByTestId("private-camera").waitFor();
  await page.keyboard.press("0");
  await page.getByTestId("private-camera").waitFor({ state: "detached" });
  await row(page, "ball").click();
  await page.getByTestId("panes").focus();
  await page.keyboard.press("f");
  await eventually("the ball fills the middle", async () => {
    const [red, , blue] = (await rasterPixels(page)).at(0.4, 0.4);
    return red > blue + 30;
  });
  await page.keyboard.press("h");
  await page.getByTestId("show-all").waitFor();
  await eventually("the ball hidden", async () => {
    const [red, , blue] = (await rasterPixels(page)).at(0.4, 0.4);
    return red <= blue + 30;
  });
  await page.getByTestId("show-all").click();
  await page.getByTestId("show-all").waitFor({ state: "detached" });
  studio.assertNoProblems();
});

test("what the model or a field changes is drawn at once, before it is traced", async () => {
  const { studio, page } = await opened();
  await mode(page, "raster");
  const redness = async () => {
    const [red, , blue] = (await rasterPixels(page)).at(...besideHandles(ballAt()));
    return red - blue;
  };
  await row(page, "ball").click();
  await eventually("the ball drawn", async () => (await redness()) > 30);
  await page.keyboard.press("Delete");
  await eventually("the ball gone from the raster", async () => (await redness()) <= 30);
  await page.keyboard.press("Control+z");
  await eventually("the ball back", async () => (await redness()) > 30);
  studio.assertNoProblems();
});

test("a graphics card that drops the view: it says so, stays with the traced picture, and comes back", async () => {
  const { studio, page } = await opened();
  await mode(page, "raster");
  await page.getByTestId("raster-canvas").evaluate((canvas) => {
    globalThis.loss = canvas.getContext("webgl2").getExtension("WEBGL_lose_context");
    globalThis.loss.loseContext();
  });
  await page.getByTestId("raster-reason").waitFor();
  assert.equal(await page.getByTestId("view").getAttribute("data-mode"), "traced");
  await studio.pictureWhere("traced", ({ samples }) => samples >= 1);
  await studio.screenshot("view-lost-dark");
  await page.evaluate(() => globalThis.loss.restoreContext());
  await page.getByTestId("raster-reason").waitFor({ state: "detached" });
  await eventually("the raster again", async () => (await rasterPixels(page)).at(0.5, 0.5)[2] > 60);
  // What belonged to the lost context is let go once more when it is replaced: the driver says so, and that is all.
  studio.assertNoProblems(/Context Lost|Context Restored|does not belong to this context/);
});

test("without WebGL the page says so; the traced picture follows one who looks around", async () => {
  const { studio, page } = await opened(SCENE, () => {
    const real = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
      return /webgl/.test(kind) ? null : real.call(this, kind, ...rest);
    };
  });
  await page.getByTestId("raster-reason").getByText("WebGL is not available").waitFor();
  assert.ok(await page.getByTestId("view-switch-raster").isDisabled());
  const before = await studio.picture();
  await orbit(page, studio.canvas, 150, 0);
  await page.getByTestId("private-camera").waitFor();
  await studio.pictureWhere("from elsewhere", ({ whole }) =>
    whole.some((channel, index) => Math.abs(channel - before.whole[index]) > 0.5),
  );
  studio.assertNoProblems(/WebGL/);
});

test("a panoramic camera has no raster view: the page says why, and the traced picture stands alone", async () => {
  const panorama = { ...SCENE, camera: { center: [0, 2, 7], look_at: [0, 0, 0], projection: "panoramic" } };
  const { studio, page, scene } = await opened(panorama);
  await page.locator('.view[data-raster="unsuited"][data-mode="traced"][data-covered="false"]').waitFor();
  await page.getByText("A panoramic camera is shown in the path-traced view only").first().waitFor();
  assert.ok(await page.getByTestId("view-switch-raster").isDisabled());
  await row(page, "crate").click();
  await studio.screenshot("view-panorama-dark");
  const { projection: _, ...camera } = (await scene()).camera;
  const session = await studio.sessionId();
  await fetch(`${stage.server.url}/api/sessions/${session}/scene`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ...SCENE, camera }),
  });
  await page.locator('.view[data-raster="ready"]').waitFor();
  assert.ok(await page.getByTestId("view-switch-raster").isEnabled());
  studio.assertNoProblems();
});

test("light and narrow", async () => {
  const { studio, page } = await opened();
  await page.getByTestId("theme").click();
  await mode(page, "split");
  await row(page, "crate").click();
  await studio.screenshot("view-split-light");
  await page.setViewportSize({ width: 390, height: 780 });
  await page.getByTestId("view-switch-narrow-wipe").check({ force: true });
  await page.locator('.view[data-mode="wipe"]').waitFor();
  await studio.screenshot("view-narrow-light");
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.equal(overflow, 0, "nothing sticks out");
  studio.assertNoProblems();
});

/** A page that shows `file` and can draw; `prepare` is run in it before its own scripts. */
async function opened(file = SCENE, prepare) {
  const studio = await stage.browser.openStudio(stage.server.url);
  const { page } = studio;
  const session = await studio.sessionId();
  const url = `${stage.server.url}/api/sessions/${session}/scene`;
  const headers = { "content-type": "application/json" };
  const put = await fetch(url, { method: "PUT", headers, body: JSON.stringify(file) });
  assert.equal(put.status, 200);
  await page.evaluate(() => localStorage.removeItem("scene-llm.view"));
  if (prepare !== undefined) {
    await page.addInitScript(prepare);
    await page.reload();
    await studio.connected();
  }
  await row(page, file.shapes[0].id).waitFor();
  await page.locator('.view:not([data-raster="loading"])').waitFor();
  const { revision } = await (await fetch(url.replace("/scene", ""))).json();
  await studio.pictureWhere("of the scene", (picture) => picture.revision === revision);
  return { studio, page, scene: async () => (await fetch(url)).json() };
}

/** Where the middle of the ball is seen by the scene's camera. */
function ballAt() {
  return [0.5 + 2 / (2 * Math.hypot(2, 7) * Math.tan(Math.PI / 8) * (4 / 3)), 0.5];
}

/** A little off the middle of what is selected: there the handles cover it, the one along z as a blue tip. */
function besideHandles([x, y]) {
  return [x - 0.04, y + 0.03];
}

async function mode(page, name) {
  await page.getByTestId(`view-switch-${name}`).check({ force: true });
  await page.locator(`.view[data-mode="${name}"]`).waitFor();
}

async function isCovered(page, covered) {
  return (await page.getByTestId("view").getAttribute("data-covered")) === String(covered);
}

function rasterPixels(page) {
  return pixelsOf(page.getByTestId("raster-canvas"));
}

/** Whether more than a tenth of the bytes of two pictures are others. */
function differs(before, after) {
  const others = before.bytes.filter((byte, index) => Math.abs(byte - (after.bytes[index] ?? 0)) > 8).length;
  return others > 0.1 * before.bytes.length;
}

function row(page, name) {
  return page.getByTestId("outline-row").filter({ has: page.getByText(name, { exact: true }) });
}

async function selectedAre(page, names) {
  const wanted = [...names].sort().join();
  const selected = () => page.locator('[role="treeitem"][aria-selected="true"]').allInnerTexts();
  await eventually(`"${wanted}" to be selected`, async () => (await selected()).sort().join() === wanted);
}

async function boxOf(scene) {
  return (await scene()).shapes.find(({ id }) => id === "crate").properties;
}

async function clickAt(element, x, y, options) {
  const { width, height } = await element.boundingBox();
  await element.click({ position: { x: x * width, y: y * height }, ...options });
}

async function dragMouse(page, { x, y }, way, meanwhile = async () => {}) {
  await page.mouse.move(x, y);
  // The handle under the pointer is found with the next frame.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  await page.mouse.down();
  await page.mouse.move(x + way / 2, y, { steps: 3 });
  await page.mouse.move(x + way, y, { steps: 3 });
  await meanwhile();
  await page.mouse.up();
}

/** Looks around by a drag in the upper left of an element, where nothing stands in the way. */
async function orbit(page, element, across, down, meanwhile) {
  const { x, y, width, height } = await element.boundingBox();
  await page.mouse.move(x + 0.15 * width, y + 0.15 * height);
  await page.mouse.down();
  await page.mouse.move(x + 0.15 * width + across, y + 0.15 * height + down, { steps: 5 });
  await meanwhile?.();
  await page.mouse.up();
}

/** The handle that points along x, of things in the middle of a picture that is seen from the front. */
async function xHandle(page) {
  const { x, y, width, height } = await page.getByTestId("raster-frame").boundingBox();
  return { x: x + width / 2 + 0.11 * height, y: y + height / 2 };
}
