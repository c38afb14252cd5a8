/**
 * What the page costs a person: what it loads, the time to its first paint, the tasks that keep a key waiting while
 * twenty pictures a second arrive or a large scene is edited, how smoothly one looks around, and what edits leave
 * behind. Run by `make bench-page`; prints JSON, fails never.
 */
import { cpus, loadavg } from "node:os";
import { openBrowser } from "../harness/browser.js";
import { startServer } from "../harness/server.js";
import { download } from "./download.js";
import { editing } from "./editing.js";
import { orbiting } from "./orbit.js";
import { redrawing } from "./redraw.js";
import { typing } from "./typing.js";

const LOADS = 7;

const server = await startServer({}, { flags: ["--in-memory"] });
const browser = await openBrowser({ quality: "preview" });
try {
  const load = () => Number(loadavg()[0].toFixed(1));
  const results = {
    processors: cpus().length,
    load_before: load(),
    download: await download(server, browser),
    first_paint_ms: await firstPaint(),
    typing_in_an_empty_session: await typing(server, browser, { shapes: 0, messages: 0 }),
    typing_in_a_full_session: await typing(server, browser, { shapes: 1000, messages: 20 }),
    orbiting_10_shapes: await orbiting(server, browser, 10),
    orbiting_100_shapes: await orbiting(server, browser, 100),
    orbiting_1000_shapes: await orbiting(server, browser, 1000),
    redrawing_1000_shapes: await redrawing(server, browser, 1000),
    editing_100_shapes: await editing(server, browser, 100),
    load_after: load(),
  };
  console.log(JSON.stringify(results, null, 2));
} finally {
  await browser.close();
  await server.stop();
}

async function firstPaint() {
  const paints = [];
  for (let round = 0; round < LOADS; round += 1) {
    const { page } = await browser.openStudio(server.url);
    const paint = await page.evaluate(
      () =>
        new Promise((resolve) => {
          new PerformanceObserver((list) => {
            const [entry] = list.getEntriesByName("first-contentful-paint");
            if (entry !== undefined) resolve(entry.startTime);
          }).observe({ type: "paint", buffered: true });
        }),
    );
    paints.push(Math.round(paint));
    await page.close();
  }
  paints.sort((a, b) => a - b);
  return { median: paints[LOADS >> 1], best: paints[0], worst: paints[LOADS - 1], loads: LOADS };
}
