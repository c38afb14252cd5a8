/**
 * How smoothly one looks around in the raster view at 800 x 600, with WebGL drawn by the processor. Run by
 * `make bench-page`; prints figures, fails never.
 */
import { loadavg } from "node:os";
import { openBrowser } from "../harness/browser.js";
import { startServer } from "../harness/server.js";
import { processorSeconds } from "./processor.js";

const FRAMES = 60;
const KINDS = ["sphere", "box", "cylinder", "cone", "torus", "capsule"];

const server = await startServer({}, { flags: ["--in-memory"] });
const browser = await openBrowser({ quality: "preview" });
try {
  console.log(`load average ${loadavg()[0].toFixed(1)}`);
  for (const count of [10, 100, 1000]) console.log(`${count} shapes:`, await measured(count));
} finally {
  await browser.close();
  await server.stop();
}

async function measured(count) {
  const { page, sessionId } = await opened();
  const put = await fetch(`${server.url}/api/sessions/${sessionId}/scene`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(sceneOf(count)),
  });
  if (!put.ok) throw new Error(await put.text());
  await page.locator('.view[data-raster="ready"]').waitFor();
  await page.getByTestId("view-switch-raster").check({ force: true });
  await page.getByTestId("outline-row").nth(5).waitFor();
  // The first turn compiles what later ones use.
  await turned(page, 10);
  const before = processorSeconds();
  const result = await turned(page, FRAMES);
  const after = processorSeconds();
  if (before !== null && after !== null) {
    result["processor ms a frame"] = Number(((1000 * (after - before)) / FRAMES).toFixed(1));
  }
  await page.close();
  return result;
}

async function opened() {
  const studio = await browser.openStudio(server.url);
  await studio.page.setViewportSize({ width: 1490, height: 760 });
  return { page: studio.page, sessionId: await studio.sessionId() };
}

/** Turns the camera a little for each frame that the browser shows. */
function turned(page, frames) {
  return page.evaluate(async (count) => {
    const long = [];
    const observer = new PerformanceObserver((list) => long.push(...list.getEntries().map((entry) => entry.duration)));
    observer.observe({ type: "longtask" });
    const frame = document.querySelector(".picture-of-raster .picture-frame");
    const { x, y, width, height } = frame.getBoundingClientRect();
    // Events that are made here have no pointer that could be captured.
    frame.setPointerCapture = () => {};
    const send = (target, type, at) =>
      target.dispatchEvent(
        new PointerEvent(type, {
          bubbles: true,
          pointerId: 1,
          pointerType: "mouse",
          button: type === "pointermove" ? -1 : 0,
          buttons: type === "pointerup" ? 0 : 1,
          clientX: x + 0.1 * width + at,
          clientY: y + 0.1 * height,
        }),
      );
    send(frame, "pointerdown", 0);
    const times = [];
    await new Promise((resolve) => {
      const step = (now) => {
        times.push(now);
        send(document, "pointermove", 3 * times.length);
        if (times.length < count) requestAnimationFrame(step);
        else resolve();
      };
      requestAnimationFrame(step);
    });
    send(document, "pointerup", 3 * times.length);
    observer.disconnect();
    const apart = times.slice(1).map((time, index) => time - times[index]);
    apart.sort((a, b) => a - b);
    const canvas = document.querySelector(".raster-canvas");
    return {
      "frames a second": Number(((1000 * apart.length) / apart.reduce((sum, each) => sum + each, 0)).toFixed(1)),
      "median ms": Number((apart[apart.length >> 1] ?? 0).toFixed(1)),
      "longest ms": Number((apart.at(-1) ?? 0).toFixed(1)),
      "tasks over 50 ms": long.length,
      pixels: `${canvas.width} x ${canvas.height} of ${canvas.clientWidth} x ${canvas.clientHeight}`,
    };
  }, frames);
}

function sceneOf(count) {
  return {
    version: 1,
    shapes: Array.from({ length: count }, (_, index) => shape(index)),
    lights: [
      { id: "key", type: "point_spot_light", properties: { center: [8, 12, 10], emission: [300, 300, 300] } },
      {
        id: "fill",
        type: "area_quad_light",
        properties: { corner: [-10, 10, 0], u: [4, 0, 0], v: [0, 0, 4], emission: [6, 6, 6] },
      },
    ],
    camera: { center: [14, 8, 14], look_at: [0, 0, 0], vfov: 45 },
  };
}

function shape(index) {
  const [x, y, z] = [index % 10, Math.floor(index / 10) % 10, Math.floor(index / 100)].map((at) => 1.2 * (at - 4.5));
  const colour = [0.2 + 0.06 * ((index * 7) % 10), 0.2 + 0.06 * ((index * 3) % 10), 0.5];
  const materials = [
    { type: "lambertian", albedo: colour },
    { type: "metal", albedo: colour, fuzz: 0.2 },
    { type: "principled", base_color: colour, specular_roughness: 0.3 },
  ];
  const type = KINDS[index % KINDS.length];
  const places = {
    sphere: { center: [x, y, z], radius: 0.4 },
    box: { center: [x, y, z], dimensions: [0.6, 0.6, 0.6], rotation: [index, 2 * index, 0] },
    cylinder: { base_center: [x, y, z], top_center: [x, y + 0.6, z], radius: 0.3, capped: true },
    cone: { base_center: [x, y, z], top_center: [x, y + 0.6, z], base_radius: 0.3, top_radius: 0, capped: true },
    torus: { center: [x, y, z], normal: [1, 1, 0], radius: 0.3, thickness: 0.15 },
    capsule: { start: [x, y, z], end: [x, y + 0.4, z], radius: 0.2 },
  };
  return { id: `s${index}`, type, properties: { ...places[type], material: materials[index % materials.length] } };
}
