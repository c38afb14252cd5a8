import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "./harness/browser.js";
import { pixelsOf } from "./harness/pixels.js";
import { setStage } from "./harness/stage.js";

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
  const put = await fetch(`${stage.server.url}/api/sessions/${session}/scene`, {
    method: "PUT",
    headers: HEADERS,
    body: JSON.stringify({
      version: 1,
      shapes: boards(textures),
      environment: { type: "uniform", emission: [0.8, 0.8, 0.8] },
      camera: { center: [0, 0, 8], look_at: [0, 0, 0], vfov: 41.1 },
    }),
  });
  assert.equal(put.status, 200, await put.text());
  await page.locator('.view[data-raster="ready"]').waitFor();
  await page.getByTestId("view-switch-split").check({ force: true });
  const { revision } = await (await fetch(`${stage.server.url}/api/sessions/${session}`)).json();
  await studio.pictureWhere("of the boards", (picture) => picture.revision === revision && picture.samples >= 4);
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
  // Held, so that little is drawn: the checkers are still there.
  const { x, y, width, height } = await page.getByTestId("raster-frame").boundingBox();
  await page.mouse.move(x + 0.5 * width, y + 0.5 * height);
  await page.mouse.down();
  await page.mouse.move(x + 0.5 * width + 8, y + 0.5 * height, { steps: 4 });
  await eventually("the checkers while one looks around", async () => {
    const { at } = await pixelsOf(page.getByTestId("raster-canvas"));
    const column = Array.from({ length: 60 }, (_, step) => at(0.08, 0.1 + (0.8 * step) / 60)[1]);
    return Math.max(...column) - Math.min(...column) > 100;
  });
  await page.mouse.up();
  studio.assertNoProblems();
});

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
