import assert from "node:assert/strict";
import { test } from "node:test";
import { assertAccessible } from "./harness/axe.js";
import { eventually } from "./harness/browser.js";
import { pictureFile } from "./harness/files.js";
import { assertFits } from "./harness/fits.js";
import { setStage } from "./harness/stage.js";
import { giveFiles, textFile } from "./harness/transfer.js";

const OBJ = `mtllib table.mtl
o top
usemtl oak
v 0 0 0
v 2 0 0
v 2 0 1
v 0 0 1
vt 0 0
vt 1 0
vt 1 1
vt 0 1
f 1/1 4/4 3/3 2/2
`;
const MTL = "newmtl oak\nKd 1 1 1\nmap_Kd oak.png\n";
/** A bar of 100 x 200 x 300 millimeters. */
const STL = stl([100, 200, 300]);

const stage = setStage();

test("an OBJ with its materials and pictures is imported together, through the Add menu", async () => {
  const { page, studio, scene } = await opened();
  await page.getByTestId("add").click();
  const choosing = page.waitForEvent("filechooser");
  await page.getByRole("menuitem", { name: "Import file…" }).click();
  await (await choosing).setFiles([
    textFile("table.obj", OBJ),
    textFile("table.mtl", MTL),
    await pictureFile(page, "oak.png"),
  ]);
  const [top] = await eventually("the table", async () => {
    const { shapes } = await scene();
    return shapes.length > 0 ? shapes : null;
  });
  assert.equal(top.id, "top");
  assert.match(JSON.stringify(top.properties.material), /"type":"image"/);
  assert.equal(await page.getByTestId("thumbnails").count(), 0, "the picture belongs to the table");
  studio.assertNoProblems();
});

test("an OBJ alone says what is missing", async () => {
  const { page, studio, scene } = await opened();
  await giveFiles(page, "drop", [textFile("table.obj", OBJ)]);
  await page.getByTestId("import-dialog").getByText("table.mtl").waitFor();
  await page.getByTestId("import-dialog").getByRole("button", { name: "Close" }).last().click();
  assert.equal((await scene()).shapes.length, 1, "the shape came without its material");
  studio.assertNoProblems();
});

test("an STL file is asked for its unit and its up axis, and stands as large as it says", async () => {
  const { page, studio, scene } = await opened();
  await giveFiles(page, "drop", [{ name: "bar.stl", mimeType: "", buffer: STL }]);
  const dialog = page.getByTestId("mesh-dialog");
  await studio.reads(page.getByTestId("mesh-size"), "10 cm × 30 cm × 20 cm (width × height × depth)");
  // As it will stand: with z up taller than it is deep, with y up the other way round.
  const preview = dialog.getByTestId("mesh-preview");
  await preview.waitFor();
  const first = await preview.getAttribute("src");
  await dialog.getByLabel("Unit").selectOption("Centimeters");
  await studio.reads(page.getByTestId("mesh-size"), "1 m × 3 m × 2 m (width × height × depth)");
  await dialog.getByLabel("Up").selectOption("y");
  await studio.reads(page.getByTestId("mesh-size"), "1 m × 2 m × 3 m (width × height × depth)");
  await eventually("another picture", async () => {
    const now = await preview.getAttribute("src").catch(() => first);
    return now !== first && (await preview.evaluate((image) => image.naturalWidth)) === 320;
  });
  await assertAccessible(page, "an STL file");
  for (const [width, theme] of [[1440, "dark"], [768, "light"], [390, "dark"]]) {
    await page.setViewportSize({ width, height: 844 });
    await page.evaluate((name) => {
      document.documentElement.dataset.theme = name;
    }, theme);
    await assertFits(page, `an STL file, ${width}`);
    await studio.screenshot(`stl-${width}-${theme}`);
  }
  await dialog.getByLabel("Up").selectOption("z");
  await dialog.getByRole("button", { name: "Add" }).click();
  const [bar] = await eventually("the bar", async () => {
    const { shapes } = await scene();
    return shapes.length > 0 ? shapes : null;
  });
  assert.deepEqual(bar.properties.rotation, [-90, 0, 0]);
  assert.deepEqual(bar.properties.scale, [0.01, 0.01, 0.01]);
  assert.ok(Math.abs(bar.properties.translation[1]) < 1e-6, "it stands on the ground");

  await giveFiles(page, "drop", [{ name: "bar.stl", mimeType: "", buffer: STL }]);
  await dialog.waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  assert.equal((await scene()).shapes.length, 1, "nothing becomes of what is not wanted");
  studio.assertNoProblems();
});

test("a large file says how much of it has gone, and that it is read", async () => {
  const { page, studio } = await opened();
  const line = await page.context().newCDPSession(page);
  await line.send("Network.enable");
  await line.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: 400_000,
  });
  const status = page.getByTestId("upload-status");
  await giveFiles(page, "drop", [{ name: "many.stl", mimeType: "", buffer: stl([1, 2, 3], 1_000_000) }]);
  await status.getByText("Uploading many.stl…").waitFor();
  await eventually("a part of it to have gone", async () => {
    const share = await status.getByRole("progressbar").evaluate((bar) => bar.value, null, { timeout: 1000 });
    return share > 0.1 && share < 1;
  });
  await assertFits(page, "an upload");
  await studio.screenshot("upload-dark");
  await page.getByTestId("mesh-dialog").waitFor();
  await status.waitFor({ state: "detached" });
  studio.assertNoProblems();
});

test("damaged files change nothing and say why", async () => {
  const { page, studio, scene } = await opened();
  await giveFiles(page, "drop", [{ name: "cut.stl", mimeType: "", buffer: STL.subarray(0, 300) }]);
  await page.getByText("promises 12 triangles, more than the file can hold").waitFor();
  await giveFiles(page, "drop", [textFile("sofa.zip", "PK nonsense")]);
  await page.getByText("the archive cannot be read").waitFor();
  await giveFiles(page, "drop", [textFile("sofa.zip", "hello")]);
  await page.getByText("it is not a ZIP file").waitFor();
  assert.equal((await scene()).shapes.length, 0);
  studio.assertNoProblems(/Failed to load resource/);
});

/** A binary STL file of a box, again and again until it has so many bytes. */
function stl([x, y, z], bytesAtLeast = 0) {
  const corner = (index) => [index & 1 ? x : 0, index & 2 ? y : 0, index & 4 ? z : 0];
  const sides = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
  const once = sides.flatMap(([a, b, c, d]) => [[a, b, c], [a, c, d]]);
  const triangles = Array(Math.max(1, Math.ceil(bytesAtLeast / (50 * once.length)))).fill(once).flat();
  const bytes = Buffer.alloc(84 + 50 * triangles.length);
  bytes.writeUInt32LE(triangles.length, 80);
  triangles.forEach((triangle, index) => {
    triangle.flatMap(corner).forEach((value, at) => bytes.writeFloatLE(value, 84 + 50 * index + 12 + 4 * at));
  });
  return bytes;
}

async function opened() {
  const studio = await stage.browser.openStudio(stage.server.url);
  const session = await studio.sessionId();
  const scene = async () => (await fetch(`${stage.server.url}/api/sessions/${session}/scene`)).json();
  return { studio, page: studio.page, scene };
}
