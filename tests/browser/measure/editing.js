import { ownBytes } from "../harness/heap.js";
import { radiusEdits } from "./radius.js";
import { putScene, sceneOf } from "./scene.js";

const EDITS = 100;
/** After the first hundred so many more, to see whether what is left behind ends. */
const MORE_EDITS = 300;
/** These fill caches: compiled code, fonts, pools. */
const FIRST_EDITS = 20;

/**
 * A hundred edits by a field, in a session with so many shapes whose traced picture arrives meanwhile: the tasks that
 * hold the page, and how much memory they leave behind: all of the heap, with what the browser keeps (compiled code, what
 * can be undone in the field), and the page's own objects.
 */
export async function editing(server, browser, shapes) {
  const studio = await browser.openStudio(server.url);
  const { page } = studio;
  // The browser remembers what was measured before this; behind a raster alone nothing is traced.
  await page.getByTestId("view-switch-traced").check({ force: true });
  await putScene(server, await studio.sessionId(), sceneOf(shapes));
  await studio.pictureWhere("of the scene", ({ samples }) => samples >= 1);
  const edits = await radiusEdits(studio);
  await edits(FIRST_EDITS);
  const devtools = await page.context().newCDPSession(page);
  const heap = async () => {
    await devtools.send("HeapProfiler.collectGarbage");
    return (await devtools.send("Runtime.getHeapUsage")).usedSize;
  };
  const own = await ownBytes(page);
  const ownBefore = await own();
  const before = await heap();
  await page.evaluate(() => {
    window.longTasks = [];
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) window.longTasks.push(duration);
    }).observe({ type: "longtask" });
  });
  const start = Date.now();
  await edits(EDITS);
  const seconds = (Date.now() - start) / 1000;
  const tasks = await page.evaluate(() => window.longTasks);
  const after = await heap();
  await edits(MORE_EDITS);
  const afterMore = await heap();
  const ownAfter = await own();
  await page.close();
  const perEdit = (bytes, times) => Number((bytes / 1000 / times).toFixed(2));
  return {
    edits: EDITS,
    seconds: Number(seconds.toFixed(1)),
    tasks_over_50_ms: tasks.length,
    longest_task_ms: tasks.length === 0 ? "under 50" : Math.round(Math.max(...tasks)),
    left_kb_an_edit: perEdit(after - before, EDITS),
    left_kb_an_edit_by_more: { edits: MORE_EDITS, kb: perEdit(afterMore - after, MORE_EDITS) },
    left_of_the_pages_own_kb_an_edit: perEdit(ownAfter - ownBefore, EDITS + MORE_EDITS),
  };
}
