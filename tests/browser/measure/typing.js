import { putScene, sceneOf } from "./scene.js";

const PICTURES_PER_SECOND = 20;
const TEXT = "Put a small green ball on the table, left of the red one, and let it glow a little. ".repeat(3);

/**
 * The tasks that keep a key waiting while pictures arrive, in a session with so many shapes and messages. Chromium
 * tells of tasks over 50 ms.
 */
export async function typing(server, browser, { shapes, messages }) {
  const studio = await browser.openStudio(server.url, { prepare: floodWithPictures });
  const { page } = studio;
  const sessionId = await studio.sessionId();
  if (shapes > 0) await putScene(server, sessionId, sceneOf(shapes));
  for (let count = 0; count < messages; count += 1) {
    await studio.say(`Make the ground a little darker, as it was ${count} days ago`);
    await studio.idle();
  }
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
  await page.close();
  return {
    letters: TEXT.length,
    seconds: Number(seconds.toFixed(1)),
    pictures_drawn_a_second: Number(drawn.toFixed(1)),
    tasks_over_50_ms: tasks.length,
    longest_task_ms: tasks.length === 0 ? "under 50" : Math.round(Math.max(...tasks)),
  };
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
    // A page that is closed does not tell; what would go on sending must not keep the program.
    timer.unref();
    toServer.onClose(() => clearInterval(timer));
  });
}
