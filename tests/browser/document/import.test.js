import assert from "node:assert/strict";
import { test } from "node:test";
import { assertAccessible } from "../harness/axe.js";
import { eventually } from "../harness/browser.js";
import { pictureFile } from "../harness/files.js";
import { assertFits } from "../harness/fits.js";
import { setStage } from "../harness/stage.js";
import { giveFiles, textFile } from "../harness/transfer.js";

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
const TRIANGLE = triangle();

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
  // No OBJ file says how large it is: it is looked at first, also where the scene is empty.
  await page.getByTestId("import-picture").waitFor();
  await page.getByRole("button", { name: "Replace the scene" }).click();
  const [top] = await eventually("the table", async () => {
    const { shapes } = await scene();
    return shapes.length > 0 ? shapes : null;
  });
  assert.equal(top.id, "top");
  assert.match(JSON.stringify(top.properties.material), /"type":"image"/);
  assert.equal(await page.getByTestId("thumbnails").count(), 0, "the picture belongs to the table");
  studio.assertNoProblems();
});

test("a glTF with its data beside it is dropped together", async () => {
  const { page, studio, scene } = await opened();
  await giveFiles(page, "drop", [
    textFile("tile.gltf", JSON.stringify(gltf("tile.bin"))),
    { name: "tile.bin", mimeType: "", buffer: TRIANGLE },
  ]);
  await page.getByTestId("import-picture").waitFor();
  await page.getByRole("button", { name: "Replace the scene" }).click();
  const [tile] = await eventually("the tile", async () => {
    const { shapes } = await scene();
    return shapes.length > 0 ? shapes : null;
  });
  assert.deepEqual([tile.id, tile.type], ["tile", "mesh"]);
  await page.getByRole("treeitem", { name: "tile" }).waitFor();
  studio.assertNoProblems();
});

test("a ZIP of a scene with its files is dropped, looked at and added", async () => {
  const { page, studio, scene } = await opened();
  await studio.add("Box");
  await eventually("the box", async () => (await scene()).shapes.length === 1);
  const archive = zip([
    ["room/tile.gltf", Buffer.from(JSON.stringify(gltf("tile.bin")))],
    ["room/tile.bin", TRIANGLE],
  ]);
  await giveFiles(page, "drop", [{ name: "room.zip", mimeType: "", buffer: archive }]);
  const dialog = page.getByTestId("import-dialog");
  await dialog.getByTestId("import-picture").waitFor();
  await studio.reads(page.getByTestId("placing-size"), "2 m × 1 m × 0 mm (width × height × depth)");
  assert.equal(await dialog.getByRole("button", { name: "Add as one mesh" }).count(), 0);
  await dialog.getByRole("button", { name: "Add to the scene" }).click();
  await page.getByRole("treeitem", { name: "tile", selected: true }).waitFor();
  await eventually("the tile", async () => (await scene()).shapes.some(({ id }) => id === "tile"));
  studio.assertNoProblems();
});

test("an OBJ alone says what is missing", async () => {
  const { page, studio, scene } = await opened();
  await giveFiles(page, "drop", [textFile("table.obj", OBJ)]);
  await page.getByRole("button", { name: "Replace the scene" }).click();
  await page.getByTestId("import-dialog").getByText("table.mtl").waitFor();
  await page.getByTestId("import-dialog").getByRole("button", { name: "Close" }).last().click();
  assert.equal((await scene()).shapes.length, 1, "the shape came without its material");
  studio.assertNoProblems();
});

test("an STL file is asked for its unit and its up axis, and stands as large as it says", async () => {
  const { page, studio, scene } = await opened();
  await giveFiles(page, "drop", [{ name: "bar.stl", mimeType: "", buffer: STL }]);
  const dialog = page.getByTestId("mesh-dialog");
  await studio.reads(page.getByTestId("placing-size"), "10 cm × 30 cm × 20 cm (width × height × depth)");
  // As it will stand: with z up taller than it is deep, with y up the other way round.
  const preview = dialog.getByTestId("import-picture");
  await preview.waitFor();
  const first = await preview.getAttribute("src");
  await dialog.getByLabel("Unit").selectOption("Centimeters");
  await studio.reads(page.getByTestId("placing-size"), "1 m × 3 m × 2 m (width × height × depth)");
  await dialog.getByLabel("Up").selectOption("y");
  await studio.reads(page.getByTestId("placing-size"), "1 m × 2 m × 3 m (width × height × depth)");
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

test("a file is looked at, with its unit and its up axis, before it is added", async () => {
  const { page, studio, scene } = await opened();
  // 1000 wide, 2000 deep and 3000 high, with z up.
  const spire = "v 0 0 0\nv 1000 0 0\nv 0 2000 0\nv 0 0 3000\no spire\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  await giveFiles(page, "drop", [textFile("spire.obj", spire)]);
  const dialog = page.getByTestId("import-dialog");
  const picture = dialog.getByTestId("import-picture");
  await picture.waitFor();
  await studio.reads(page.getByTestId("placing-size"), "1000 m × 2000 m × 3000 m (width × height × depth)");
  const lying = await picture.getAttribute("src");
  await dialog.getByLabel("Unit").selectOption("Millimeters");
  await dialog.getByLabel("Up").selectOption("z");
  await studio.reads(page.getByTestId("placing-size"), "1 m × 3 m × 2 m (width × height × depth)");
  await eventually("another picture", async () => (await picture.getAttribute("src")) !== lying);
  assert.equal((await scene()).shapes.length, 0, "nothing is added before it is asked for");
  await assertAccessible(page, "a file that is looked at");
  for (const [width, theme] of [[1440, "dark"], [768, "light"], [390, "dark"]]) {
    await page.setViewportSize({ width, height: 844 });
    await page.evaluate((name) => {
      document.documentElement.dataset.theme = name;
    }, theme);
    await assertFits(page, `a file that is looked at, ${width}`);
    await studio.screenshot(`import-${width}-${theme}`);
  }
  await dialog.getByRole("button", { name: "Add to the scene" }).click();
  const [shape] = await eventually("the spire", async () => {
    const { shapes } = await scene();
    return shapes.length > 0 ? shapes : null;
  });
  assert.equal(shape.properties.scale, 0.001);
  assert.deepEqual(shape.properties.translation, [0.5, 1.5, -1]);
  studio.assertNoProblems();
});

test("of a PLY file it is asked how it stands, too", async () => {
  const { page, studio, scene } = await opened();
  const vertices = [[0, 0, 0], [2, 0, 0], [0, 1, 0], [0, 0, 4]].map((each) => each.join(" "));
  const header = "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n";
  const faces = ["3 0 2 1", "3 0 1 3", "3 0 3 2", "3 1 2 3"];
  const ply = `${header}element face 4\nproperty list uchar int vertex_indices\nend_header\n${[...vertices, ...faces].join("\n")}\n`;
  await giveFiles(page, "drop", [textFile("scan.ply", ply)]);
  const dialog = page.getByTestId("mesh-dialog");
  await studio.reads(page.getByTestId("placing-size"), "Scaled to the view");
  await dialog.getByLabel("Unit").selectOption("Meters");
  await dialog.getByLabel("Up").selectOption("z");
  await studio.reads(page.getByTestId("placing-size"), "2 m × 4 m × 1 m (width × height × depth)");
  await dialog.getByRole("button", { name: "Add" }).click();
  const [scan] = await eventually("the scan", async () => {
    const { shapes } = await scene();
    return shapes.length > 0 ? shapes : null;
  });
  assert.deepEqual(scan.properties.rotation, [-90, 0, 0]);
  assert.deepEqual(scan.properties.scale ?? [1, 1, 1], [1, 1, 1]);
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

/** A triangle of two by one meters, as a glTF that names its data. */
function gltf(uri) {
  return {
    asset: { version: "2.0" },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ name: "tile", mesh: 0 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] }],
    accessors: [
      { bufferView: 0, componentType: 5126, count: 3, type: "VEC3", min: [-1, 0, 0], max: [1, 1, 0] },
      { bufferView: 1, componentType: 5123, count: 3, type: "SCALAR" },
    ],
    bufferViews: [
      { buffer: 0, byteOffset: 0, byteLength: 36 },
      { buffer: 0, byteOffset: 36, byteLength: 6 },
    ],
    buffers: [{ byteLength: 42, uri }],
  };
}

function triangle() {
  const bytes = Buffer.alloc(42);
  [-1, 0, 0, 1, 0, 0, 0, 1, 0].forEach((value, index) => bytes.writeFloatLE(value, 4 * index));
  [0, 1, 2].forEach((value, index) => bytes.writeUInt16LE(value, 36 + 2 * index));
  return bytes;
}

/** An archive of files, stored as they are. */
function zip(files) {
  const parts = [];
  const directory = [];
  let offset = 0;
  for (const [name, content] of files) {
    const about = Buffer.alloc(26);
    about.writeUInt16LE(20, 0);
    about.writeUInt32LE(crc32(content), 10);
    about.writeUInt32LE(content.length, 14);
    about.writeUInt32LE(content.length, 18);
    about.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from("PK\x03\x04"), about, Buffer.from(name), content]);
    const end = Buffer.alloc(14);
    end.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from("PK\x01\x02\x14\x00"), about, end, Buffer.from(name)]));
    parts.push(local);
    offset += local.length;
  }
  const list = Buffer.concat(directory);
  const tail = Buffer.alloc(22);
  tail.write("PK\x05\x06", "latin1");
  tail.writeUInt16LE(files.length, 8);
  tail.writeUInt16LE(files.length, 10);
  tail.writeUInt32LE(list.length, 12);
  tail.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, list, tail]);
}

function crc32(bytes) {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

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
