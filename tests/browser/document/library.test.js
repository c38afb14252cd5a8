import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../harness/browser.js";
import { setStage } from "../harness/stage.js";

const box = (id, center, dimensions) => ({ id, type: "box", properties: { center, dimensions } });
const TABLE_TOP = 0.75;
/** A table, seen from the front and from above: its top is in the middle of the picture. */
const SCENE = {
  version: 1,
  shapes: [
    box("floor", [0, -0.05, 0], [10, 0.1, 10]),
    { ...box("board", [0, 0.72, 0], [1.6, 0.06, 0.9]), group: "desk" },
    { ...box("foot", [0, 0.345, 0], [0.2, 0.69, 0.2]), group: "desk" },
  ],
  groups: [{ id: "desk", parent: null }],
  lights: [
    { id: "key", type: "point_spot_light", properties: { center: [2, 5, 4], emission: [60, 60, 60] } },
  ],
  environment: { type: "uniform", emission: [0.4, 0.4, 0.4] },
  camera: { center: [0, 2.2, 3.4], look_at: [0, TABLE_TOP, 0] },
};

const stage = setStage();

test("an object is found by words and added by a click where one looks; undo takes it back", async () => {
  const { studio, page, scene } = await opened();
  await page.getByTestId("add").click();
  await page.getByRole("menuitem", { name: "From library…" }).click();
  const search = page.getByRole("searchbox", { name: "Search objects" });
  await search.fill("arm chair");
  await option(page, "armchair").click();
  await page.getByRole("treeitem", { name: "armchair", exact: true, selected: true }).waitFor();
  await page.getByText(/A group of \d+ objects/).waitFor();
  const { shapes } = await scene();
  assert.ok(shapes.filter(({ group }) => group === "armchair").length > 3, "it is made of several shapes");
  await studio.screenshot("library-added-dark");
  await page.getByTestId("undo").click();
  await page.getByRole("treeitem", { name: "armchair", exact: true }).waitFor({ state: "detached" });
  studio.assertNoProblems();
});

test("a new shape stands on the table one looks at", async () => {
  const { studio, page, scene } = await opened();
  await page.locator('.view[data-raster="ready"]').waitFor();
  await studio.add("Sphere");
  const ball = await eventually("the ball on the server", async () => {
    const { shapes } = await scene();
    return shapes.find(({ id }) => id === "sphere")?.properties;
  });
  assert.ok(
    Math.abs(ball.center[1] - ball.radius - TABLE_TOP) < 1e-3,
    `on the table: ${JSON.stringify(ball)}`,
  );
  assert.equal(await page.getByTestId("private-camera").count(), 0);
  await openLibrary(page, "armchair");
  await option(page, "armchair").click();
  await page.getByRole("treeitem", { name: "armchair", exact: true, selected: true }).waitFor();
  await studio.screenshot("library-on-table-dark");
  studio.assertNoProblems();
});

test("a mug is dragged onto a table: a ghost goes ahead, R turns it, Escape takes it back", async () => {
  const { studio, page, scene } = await opened();
  await openLibrary(page, "mug");
  const [x, y] = await pointInView(page, 0.6, 0.5);
  await drag(page, option(page, "mug"), x, y);
  await page.keyboard.press("Escape");
  await page.mouse.up();
  await page.getByTestId("library").waitFor();

  await drag(page, option(page, "mug"), x, y);
  await page.keyboard.press("r");
  await studio.screenshot("library-ghost-dark");
  await page.mouse.up();
  await page.getByRole("treeitem", { name: "mug", exact: true, selected: true }).waitFor();
  const { shapes } = await scene();
  const groups = new Set(shapes.map(({ group }) => group));
  assert.deepEqual([...groups], [undefined, "desk", "mug"], "one was added, the other taken back");
  const mug = shapes.filter(({ group }) => group === "mug");
  const heights = mug.flatMap(({ properties }) =>
    [properties.center, properties.base_center].flatMap((point) => (point === undefined ? [] : [point[1]])),
  );
  assert.ok(Math.min(...heights) > TABLE_TOP - 0.01, `it stands on the table: ${heights}`);
  assert.ok(Math.max(...heights) < TABLE_TOP + 0.3, `it stands on the table: ${heights}`);
  studio.assertNoProblems();
});

test("the keyboard alone is enough: L opens, arrow keys move, Enter adds, Escape leads back", async () => {
  const { studio, page } = await opened();
  await page.getByTestId("outliner").focus();
  await page.keyboard.press("l");
  const search = page.getByRole("searchbox", { name: "Search objects" });
  await eventually("the search to have the focus", () => hasFocus(search));
  await page.keyboard.type("chair");
  const items = page.getByTestId("library-item");
  await eventually("the chair first", async () => (await items.first().innerText()).trim() === "chair");
  await page.keyboard.press("ArrowDown");
  await eventually("the first to have the focus", () => hasFocus(items.first()));
  await page.keyboard.press("ArrowRight");
  await eventually("the second to have the focus", () => hasFocus(items.nth(1)));
  await page.keyboard.press("ArrowUp");
  await eventually("the search to have the focus again", () => hasFocus(search));
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Home");
  await page.keyboard.press("Enter");
  await page.getByRole("treeitem", { name: "chair", exact: true, selected: true }).waitFor();
  assert.ok(await hasFocus(items.first()), "the next can be added");
  await page.keyboard.press("Escape");
  await page.getByTestId("library").waitFor({ state: "detached" });
  assert.ok(await hasFocus(page.getByTestId("outliner")), "the focus is back where it was");
  await studio.command("from library");
  await page.getByTestId("library").waitFor();
  studio.assertNoProblems();
});

test("categories narrow the list; pictures are loaded for what is in view, and a little ahead, four at a time", async () => {
  const [asked, underWay] = [new Set(), new Set()];
  let most = 0;
  const isPicture = (request) => /\/api\/objects\/[^/]+\/picture/.test(request.url());
  const { studio, page } = await opened(async (page) => {
    page.on("request", (request) => {
      if (!isPicture(request)) return;
      asked.add(request.url());
      underWay.add(request);
      most = Math.max(most, underWay.size);
    });
    for (const end of ["requestfinished", "requestfailed"])
      page.on(end, (request) => underWay.delete(request));
  });
  await openLibrary(page, "");
  const items = page.getByTestId("library-item");
  const all = await items.count();
  assert.ok(all > 100, `all objects are listed: ${all}`);
  const loaded = page.locator('.library-picture[data-phase="loaded"]');
  await eventually("some pictures", async () => (await loaded.count()) > 4);
  assert.ok(asked.size < 60, `${asked.size} pictures for what is in view`);
  assert.ok(most <= 4, `${most} at once`);
  await page.getByRole("radio", { name: "furniture" }).check({ force: true });
  await eventually("fewer", async () => (await items.count()) < all);
  await option(page, "sofa").waitFor();
  studio.assertNoProblems();
});

test("a picture that is there is traced on once the library has the pictures one looks at", async () => {
  let held = [];
  const views = [];
  const { studio, page } = await opened(async (page) => {
    await page.route(/\/api\/objects\/[^/]+\/picture/, (route) =>
      held === null ? route.abort() : void held.push(route),
    );
    page.on("websocket", (socket) =>
      socket.on("framesent", ({ payload }) => {
        const message = JSON.parse(String(payload));
        if (message.type === "view") views.push(message.paused);
      }),
    );
  });
  await studio.pictureWhere("the scene", ({ samples }) => samples > 0);
  await openLibrary(page, "");
  await eventually("pictures to be asked for", () => held.length >= 4);
  await eventually("tracing to wait", () => views.at(-1) === true);
  // Those that cannot be had are not waited for.
  const waiting = held;
  held = null;
  for (const route of waiting) await route.abort();
  await eventually("tracing to go on", () => views.at(-1) === false);
  studio.assertNoProblems(/Failed to load resource/);
});

test("what the library does not have, the model is asked for", async () => {
  const { studio, page } = await opened();
  await openLibrary(page, "quantum flux capacitor");
  await page.getByText("No results. Ask the model instead.").waitFor();
  await page.getByRole("button", { name: "Ask the model" }).click();
  await page.getByTestId("library").waitFor({ state: "detached" });
  assert.equal(await studio.composer.inputValue(), "Add a quantum flux capacitor");
  await eventually("the composer to have the focus", () => hasFocus(studio.composer));
  studio.assertNoProblems();
});

test("on a phone a finger that is held drags, one that moves at once scrolls", async () => {
  const { studio, page, scene } = await opened();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByTestId("toggle-library").click();
  const items = page.getByTestId("library-item");
  await items.first().waitFor();
  const finger = await page.context().newCDPSession(page);
  const touch = (type, ...points) =>
    finger.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y]) => ({ x, y })) });
  const middleOf = async (locator) => {
    const { x, y, width, height } = await locator.boundingBox();
    return [x + width / 2, y + height / 2];
  };
  // Of the first row: on a phone the second reaches below the sheet.
  const [x, y] = await middleOf(items.nth(1));
  await touch("touchStart", [x, y]);
  for (let way = 10; way <= 120; way += 10) await touch("touchMove", [x, y - way]);
  await touch("touchEnd");
  await eventually("the list to scroll", () =>
    page.getByTestId("library-grid").evaluate((grid) => grid.scrollTop > 20),
  );
  assert.equal((await scene()).shapes.length, SCENE.shapes.length, "nothing was added");

  await page.getByTestId("library-search").fill("mug");
  const from = await middleOf(option(page, "mug"));
  await touch("touchStart", from);
  await page.locator(".library-dragged").waitFor();
  const to = await pointInView(page, 0.5, 0.5);
  for (const share of [0.25, 0.5, 0.75, 1]) {
    await touch(
      "touchMove",
      [0, 1].map((axis) => from[axis] + share * (to[axis] - from[axis])),
    );
  }
  await page.locator(".library-dragged").waitFor({ state: "detached" });
  await studio.screenshot("library-touch-narrow");
  await touch("touchEnd");
  await eventually("a mug", async () => (await scene()).shapes.some(({ group }) => group === "mug"));
  studio.assertNoProblems();
});

async function opened(prepare) {
  const studio = await stage.browser.openStudio(stage.server.url, { prepare });
  const { page } = studio;
  const session = await studio.sessionId();
  const url = `${stage.server.url}/api/sessions/${session}/scene`;
  const headers = { "content-type": "application/json" };
  const put = await fetch(url, { method: "PUT", headers, body: JSON.stringify(SCENE) });
  assert.equal(put.status, 200, await put.text());
  await page.getByRole("treeitem", { name: "floor" }).waitFor();
  await page.locator('.view[data-raster="ready"]').waitFor();
  return { studio, page, scene: async () => (await fetch(url)).json() };
}

async function openLibrary(page, words) {
  await page.getByTestId("toggle-library").click();
  await page.getByTestId("library-item").first().waitFor();
  await page.getByTestId("library-search").fill(words);
}

function option(page, name) {
  return page.getByRole("option", { name, exact: true });
}

/** Where on the page a point of the picture is, (0, 0) its top left corner. */
async function pointInView(page, x, y) {
  const { left, top, width, height } = await page.getByTestId("raster-frame").evaluate((frame) => {
    return frame.getBoundingClientRect().toJSON();
  });
  return [left + x * width, top + y * height];
}

/** Drags to a place of the page, and waits for the ghost there. */
async function drag(page, locator, x, y) {
  await locator.hover();
  await page.mouse.down();
  await page.mouse.move(x, y, { steps: 6 });
  await page.locator(".library-dragged").waitFor({ state: "detached" });
}

function hasFocus(locator) {
  return locator.evaluate((element) => element === document.activeElement);
}
