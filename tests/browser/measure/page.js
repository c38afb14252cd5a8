/**
 * What the page costs a person: the time to its first paint, and the tasks that keep a key waiting while
 * twenty pictures a second arrive. Run by `make bench-page`; prints figures, fails never.
 */
import { loadavg } from "node:os";
import { openBrowser } from "../harness/browser.js";
import { startServer } from "../harness/server.js";

const ROUNDS = 7;
const PICTURES_PER_SECOND = 20;
const TEXT = "Put a small green ball on the table, left of the red one, and let it glow a little. ".repeat(3);

const server = await startServer();
const browser = await openBrowser({ quality: "preview" });
try {
  console.log(`load average ${loadavg()[0].toFixed(1)}`);
  await firstPaint();
  await typing();
} finally {
  await browser.close();
  await server.stop();
}

async function firstPaint() {
  const paints = [];
  for (let round = 0; round < ROUNDS; round += 1) {
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
    paints.push(paint);
    await page.close();
  }
  paints.sort((a, b) => a - b);
  const [best, middle, worst] = [paints[0], paints[ROUNDS >> 1], paints[ROUNDS - 1]];
  console.log(`first contentful paint: ${ms(middle)} (${ms(best)} to ${ms(worst)}, ${ROUNDS} loads)`);
}

async function typing() {
  const studio = await browser.openStudio(server.url, { prepare: floodWithPictures });
  const { page } = studio;
  await studio.pictureWhere("of the scene", ({ samples }) => samples >= 1);
  await page.evaluate(() => {
    window.longTasks = [];
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) window.longTasks.push(duration);
    }).observe({ type: "longtask" });
  });
  const shown = () => studio.canvas.evaluate((canvas) => Number(canvas.dataset.samples));
  const before = await shown();
  const start = Date.now();
  await studio.composer.pressSequentially(TEXT, { delay: 40 });
  const seconds = (Date.now() - start) / 1000;
  const drawn = ((await shown()) - before) / seconds;
  const tasks = await page.evaluate(() => window.longTasks);
  const longest = tasks.length === 0 ? "none" : ms(Math.max(...tasks));
  console.log(
    `typing ${TEXT.length} letters in ${seconds.toFixed(1)} s while pictures arrive (${drawn.toFixed(1)} drawn a second): ` +
      `${tasks.length} tasks over 50 ms, the longest ${longest}`,
  );
}

/** Sends the newest picture again and again, each as if it had one more sample. */
async function floodWithPictures(page) {
  await page.routeWebSocket(/\/ws/, (toPage) => {
    const toServer = toPage.connectToServer();
    let newest = null;
    let count = 0;
    toServer.onMessage((message) => {
      if (typeof message === "string") toPage.send(message);
      else newest = message;
    });
    const timer = setInterval(() => {
      if (newest === null) return;
      count += 1;
      const length = newest.readUInt32LE(0);
      const header = JSON.parse(newest.subarray(4, 4 + length).toString());
      const next = Buffer.from(JSON.stringify({ ...header, samples: count, target_samples: 100_000 }));
      const size = Buffer.alloc(4);
      size.writeUInt32LE(next.length);
      toPage.send(Buffer.concat([size, next, newest.subarray(4 + length)]));
    }, 1000 / PICTURES_PER_SECOND);
    toServer.onClose(() => clearInterval(timer));
  });
}

function ms(value) {
  return `${Math.round(value)} ms`;
}
