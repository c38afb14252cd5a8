import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../harness/browser.js";
import { pixelsOf } from "../harness/pixels.js";
import { setStage } from "../harness/stage.js";

const stage = setStage();
const HEADERS = { "content-type": "application/json" };

/** Boards that stand side by side and fill the picture, each with a texture. */
function boards(textures) {
  const width = 8 / textures.length;
  return textures.map((albedo, index) => ({
    id: `board_${index}`,
    type: "quad",
    properties: { corner: [-4 + index * width, -3, 0], u: [width, 0, 0], v: [0, 6, 0], material: { type: "lambertian", albedo } },
  }));
}

test("textures lie in the raster view where the tracer has them, while one looks around, too", async () => {
  const studio = await stage.browser.openStudio(stage.server.url);
  const { page } = studio;
  const session = await studio.sessionId();
  const asset = await uploaded(page, session);
  const two = { first: [0.02, 0.02, 0.02], second: [0.8, 0.8, 0.8] };
  const textures = [
    { type: "checker", ...two },
    { type: "stripes", ...two, rotation: [0, 0, 30], scale: 0.9 },
    { type: "gradient", ...two },
    { type: "brick", ...two, size: [1.2, 0.9], mortar: 0.3, variation: 0 },
    { type: "noise", kind: "cells", scale: 1.1, ...two },
    { type: "image", asset },
  ];
  await shown(studio, boards(textures));
  await page.getByTestId("view-switch-split").check({ force: true });
  const agreement = async () => {
    const [drawn, traced] = [await pixelsOf(page.getByTestId("raster-canvas")), await pixelsOf(studio.canvas)];
    return textures.map((_, index) => sameShare(drawn, traced, index / textures.length, (index + 1) / textures.length));
  };
  const shares = await eventually("the boards drawn as they are traced", async () => {
    const found = await agreement();
    return found.every((share) => share > 0.9) ? found : null;
  });
  assert.equal(shares.length, textures.length);
  await studio.screenshot("patterns-dark");
  await heldStill(page, async () => {
    const { at } = await pixelsOf(page.getByTestId("raster-canvas"));
    const column = Array.from({ length: 60 }, (_, step) => at(0.08, 0.1 + (0.8 * step) / 60)[1]);
    return Math.max(...column) - Math.min(...column) > 100;
  });
  studio.assertNoProblems();
});

test("a picture lies on a mesh by what its file says of each corner, still and while one looks around", async () => {
  const studio = await stage.browser.openStudio(stage.server.url);
  const { page } = studio;
  const session = await studio.sessionId();
  const asset = await uploaded(page, session);
  const upload = `${stage.server.url}/api/assets?session=${session}&name=board.obj`;
  const mesh = await (await fetch(upload, { method: "POST", body: BOARD })).json();
  const picture = { type: "lambertian", albedo: { type: "image", asset } };
  await shown(studio, [{ id: "board", type: "mesh", properties: { asset: mesh.asset, translation: [0, 1, 0], material: picture } }]);
  await page.getByTestId("view-switch-split").check({ force: true });
  await eventually("the mesh drawn as it is traced", async () => {
    const [drawn, traced] = [await pixelsOf(page.getByTestId("raster-canvas")), await pixelsOf(studio.canvas)];
    return sameShare(drawn, traced, 0, 1) > 0.93;
  });
  await studio.screenshot("patterns-mesh-dark");
  // All four fields, in the order that the corners have them: the left half of the picture lies on the right.
  await heldStill(page, async () => {
    const { at } = await pixelsOf(page.getByTestId("raster-canvas"));
    const [left, right] = [at(0.3, 0.3), at(0.7, 0.3)];
    return right[1] > left[1] + 100;
  });
  studio.assertNoProblems();
});

test("fog covers in the raster view what it covers in the traced picture, more of what is farther away", async () => {
  const studio = await stage.browser.openStudio(stage.server.url);
  const { page } = studio;
  const black = { type: "lambertian", albedo: [0, 0, 0] };
  const board = (id, corner, width) => ({
    id,
    type: "quad",
    properties: { corner, u: [width, 0, 0], v: [0, width, 0], material: black },
  });
  // Seen at the same size side by side, one five metres away, the other twenty.
  const boards = [board("near", [-1.6, -0.75, 0], 1.5), board("far", [0.4, -3, -15], 6)];
  const camera = { center: [0, 0, 5], look_at: [0, 0, 0], vfov: 40 };
  const air = { type: "uniform", emission: [0.5, 0.5, 0.5] };
  await shown(studio, boards, air, camera);
  await page.getByTestId("view-switch-split").check({ force: true });
  const raster = page.getByTestId("raster-canvas");
  /** The greens of both boards and of the sky, above the middle, where the grid's line along x is. */
  const greens = async (element) => {
    const { at } = await pixelsOf(element);
    return [at(0.32, 0.42)[1], at(0.68, 0.42)[1], at(0.05, 0.42)[1]];
  };
  const isFoggy = ([near, far, sky]) => near > 20 && far > near + 25 && sky > far + 5;
  await eventually("both boards black in clear air", async () => {
    const [near, far, sky] = await greens(raster);
    return Math.max(near, far) < 20 && sky > 100;
  });
  await shown(studio, boards, { ...air, fog: { visibility: 60 } }, camera);
  await eventually("the boards in the fog of both pictures", async () => {
    return isFoggy(await greens(raster)) && isFoggy(await greens(studio.canvas));
  });
  await studio.screenshot("fog-split-dark");
  await heldStill(page, async () => isFoggy(await greens(raster)));
  studio.assertNoProblems();
});

/** A square of 4 m in two triangles, whose left corners have the right end of a picture. */
const BOARD = `v -2 -2 0\nv 2 -2 0\nv 2 2 0\nv -2 2 0\nvt 1 0\nvt 0 0\nvt 0 1\nvt 1 1\nf 1/1 2/2 3/3\nf 1/1 3/3 4/4\n`;

/** Makes these shapes the scene, and waits until the page has traced it. */
async function shown(studio, shapes, environment, camera) {
  // So tall that a picture of half the place is 4:3 and not wider: points are given as shares of it.
  await studio.page.setViewportSize({ width: 1440, height: 1300 });
  const session = await studio.sessionId();
  const put = await fetch(`${stage.server.url}/api/sessions/${session}/scene`, {
    method: "PUT",
    headers: HEADERS,
    body: JSON.stringify({
      version: 1,
      shapes,
      environment: environment ?? { type: "uniform", emission: [0.8, 0.8, 0.8] },
      camera: camera ?? { center: [0, 0, 8], look_at: [0, 0, 0], vfov: 41.1 },
    }),
  });
  assert.equal(put.status, 200, await put.text());
  await studio.page.locator('.view[data-raster="ready"]').waitFor();
  const { revision } = await (await fetch(`${stage.server.url}/api/sessions/${session}`)).json();
  await studio.pictureWhere("of the scene", (picture) => picture.revision === revision && picture.samples >= 4);
}

/** What is drawn while a pointer holds the picture, so that little is drawn. */
async function heldStill(page, check) {
  const { x, y, width, height } = await page.getByTestId("raster-frame").boundingBox();
  await page.mouse.move(x + 0.5 * width, y + 0.5 * height);
  await page.mouse.down();
  await page.mouse.move(x + 0.5 * width + 8, y + 0.5 * height, { steps: 4 });
  await eventually("the same while one looks around", check);
  await page.mouse.up();
}

/** How many points of a part of two pictures are light in both or dark in both, as a share. */
function sameShare(drawn, traced, left, right) {
  let same = 0;
  let all = 0;
  for (let row = 0; row < 30; row += 1) {
    for (let column = 0; column < 10; column += 1) {
      const point = [left + ((right - left) * (1 + column)) / 11, 0.06 + (0.88 * row) / 30];
      const [a, b] = [drawn.at(...point)[1], traced.at(...point)[1]];
      same += a > 120 === b > 120 || Math.abs(a - b) < 24 ? 1 : 0;
      all += 1;
    }
  }
  return same / all;
}

/** A picture of four fields, kept by the server for a session; its name. */
function uploaded(page, session) {
  return page.evaluate(async (id) => {
    const canvas = new OffscreenCanvas(64, 64);
    const context = canvas.getContext("2d");
    const fields = ["#fff", "#100", "#022", "#fd8"];
    for (const [at, colour] of fields.entries()) {
      context.fillStyle = colour;
      context.fillRect(32 * (at % 2), 32 * (at >> 1), 32, 32);
    }
    const body = await canvas.convertToBlob({ type: "image/png" });
    const response = await fetch(`api/assets?session=${id}&name=fields.png`, { method: "POST", body });
    if (!response.ok) throw new Error(await response.text());
    return (await response.json()).asset;
  }, session);
}
