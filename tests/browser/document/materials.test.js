import assert from "node:assert/strict";
import { test } from "node:test";
import { assertAccessible } from "../harness/axe.js";
import { eventually } from "../harness/browser.js";
import { pictureFile } from "../harness/files.js";
import { assertFits } from "../harness/fits.js";
import { pixelsOf } from "../harness/pixels.js";
import { setStage } from "../harness/stage.js";
import { giveFiles, textFile } from "../harness/transfer.js";

const ball = (id, x, material) => ({ id, type: "sphere", properties: { center: [x, 0, 0], radius: 1, material } });
const SCENE = {
  version: 1,
  shapes: [
    ball("left", -2, { type: "lambertian", albedo: [0.7, 0.1, 0.1] }),
    ball("right", 2, { type: "principled", base_color: [0.1, 0.2, 0.7], specular_roughness: 0.6 }),
  ],
  environment: { type: "uniform", emission: [0.6, 0.6, 0.6] },
  camera: { center: [0, 0, 12], look_at: [0, 0, 0], vfov: 45 },
};

const stage = setStage();

test("materials are called by the words of the trade", async () => {
  const { page, studio } = await opened();
  await row(page, "right").click();
  const names = await page.getByTestId("property").allInnerTexts();
  for (const word of ["Color", "Metalness", "Roughness", "Transmission", "Coat", "Opacity"]) {
    assert.ok(names.some((name) => name.trim().startsWith(word)), `${word} in ${names}`);
  }
  assert.equal(await page.getByRole("textbox", { name: "Roughness", exact: true }).inputValue(), "0.6");
  studio.assertNoProblems();
});

test("no name of a property is cut off, of whatever is selected", async () => {
  const { page, studio } = await opened();
  await page.setViewportSize({ width: 1440, height: 900 });
  const kinds = ["lambertian", "metal", "dielectric", "emissive", "principled", "mix"];
  const parts = { first: "gold", second: "oak", albedo: [1, 1, 1], fuzz: 0, refractive_index: 1.5, emission: [1, 1, 1] };
  const needs = { mix: ["first", "second"], metal: ["albedo", "fuzz"], dielectric: ["refractive_index"] };
  const more = (type) => needs[type] ?? { lambertian: ["albedo"], emissive: ["emission"] }[type] ?? [];
  const made = (type) => ({ type, ...Object.fromEntries(more(type).map((name) => [name, parts[name]])) });
  const fields = { ...SCENE, shapes: kinds.map((type, index) => ball(type, index, made(type))) };
  const session = await studio.sessionId();
  const put = await fetch(`${stage.server.url}/api/sessions/${session}/scene`, {
    method: "PUT",
    body: JSON.stringify(fields),
  });
  assert.equal(put.status, 200, await put.text());
  await row(page, "mix").waitFor();
  const lights = ["Point light", "Area light", "Sphere light", "Spot light", "Directional light"];
  for (const name of lights) await studio.add(name);
  const lightRow = page.locator('[data-testid="outline-row"]').filter({ hasText: /light/ });
  await eventually("all lights", async () => (await lightRow.count()) === lights.length);
  const lightNames = await lightRow.allInnerTexts();
  const cut = [];
  let seen = 0;
  for (const name of [...kinds, ...lightNames.map((text) => text.trim()), "Camera", "Environment"]) {
    await row(page, name).click();
    const found = await page.locator(".inspector").evaluate((inspector) => {
      const labels = [...inspector.querySelectorAll(".property-name, .property > .handle, .arrange-label")];
      const words = ({ textContent, scrollWidth, clientWidth }) => `${textContent.trim()}: ${scrollWidth} > ${clientWidth}`;
      return {
        count: labels.length,
        cut: labels.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1).map(words),
      };
    });
    seen += found.count;
    cut.push(...found.cut);
    if (name === "principled") await studio.screenshot("inspector-principled-dark");
  }
  assert.deepEqual([...new Set(cut)], []);
  assert.ok(seen > 60, `${seen} names`);
  studio.assertNoProblems();
});

test("a picture dropped onto an object becomes its color; fields replace, scale and remove it", async () => {
  const { page, studio, material } = await opened();
  await showRaster(page);
  const picture = await pictureFile(page, "oak.png");
  await dropOnto(page, await at(page, -2, 0), picture);
  const asset = await eventually("the picture", async () => (await material("left")).albedo.asset);
  await page.getByRole("treeitem", { name: "left", selected: true }).waitFor();
  assert.equal(await page.getByTestId("thumbnails").count(), 0, "nothing is attached to the message");
  const scale = page.getByRole("textbox", { name: "Color scale" });
  await scale.fill("0.5");
  await scale.press("Enter");
  await eventually("half as large", async () => (await material("left")).albedo.scale === 0.5);
  await assertAccessible(page, "a picture as a color");
  for (const [width, theme] of [[1440, "dark"], [1024, "light"], [390, "dark"]]) {
    await page.setViewportSize({ width, height: 844 });
    if ((await page.getByTestId("inspector").count()) === 0) await page.getByTestId("toggle-document").click();
    await page.evaluate((name) => {
      document.documentElement.dataset.theme = name;
    }, theme);
    await assertFits(page, `a picture as a color, ${width}`);
    await studio.screenshot(`texture-${width}-${theme}`);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole("button", { name: "Remove image of Color" }).click();
  await eventually("a plain color", async () => Array.isArray((await material("left")).albedo));
  const choosing = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Color: picture from a file" }).click();
  await (await choosing).setFiles([picture]);
  await eventually("the same picture by the field", async () => (await material("left")).albedo.asset === asset);
  studio.assertNoProblems();
});

test("beside all objects a dropped picture is attached to the message", async () => {
  const { page, studio } = await opened();
  await showRaster(page);
  await dropOnto(page, await at(page, 0, 2.5), await pictureFile(page, "sky.png"));
  await page.getByTestId("thumbnails").waitFor();
  studio.assertNoProblems();
});

test("a preset is varied: it becomes what it is made of; a kind of light without a file is not chosen", async () => {
  const { page, studio, material } = await opened();
  await page.getByRole("treeitem", { name: "left", exact: true }).click();
  await page.getByLabel("Kind").selectOption("preset");
  await eventually("a preset", async () => typeof (await material("left")) === "string");
  await page.getByRole("button", { name: "Vary" }).click();
  await eventually("what it is made of", async () => typeof (await material("left")) === "object");
  await page.getByRole("button", { name: "Vary" }).waitFor({ state: "detached" });

  await page.getByRole("treeitem", { name: "Environment" }).click();
  const kind = page.getByLabel("Kind");
  const before = await kind.inputValue();
  const chooser = page.waitForEvent("filechooser");
  await kind.selectOption("image");
  await chooser;
  assert.equal(await kind.inputValue(), before, "until a file is chosen");
  studio.assertNoProblems();
});

test("an HDR environment is dropped, turned and dimmed", async () => {
  const { page, studio, scene } = await opened();
  await giveFiles(page, "drop", [{ name: "dusk.hdr", mimeType: "", buffer: radiance() }]);
  const asset = await eventually("the environment", async () => (await scene()).environment.asset);
  await page.getByRole("treeitem", { name: "Environment", selected: true }).waitFor();
  await showRaster(page);
  await eventually("the panorama in the raster view: warm on the left, cool on the right", async () => {
    const { at } = await pixelsOf(page.getByTestId("raster-canvas"));
    const [left, right] = [at(0.02, 0.03), at(0.98, 0.03)];
    return left[0] > left[2] && right[2] > right[0];
  });
  for (const [name, value] of [["Rotation", 90], ["Strength", 0.5]]) {
    const field = page.getByTestId("inspector").getByRole("textbox", { name, exact: true });
    await field.fill(String(value));
    await field.press("Enter");
    await eventually(`${name}`, async () => (await scene()).environment[name.toLowerCase()] === value);
  }
  await page.getByLabel("Kind").selectOption("gradient");
  await eventually("a gradient", async () => (await scene()).environment.type === "gradient");
  const choosing = page.waitForEvent("filechooser");
  await page.getByLabel("Kind").selectOption("image");
  await (await choosing).setFiles([{ name: "dusk.hdr", mimeType: "", buffer: radiance() }]);
  await eventually("the panorama by the menu", async () => (await scene()).environment.asset === asset);
  await studio.screenshot("environment-image-dark");
  studio.assertNoProblems();
});

test("an EXR environment is dropped, and lights the scene", async () => {
  const { page, studio, scene } = await opened();
  const session = await studio.sessionId();
  const url = `${stage.server.url}/api/sessions/${session}/render?width=64&height=32&samples=1`;
  const exr = await fetch(url, { headers: { accept: "image/x-exr" } });
  const buffer = Buffer.from(await exr.arrayBuffer());
  await giveFiles(page, "drop", [{ name: "studio.exr", mimeType: "", buffer }]);
  const { asset, type } = await eventually("the environment", async () => {
    const { environment } = await scene();
    return environment.type === "image" ? environment : null;
  });
  assert.equal(type, "image");
  assert.ok(asset.length > 0);
  await page.getByRole("treeitem", { name: "Environment", selected: true }).waitFor();
  await showRaster(page);
  // The middle of the picture that it was rendered of is the uniform environment between two balls.
  await eventually("the panorama in the raster view", async () => {
    const { at } = await pixelsOf(page.getByTestId("raster-canvas"));
    return Math.max(...at(0.5, 0.03)) > 20;
  });
  studio.assertNoProblems();
});

test("a damaged HDR file changes nothing and says why", async () => {
  const { page, studio, scene } = await opened();
  await giveFiles(page, "drop", [textFile("dusk.hdr", "#?RADIANCE\nnonsense")]);
  await page.getByText("dusk.hdr could not be added").waitFor();
  assert.equal((await scene()).environment.type, "uniform");
  studio.assertNoProblems(/Failed to load resource/);
});

test("a material is picked from another object, saved under a name and used again", async () => {
  const { page, studio, material } = await opened();
  await showRaster(page);
  await row(page, "left").click();
  await page.getByRole("button", { name: "Pick from object" }).click();
  const right = await at(page, 2, 0);
  await page.mouse.click(right.x, right.y);
  await eventually("the same material", async () => (await material("left")).specular_roughness === 0.6);
  await page.getByRole("treeitem", { name: "left", selected: true }).waitFor();
  await page.getByRole("button", { name: "Save material" }).click();
  await page.keyboard.type("Blue plastic");
  await page.keyboard.press("Enter");
  await page.getByTestId("undo").click();
  await eventually("the old one", async () => (await material("left")).type === "lambertian");
  await page.getByTestId("presets").click();
  await page.getByRole("button", { name: "Blue plastic", exact: true }).waitFor();
  await assertAccessible(page, "saved materials");
  await studio.screenshot("own-materials-dark");
  await page.getByRole("button", { name: "Blue plastic", exact: true }).click();
  await eventually("the saved one", async () => (await material("left")).specular_roughness === 0.6);

  await page.getByRole("button", { name: "Pick from object" }).click();
  await page.keyboard.press("Escape");
  await page.mouse.click(right.x, right.y);
  await page.getByRole("treeitem", { name: "right", selected: true }).waitFor();
  studio.assertNoProblems();
});

/** A Radiance file of 2 x 1 pixels, not compressed. */
function radiance() {
  const head = Buffer.from("#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 2\n");
  return Buffer.concat([head, Buffer.from([128, 64, 32, 129, 32, 64, 128, 129])]);
}

async function dropOnto(page, { x, y }, { name, mimeType, buffer }) {
  await page.evaluate(
    ([x, y, name, type, data]) => {
      const transfer = new DataTransfer();
      const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
      transfer.items.add(new File([bytes], name, { type }));
      const about = { bubbles: true, cancelable: true, clientX: x, clientY: y, dataTransfer: transfer };
      const target = document.elementFromPoint(x, y);
      target.dispatchEvent(new DragEvent("dragover", about));
      target.dispatchEvent(new DragEvent("drop", about));
    },
    [x, y, name, mimeType, buffer.toString("base64")],
  );
}

async function opened() {
  const studio = await stage.browser.openStudio(stage.server.url);
  const { page } = studio;
  await giveFiles(page, "drop", [textFile("scene.json", JSON.stringify(SCENE))]);
  await row(page, "left").waitFor();
  const session = await studio.sessionId();
  const scene = async () => (await fetch(`${stage.server.url}/api/sessions/${session}/scene`)).json();
  const material = async (id) => (await scene()).shapes.find((shape) => shape.id === id).properties.material;
  return { studio, page, scene, material };
}

async function showRaster(page) {
  await page.locator('.view:not([data-raster="loading"])').waitFor();
  await page.getByTestId("view-switch-raster").check({ force: true });
}

/** Where the scene's camera shows a point at z = 0. */
async function at(page, x, y) {
  const frame = await page.getByTestId("raster-frame").boundingBox();
  const perMeter = frame.height / (2 * 12 * Math.tan(Math.PI / 8));
  return { x: frame.x + frame.width / 2 + x * perMeter, y: frame.y + frame.height / 2 - y * perMeter };
}

const row = (page, name) => page.getByRole("treeitem", { name: new RegExp(`^${name}(,|$)`) });

test("a plane has a middle, a size and a rotation; its edges follow", async () => {
  const { page, studio, scene } = await opened();
  await studio.add("Plane");
  const inspector = page.getByTestId("inspector");
  const plane = async () => (await scene()).shapes.find(({ type }) => type === "quad")?.properties;
  const sizeOf = (vector) => Math.hypot(...vector);
  const before = await eventually("the plane", plane);
  for (const [name, value] of [["Size w", "3"], ["Size d", "0.5"], ["Rotation x", "90"]]) {
    const field = inspector.getByRole("textbox", { name, exact: true });
    await field.fill(value);
    await field.press("Enter");
    await eventually(name, async () => Math.abs(Number(await field.inputValue()) - Number(value)) < 1e-6);
  }
  const after = await eventually("the edges", async () => {
    const now = await plane();
    return Math.abs(now.v[1] - 0.5) < 1e-6 ? now : null;
  });
  assert.ok(Math.abs(sizeOf(after.u) - 3) < 1e-6, `u ${after.u}`);
  const middle = ({ corner, u, v }) => corner.map((x, axis) => x + 0.5 * (u[axis] + v[axis]));
  assert.ok(sizeOf(middle(after).map((x, axis) => x - middle(before)[axis])) < 1e-6, "its middle stays");
  await page.getByTestId("undo").click();
  await eventually("it lies again", async () => Math.abs((await plane()).v[1]) < 1e-6);
  studio.assertNoProblems();
});
