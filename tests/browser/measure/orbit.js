import { processorSeconds } from "./processor.js";
import { putScene, sceneOf } from "./scene.js";

const FRAMES = 60;

/**
 * How smoothly one looks around among so many shapes in the raster view at 800 x 600, with WebGL drawn by the
 * processor.
 */
export async function orbiting(server, browser, count) {
  const { page, sessionId } = await opened(server, browser);
  await putScene(server, sessionId, sceneOf(count));
  await page.locator('.view[data-raster="ready"]').waitFor();
  await page.getByTestId("view-switch-raster").check({ force: true });
  await page.getByTestId("outline-row").nth(5).waitFor();
  // The first turn compiles what later ones use.
  await turned(page, 10);
  const before = processorSeconds();
  const result = await turned(page, FRAMES);
  const after = processorSeconds();
  if (before !== null && after !== null) {
    result.processor_ms_a_frame = Number(((1000 * (after - before)) / FRAMES).toFixed(1));
  }
  await page.close();
  return result;
}

async function opened(server, browser) {
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
      frames_a_second: Number(((1000 * apart.length) / apart.reduce((sum, each) => sum + each, 0)).toFixed(1)),
      median_ms: Number((apart[apart.length >> 1] ?? 0).toFixed(1)),
      longest_ms: Number((apart.at(-1) ?? 0).toFixed(1)),
      tasks_over_50_ms: long.length,
      pixels: `${canvas.width} x ${canvas.height} of ${canvas.clientWidth} x ${canvas.clientHeight}`,
    };
  }, frames);
}
