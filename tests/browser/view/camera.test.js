import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually, tint } from "../harness/browser.js";
import { setStage } from "../harness/stage.js";

const stage = setStage();

test("a lens is chosen in millimeters, as photographers do, beside the view angle", async () => {
  const { studio, page, scene } = await opened();
  await row(page, "Camera").click();
  const field = (name) => page.getByTestId("inspector").getByRole("textbox", { name, exact: true });
  await field("Lens").fill("50");
  await field("Lens").press("Enter");
  await eventually("the angle of a 50 mm lens", async () => Math.abs((await scene()).camera.vfov - 26.991) < 0.01);
  assert.match(await field("View angle").inputValue(), /^26\.99/);
  await field("View angle").fill("90");
  await field("View angle").press("Enter");
  await eventually("12 mm", async () => (await field("Lens").inputValue()) === "12");
  await field("Lens").fill("0");
  await field("Lens").press("Enter");
  await eventually("the field as it was", async () => (await field("Lens").inputValue()) === "12");
  assert.equal((await scene()).camera.vfov, 90);
  studio.assertNoProblems();
});

test("blur is said by an f-number as well as by the lens's diameter", async () => {
  const { studio, page, scene } = await opened();
  await row(page, "Camera").click();
  const field = (name) => page.getByTestId("inspector").getByRole("textbox", { name, exact: true });
  assert.equal(await field("f-number").getAttribute("placeholder"), "no blur");
  await field("Lens").fill("50");
  await field("Lens").press("Enter");
  await eventually("the lens", async () => Math.abs((await scene()).camera.vfov - 26.991) < 0.01);
  // Whoever selects all before typing means the field, an empty one, too.
  await field("f-number").press("Control+a");
  assert.ok(await field("f-number").evaluate((input) => input === document.activeElement), "it keeps the focus");
  await field("f-number").fill("f/2.8");
  await field("f-number").press("Enter");
  await eventually("50 mm by 2.8", async () => Math.abs((await scene()).camera.aperture - 0.01786) < 1e-5);
  await field("Aperture").fill("25 mm");
  await field("Aperture").press("Enter");
  await eventually("f/2", async () => (await field("f-number").inputValue()) === "2");
  await field("f-number").fill("");
  await field("f-number").press("Enter");
  await eventually("a pinhole", async () => ((await scene()).camera.aperture ?? 0) === 0);
  studio.assertNoProblems();
});

test("a click says what shall be sharp", async () => {
  const { studio, page, scene } = await opened();
  await row(page, "Camera").click();
  const tool = page.getByTestId("focus-tool");
  assert.ok(await tool.isDisabled(), "a pinhole has no focus");
  const fNumber = page.getByTestId("inspector").getByRole("textbox", { name: "f-number", exact: true });
  await fNumber.fill("1.4");
  await fNumber.press("Enter");
  await page.locator('.view[data-raster="ready"]').waitFor();
  await tool.click();
  await tool.filter({ hasText: "Click a point" }).waitFor();
  await studio.screenshot("focus-tool-dark");
  // The ball is 1 m left of the middle, and its front half a meter nearer than the target, 6.02 m away.
  const frame = await page.getByTestId("raster-frame").boundingBox();
  const halfWidth = 6.02 * Math.tan((20 * Math.PI) / 180) * (frame.width / frame.height);
  await page.mouse.click(frame.x + (0.5 - 0.5 / halfWidth) * frame.width, frame.y + frame.height / 2);
  await eventually("the distance of the ball", async () => {
    const { focus_distance: distance } = (await scene()).camera;
    return distance > 5.4 && distance < 5.9;
  });
  await tool.filter({ hasText: "Focus on" }).waitFor();
  assert.equal(await row(page, "Camera").getAttribute("aria-selected"), "true", "the click selected nothing else");
  studio.assertNoProblems();
});

test("the picture takes the shape of a wide place, and raster and traced picture have the same", async () => {
  const { studio, page } = await opened();
  await studio.pictureWhere("in its usual shape", ({ width, height }) => isNear(width / height, 4 / 3));
  await page.setViewportSize({ width: 1500, height: 700 });
  await page.keyboard.press("Control+\\");
  const wide = await studio.pictureWhere("wide", ({ width, height, samples }) => width > 1.9 * height && samples >= 1);
  await studio.screenshot("view-wide");
  const shape = async (locator) => {
    const { width, height } = await locator.boundingBox();
    return width / height;
  };
  assert.ok(Math.abs((await shape(studio.canvas)) - wide.width / wide.height) < 0.01);
  await page.getByTestId("view-switch-raster").check({ force: true });
  await page.locator('.view[data-mode="raster"]').waitFor();
  const raster = page.getByTestId("raster-frame");
  assert.ok(Math.abs((await shape(raster)) - wide.width / wide.height) < 0.03);
  await page.keyboard.press("Control+\\");
  await page.setViewportSize({ width: 1280, height: 800 });
  await eventually("the usual shape", async () => Math.abs((await shape(raster)) - 4 / 3) < 0.01);
  studio.assertNoProblems();
});

test("what an answer changed is looked at by a button, however small and far away it is", async () => {
  const { studio, page, scene } = await opened();
  const before = (await scene()).camera;
  await studio.say("a bead, far away");
  const answer = await stage.gemini.nextRequest();
  const material = { type: "lambertian", albedo: [0.8, 0, 0] };
  answer.call("create_shape", { id: "bead", type: "sphere", properties: { center: [30, 0.5, -40], radius: 0.05, material } });
  answer.end();
  const last = await stage.gemini.nextRequest();
  last.say("There it is.");
  last.end();
  await studio.idle();
  await page.getByTestId("look-at-changed").click();
  await page.getByTestId("private-camera").waitFor();
  await studio.pictureWhere("of the bead", ({ middle }) => tint(middle, 0) > 60);
  assert.deepEqual((await scene()).camera, before, "the scene's own camera stays");
  studio.assertNoProblems();
});

test("parts are listed and renamed by their own names below that of their object", async () => {
  const { studio, page, scene } = await opened();
  await row(page, "lamp").click();
  await page.keyboard.press("ArrowRight");
  const shade = page.getByRole("treeitem", { name: "lamp_shade", exact: true });
  assert.equal((await shade.innerText()).trim(), "shade");
  await shade.dblclick();
  const name = page.getByRole("textbox", { name: "New name of shade" });
  assert.equal(await name.inputValue(), "shade", "as it stands in the list");
  await name.fill("hat");
  await name.press("Enter");
  await eventually("the new name", async () => (await scene()).shapes.some(({ id }) => id === "lamp_hat"));
  await row(page, "hat").waitFor();
  studio.assertNoProblems();
});

test("a traced picture is small at first and then has the pixels of the screen", async () => {
  const sizes = [];
  const studio = await stage.browser.openStudio(stage.server.url, {
    prepare: async (page) => {
      await page.addInitScript(() => localStorage.setItem("scene-llm.quality", "preview"));
      const protocol = await page.context().newCDPSession(page);
      const screen = { width: 1280, height: 800, deviceScaleFactor: 2, mobile: false };
      await protocol.send("Emulation.setDeviceMetricsOverride", screen);
      page.on("websocket", (socket) =>
        socket.on("framereceived", ({ payload }) => {
          if (typeof payload === "string") return;
          const header = JSON.parse(payload.subarray(4, 4 + payload.readUInt32LE(0)).toString());
          sizes.push(header);
        }),
      );
    },
  });
  const { page } = studio;
  const sharp = await studio.pictureWhere("sharp", ({ width, samples }) => width > 900 && samples >= 1);
  const frame = await page.locator(".picture-of-tracer .picture-frame").boundingBox();
  assert.ok(isNear(sharp.width / sharp.height, frame.width / frame.height), "in the shape of its place");
  assert.ok(sharp.width > 1.4 * frame.width, `${sharp.width} pixels for ${frame.width} CSS pixels`);
  const { view } = sizes.at(-1);
  const first = sizes.find((header) => header.view === view);
  assert.ok(first.width * first.height < 650 * 480, `the first picture has ${first.width} x ${first.height} pixels`);
  assert.equal(first.samples, 0);
  await studio.screenshot("view-sharp");
  studio.assertNoProblems();
});

const isNear = (a, b) => Math.abs(a / b - 1) < 0.02;

/** A page with a ball and a lamp of two parts. */
async function opened() {
  const studio = await stage.browser.openStudio(stage.server.url);
  const url = `${stage.server.url}/api/sessions/${await studio.sessionId()}/scene`;
  const cone = { base_center: [1, 0.6, 0], top_center: [1, 1, 0], base_radius: 0.3, top_radius: 0.2, capped: true };
  const post = { base_center: [1, 0, 0], top_center: [1, 0.6, 0], radius: 0.05, capped: true };
  const scene = {
    version: 1,
    groups: [{ id: "lamp" }],
    shapes: [
      { id: "ball", type: "sphere", properties: { center: [-1, 0.5, 0], radius: 0.5 } },
      { id: "lamp_post", type: "cylinder", group: "lamp", properties: post },
      { id: "lamp_shade", type: "cone", group: "lamp", properties: cone },
    ],
    environment: { type: "uniform", emission: [1, 1, 1] },
    camera: { center: [0, 1, 6], look_at: [0, 0.5, 0], vfov: 40 },
  };
  const put = await fetch(url, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(scene),
  });
  assert.ok(put.ok, await put.text());
  await row(studio.page, "ball").waitFor();
  await studio.pictureWhere("of the scene", ({ samples }) => samples >= 1);
  return { studio, page: studio.page, scene: async () => (await fetch(url)).json() };
}

function row(page, name) {
  return page.getByTestId("outline-row").filter({ has: page.getByText(name, { exact: true }) });
}
