import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../harness/browser.js";
import { setStage } from "../harness/stage.js";

const matte = (albedo) => ({ type: "lambertian", albedo });
const SCENE = {
  version: 1,
  shapes: [
    { id: "floor", type: "quad", properties: { corner: [-9, -1, 9], u: [18, 0, 0], v: [0, 0, -18] } },
    {
      id: "crate",
      type: "box",
      properties: {
        center: [-1.2, 0, 0],
        dimensions: [1.2, 1.6, 0.8],
        rotation: [20, 35, 10],
        material: matte([0.1, 0.3, 0.7]),
      },
    },
    { id: "ball", type: "sphere", properties: { center: [1.2, 0, 0], radius: 0.8, material: matte([0.7, 0.1, 0.1]) } },
  ],
  lights: [{ id: "key", type: "point_spot_light", properties: { center: [2, 5, 4], emission: [60, 60, 60] } }],
  environment: { type: "uniform", emission: [0.4, 0.4, 0.4] },
  camera: { center: [0, 1, 6], look_at: [0, 0, 0] },
};

const stage = setStage();

test("a click in the picture selects what is there, Shift adds, the sky clears; the list follows", async () => {
  const { studio, page } = await opened();
  await clickPicture(studio, 0.7, 0.5);
  await selectedAre(page, ["ball"]);
  assert.equal(await field(page, "Name").inputValue(), "ball");
  await clickPicture(studio, 0.3, 0.5, { modifiers: ["Shift"] });
  await selectedAre(page, ["crate", "ball"]);
  await page.getByText("2 objects selected").waitFor();
  await clickPicture(studio, 0.3, 0.5, { modifiers: ["Shift"] });
  await selectedAre(page, ["ball"]);
  await clickPicture(studio, 0.5, 0.05);
  await selectedAre(page, []);
  await page.getByText("Select an object").waitFor();
  studio.assertNoProblems();
});

test("the outline lies on the picture: the box's corners are where a ray of the server meets it", async () => {
  const { studio, page } = await opened();
  await row(page, "crate").click();
  const corners = await eventually("an outline", async () => {
    const path = await page.getByTestId("outline-line").getAttribute("d");
    return path ? outerCorners(path) : null;
  });
  const middle = { x: mean(corners.map(({ x }) => x)), y: mean(corners.map(({ y }) => y)) };
  for (const corner of corners) {
    for (const [share, expected] of [
      [0.97, ["crate"]],
      [1.03, []],
    ]) {
      const at = (axis) => middle[axis] + share * (corner[axis] - middle[axis]);
      await row(page, "Camera").click();
      await clickPicture(studio, at("x"), at("y"));
      const chosen = await eventually("an answer", async () => {
        const keys = await selectedKeys(page);
        return keys.includes("Camera") ? null : keys;
      });
      const crates = chosen.filter((key) => key === "crate");
      assert.deepEqual(crates, expected, `${share} of the way to a corner: ${chosen}`);
    }
  }
  await row(page, "crate").click();
  await studio.screenshot("document-outline-dark");
  studio.assertNoProblems();
});

test("what is selected goes with the message, as chips that can be taken off", async () => {
  const { studio, page } = await opened();
  await row(page, "ball").click();
  await row(page, "crate").click({ modifiers: ["Control"] });
  const chips = page.getByTestId("chips");
  await studio.reads(chips, "ball\ncrate");
  await chips.getByRole("button", { name: "Deselect crate" }).click();
  await studio.reads(chips, "ball");
  await studio.say("make this green");
  const request = await stage.gemini.nextRequest();
  const said = request.request.contents.at(-1).parts.map((part) => part.text ?? "").join("");
  assert.match(said, /\[selected: ball\]\nmake this green/);
  request.call("update_shape", { id: "ball", updates: { properties: { material: matte([0.1, 0.7, 0.1]) } } });
  request.end();
  const second = await stage.gemini.nextRequest();
  await page.getByRole("treeitem", { name: "ball, changed by the model" }).waitFor();
  await studio.screenshot("document-marked-dark");
  second.say("It is green.");
  second.end();
  await studio.idle();
  await studio.reads(chips, "ball");
  // The mark goes by itself.
  await page.getByRole("treeitem", { name: "ball", exact: true }).waitFor();

  // Pointing at a change shows where it is; pressing it selects.
  const change = page.getByTestId("turn-summary").getByRole("button", { name: "ball" });
  await row(page, "crate").click();
  await change.hover();
  await page.locator(".outline-row-pointed", { hasText: "ball" }).waitFor();
  await change.click();
  await selectedAre(page, ["ball"]);
  studio.assertNoProblems();
});

test("a field is an edit: shown at once, one undo step, Escape takes back, refusals stand at the field", async () => {
  const { studio, page, scene } = await opened();
  const other = await stage.browser.openStudio(page.url());
  await row(page, "ball").click();
  const radius = field(page, "Radius");
  await radius.fill("50 cm");
  await radius.press("Enter");
  await eventually("the server's radius", async () => (await ball(scene)).radius === 0.5);
  assert.equal(await radius.inputValue(), "0.5");
  await row(other.page, "ball").click();
  await eventually("the other page", async () => (await field(other.page, "Radius").inputValue()) === "0.5");

  await radius.fill("7");
  await radius.press("Escape");
  assert.equal(await radius.inputValue(), "0.5");
  await radius.fill("much");
  await radius.press("Enter");
  await page.getByText("Enter a number").waitFor();
  await radius.press("Escape");
  await page.getByText("Enter a number").waitFor({ state: "detached" });

  await radius.fill("-1");
  await radius.press("Enter");
  const fault = page.getByTestId("inspector").getByRole("alert");
  await fault.getByText("'radius' must be a number > 0").waitFor();
  assert.equal(await radius.inputValue(), "0.5", "taken back");
  assert.equal(await radius.getAttribute("aria-invalid"), "true");
  await studio.screenshot("document-refused-dark");

  const name = field(page, "Name");
  await name.fill("globe");
  await name.press("Enter");
  await selectedAre(page, ["globe"]);
  await fault.waitFor({ state: "detached" });
  assert.ok(await name.evaluate((input) => input === document.activeElement), "the focus stays");
  await name.fill("ball");
  await name.press("Enter");
  await selectedAre(page, ["ball"]);
  const named = (id) => async () => (await scene()).shapes.some((shape) => shape.id === id);
  await eventually("the old name", named("ball"));

  await field(page, "Center y").fill("0.4");
  await field(page, "Center y").press("Tab");
  await eventually("the centre", async () => (await ball(scene)).center[1] === 0.4);
  await page.keyboard.press("Control+z");
  await eventually("the centre taken back", async () => (await ball(scene)).center[1] === 0);
  await page.keyboard.press("Control+z");
  await eventually("the new name again", named("globe"));
  await selectedAre(page, ["globe"]);
  await page.keyboard.press("Control+z");
  await eventually("the old name again", named("ball"));
  await page.keyboard.press("Control+z");
  await eventually("the radius taken back", async () => (await ball(scene)).radius === 0.8);
  await page.keyboard.press("Control+Shift+z");
  await eventually("the radius made again", async () => (await ball(scene)).radius === 0.5);
  studio.assertNoProblems();
});

test("dragging on a number's name is one undo step; Escape in the middle is none", async () => {
  const { studio, page, scene } = await opened();
  await row(page, "ball").click();
  const handle = page.locator("label.handle", { hasText: "Radius" });
  const outline = () => page.getByTestId("outline-line").getAttribute("d");
  const before = await outline();
  await drag(page, handle, 60, async () => {
    assert.notEqual(await outline(), before, "the outline follows");
    assert.equal((await ball(scene)).radius, 0.8, "nothing is sent yet");
    await page.keyboard.press("Escape");
  });
  assert.equal(await outline(), before);
  await drag(page, handle, 40);
  await eventually("the radius", async () => (await ball(scene)).radius === 0.84);
  assert.equal(await field(page, "Radius").inputValue(), "0.84");
  await page.getByTestId("undo").click();
  await eventually("all of it taken back", async () => (await ball(scene)).radius === 0.8);
  studio.assertNoProblems();
});

test("colours are shown in sRGB and kept linear; light is a colour and a strength; materials change", async () => {
  const { studio, page, scene } = await opened();
  await row(page, "ball").click();
  const albedo = page.getByLabel("Color", { exact: true });
  assert.equal(await albedo.inputValue(), "#da5959");
  await albedo.fill("#bcbcbc");
  await eventually("a linear grey", async () => {
    const { material } = await ball(scene);
    return material.albedo.every((channel) => Math.abs(channel - 0.5029) < 0.0001);
  });
  await page.getByLabel("Kind").selectOption("metal");
  await eventually("metal", async () => (await ball(scene)).material.fuzz === 0.1);
  await field(page, "Roughness").fill("0.4");
  await field(page, "Roughness").press("Enter");
  await eventually("rough metal of the same colour", async () => {
    const { material } = await ball(scene);
    return material.fuzz === 0.4 && material.albedo[0] === 0.5029;
  });

  await page.getByLabel("Kind").selectOption("preset");
  await field(page, "Material").fill("Brushed Unobtainium");
  await field(page, "Material").press("Enter");
  await page.getByTestId("inspector").getByRole("alert").getByText("did you mean").waitFor();
  await eventually("gold", async () => (await ball(scene)).material === "gold");
  await page.getByLabel("Kind").selectOption("principled");
  await field(page, "Coat").fill("1");
  await field(page, "Coat").press("Enter");
  await eventually("a coat", async () => (await ball(scene)).material.coat_weight === 1);
  await studio.screenshot("document-principled-dark");

  await row(page, "key").click();
  const light = async () => (await scene()).lights[0].properties.emission;
  await field(page, "Emission strength").fill("30");
  await field(page, "Emission strength").press("Enter");
  await eventually("half the light", async () => String(await light()) === "30,30,30");
  await page.getByLabel("Emission color").fill("#ff0000");
  await eventually("red light", async () => String(await light()) === "30,0,0");

  await row(page, "Camera").click();
  await field(page, "View angle").fill("30");
  await field(page, "View angle").press("Enter");
  await field(page, "Focus").fill("3");
  await field(page, "Focus").press("Enter");
  await eventually("the camera", async () => {
    const { vfov, focus_distance } = (await scene()).camera;
    return vfov === 30 && focus_distance === 3;
  });
  await field(page, "Focus").fill("");
  await field(page, "Focus").press("Enter");
  await eventually("the default focus", async () => (await scene()).camera.focus_distance === null);
  await row(page, "Environment").click();
  await page.getByLabel("Kind").selectOption("gradient");
  await page.getByLabel("Sky color").waitFor();
  await eventually("a sky", async () => (await scene()).environment.type === "gradient");
  studio.assertNoProblems();
});

test("the list by keyboard: move, range, rename, duplicate, delete, undo", async () => {
  const { studio, page, scene } = await opened();
  const ids = async () => String((await scene()).shapes.map(({ id }) => id));
  const tree = page.getByRole("tree", { name: "Objects" });
  await tree.focus();
  await page.keyboard.press("Home");
  await selectedAre(page, ["Camera"]);
  await page.keyboard.press("b");
  await selectedAre(page, ["ball"]);
  await page.keyboard.press("Shift+ArrowUp");
  await selectedAre(page, ["crate", "ball"]);
  await page.keyboard.press("End");
  await selectedAre(page, ["key"]);
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("F2");
  const name = page.getByRole("textbox", { name: "New name of ball" });
  await name.fill("globe");
  await name.press("Enter");
  await eventually("the new name", async () => (await ids()) === "floor,crate,globe");
  await selectedAre(page, ["globe"]);
  assert.ok(await tree.evaluate((element) => element === document.activeElement), "the focus is back");

  await page.keyboard.press("F2");
  await page.getByRole("textbox", { name: "New name of globe" }).fill("crate");
  await page.keyboard.press("Enter");
  await page.getByTestId("inspector").getByRole("alert").getByText("already exists").waitFor();
  await selectedAre(page, ["globe"]);

  await page.keyboard.press("Control+d");
  await selectedAre(page, ["globe_2"]);
  await eventually("a copy beside it", async () => {
    const copy = (await scene()).shapes.find(({ id }) => id === "globe_2");
    // Clear of it, it would not be in the picture.
    return copy?.properties.center[0] === 1.38;
  });
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Delete");
  await eventually("nothing left", async () => (await ids()) === "" && (await scene()).lights.length === 0);
  await selectedAre(page, []);
  await page.keyboard.press("Control+z");
  await eventually("all of it back at once", async () => (await ids()) === "floor,crate,globe,globe_2");
  studio.assertNoProblems();
});

test("new shapes and lights stand in front of the camera, selected; groups fold, and are deleted whole", async () => {
  const { studio, page, scene } = await opened();
  const add = async (name) => {
    await page.getByTestId("add").click();
    await page.getByRole("menuitem", { name }).click();
  };
  await add("Cone");
  await selectedAre(page, ["cone"]);
  await add("Cone");
  await selectedAre(page, ["cone_2"]);
  await add("Torus");
  await add("Capsule");
  await add("Area light");
  await selectedAre(page, ["area_light"]);
  await eventually("all five", async () => {
    const { shapes, lights } = await scene();
    return shapes.length === 7 && lights.length === 2;
  });
  await row(page, "cone").click();
  await row(page, "cone_2").click({ modifiers: ["Shift"] });
  await page.getByRole("combobox", { name: "Group" }).fill("hats");
  await page.getByRole("combobox", { name: "Group" }).press("Enter");
  await page.getByRole("treeitem", { name: "hats" }).waitFor();
  await row(page, "hats").click();
  await page.keyboard.press("ArrowLeft");
  await row(page, "cone").waitFor({ state: "detached" });
  await page.keyboard.press("F2");
  await page.getByRole("textbox", { name: "New name of hats" }).fill("party");
  await page.keyboard.press("Enter");
  await selectedAre(page, ["party"]);
  await eventually("the group's new name", async () =>
    (await scene()).shapes.slice(3, 5).every(({ group }) => group === "party"),
  );
  await studio.screenshot("document-group-dark");
  await page.keyboard.press("Delete");
  await eventually("the group gone", async () => (await scene()).shapes.length === 5);
  studio.assertNoProblems();
});

test("types and properties that the page does not know have fields by what they are", async () => {
  const { studio, page } = await opened(withStrangers);
  await row(page, "ring").click();
  assert.equal(await field(page, "Twist").inputValue(), "3");
  assert.equal(await field(page, "Wind x").inputValue(), "1");
  assert.equal(await field(page, "Layers").inputValue(), '[{"depth":1}]');
  assert.ok(await page.getByRole("checkbox", { name: "Hollow" }).isChecked());
  assert.equal(await field(page, "Material").inputValue(), "brushed_gold");
  // The server knows no such shape: what it says stands at the field.
  await field(page, "Twist").fill("4");
  await field(page, "Twist").press("Enter");
  await page.getByTestId("inspector").getByRole("alert").waitFor();
  assert.equal(await field(page, "Twist").inputValue(), "3");
  await studio.screenshot("document-unknown-dark");
  // Nor can it say which triangles the shape has.
  studio.assertNoProblems(/404|the triangles of a shape could not be loaded/);
});

test("a view link shows the document, and has nothing to change it with", async () => {
  const { studio, page, scene } = await opened();
  const session = await studio.sessionId();
  const shared = await fetch(`${stage.server.url}/api/sessions/${session}/shares`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ access: "view" }),
  });
  const { token } = await shared.json();
  const visitor = await stage.browser.openStudio(`${stage.server.url}/#session=${token}`);
  await visitor.page.getByTestId("toggle-document").click();
  await visitor.page.getByText("Select an object to see its properties.").waitFor();
  await row(visitor.page, "ball").click();
  assert.ok(await field(visitor.page, "Radius").isDisabled());
  assert.equal(await visitor.page.getByTestId("add").count(), 0);
  await visitor.page.keyboard.press("F2");
  await visitor.page.keyboard.press("Delete");
  await visitor.page.keyboard.press("Control+d");
  await drag(visitor.page, visitor.page.locator("label.handle", { hasText: "Radius" }), 40);
  await row(page, "ball").click();
  await field(page, "Radius").fill("1");
  await field(page, "Radius").press("Enter");
  await eventually("the change at the visitor's", async () => {
    return (await field(visitor.page, "Radius").inputValue()) === "1";
  });
  assert.equal((await scene()).shapes.length, 3);
  visitor.assertNoProblems();
  studio.assertNoProblems();
});

test("panels fold on one key; narrow, the document is a sheet; light and dark", async () => {
  const { studio, page } = await opened();
  const panel = page.getByTestId("document");
  await row(page, "crate").click();
  await page.getByTestId("theme").click();
  await studio.screenshot("document-light");
  const picture = async () => (await studio.canvas.boundingBox()).width;
  const beside = await picture();
  await page.keyboard.press("Control+\\");
  await panel.waitFor({ state: "detached" });
  await studio.composer.waitFor({ state: "hidden" });
  assert.ok((await picture()) > 1.3 * beside, "the picture has the room");
  await page.reload();
  await studio.connected();
  assert.equal(await panel.count(), 0, "the choice is kept");
  await page.keyboard.press("Control+\\");
  await panel.waitFor();
  await studio.composer.waitFor();

  await page.setViewportSize({ width: 390, height: 780 });
  await panel.waitFor({ state: "detached" });
  await studio.composer.waitFor();
  await page.getByTestId("toggle-document").click();
  await row(page, "ball").click();
  await field(page, "Radius").waitFor();
  await studio.screenshot("document-narrow-light");
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.equal(overflow, 0, "nothing sticks out");
  await page.keyboard.press("Escape");
  await panel.waitFor({ state: "detached" });
  studio.assertNoProblems();
});

test("a thousand shapes: few rows are in the page, and the list goes to what is clicked", async () => {
  const shapes = Array.from({ length: 1000 }, (_, index) => ({
    id: `s${index}`,
    type: "sphere",
    properties: { center: [(index % 40) - 20, Math.floor(index / 40) - 12, -20], radius: 0.4 },
  }));
  const { studio, page } = await opened({ ...SCENE, shapes: [...shapes, SCENE.shapes[2]] });
  await clickPicture(studio, 0.7, 0.5);
  await selectedAre(page, ["ball"]);
  await page.getByRole("treeitem", { name: "ball" }).waitFor();
  assert.ok((await page.getByTestId("outline-row").count()) < 60);
  studio.assertNoProblems();
});

/** A scene with a shape of the future: told by a server that this page's own server is made to look like. */
const withStrangers = {
  ...SCENE,
  strangers: [
    {
      id: "ring",
      type: "moebius_strip",
      properties: { wind: [1, 2, 3], twist: 3, hollow: true, layers: [{ depth: 1 }], material: "brushed_gold" },
    },
  ],
};

/** A page that shows `file`, and a way to ask the server what its scene is. */
async function opened({ strangers = [], ...file } = SCENE) {
  const studio = await stage.browser.openStudio(stage.server.url);
  const { page } = studio;
  const session = await studio.sessionId();
  const url = `${stage.server.url}/api/sessions/${session}/scene`;
  const headers = { "content-type": "application/json" };
  const put = await fetch(url, { method: "PUT", headers, body: JSON.stringify(file) });
  assert.equal(put.status, 200);
  if (strangers.length > 0) {
    await page.routeWebSocket(/\/ws/, (line) => {
      const server = line.connectToServer();
      server.onMessage((frame) => {
        const message = typeof frame === "string" ? JSON.parse(frame) : null;
        if (message?.type !== "welcome") return line.send(frame);
        message.scene.shapes.push(...strangers);
        line.send(JSON.stringify(message));
      });
    });
    await page.reload();
    await studio.connected();
  }
  await row(page, file.shapes.at(0).id).waitFor();
  const { revision } = await (await fetch(url.replace("/scene", ""))).json();
  await studio.pictureWhere("of the scene", (picture) => picture.revision === revision);
  return { studio, page, scene: async () => (await fetch(url)).json() };
}

function row(page, name) {
  return page.getByTestId("outline-row").filter({ has: page.getByText(name, { exact: true }) });
}

function field(page, name) {
  return page.getByTestId("inspector").getByRole("textbox", { name, exact: true });
}

async function ball(scene) {
  return (await scene()).shapes.find(({ id }) => id === "ball").properties;
}

async function clickPicture(studio, x, y, options) {
  const { width, height } = await studio.canvas.boundingBox();
  await studio.canvas.click({ position: { x: x * width, y: y * height }, ...options });
}

function selectedKeys(page) {
  return page.locator('[role="treeitem"][aria-selected="true"]').allInnerTexts();
}

async function selectedAre(page, names) {
  const wanted = [...names].sort().join();
  await eventually(`"${wanted}" to be selected`, async () => (await selectedKeys(page)).sort().join() === wanted);
}

/** Drags sideways; `meanwhile` is done before the release. */
async function drag(page, handle, way, meanwhile = async () => {}) {
  const { x, y, width, height } = await handle.boundingBox();
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + width / 2 + way, y + height / 2, { steps: 4 });
  await meanwhile();
  await page.mouse.up();
}

/** The corners of a path's lines that lie on its convex hull: those are on the object's silhouette. */
function outerCorners(path) {
  const points = [...path.matchAll(/(-?[\d.]+) (-?[\d.]+)/g)].map(([, x, y]) => ({ x: Number(x), y: Number(y) }));
  const unique = [...new Map(points.map((point) => [`${point.x} ${point.y}`, point])).values()];
  unique.sort((a, b) => a.x - b.x || a.y - b.y);
  const turn = (a, b, c) => (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
  const half = (list) => {
    const chain = [];
    for (const point of list) {
      while (chain.length > 1 && turn(chain.at(-2), chain.at(-1), point) <= 0) chain.pop();
      chain.push(point);
    }
    return chain.slice(0, -1);
  };
  return [...half(unique), ...half(unique.toReversed())];
}

function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
