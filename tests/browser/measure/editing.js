import { eventually } from "../harness/browser.js";
import { putScene, sceneOf } from "./scene.js";

const EDITS = 100;
/** These fill caches: compiled code, fonts, pools. */
const FIRST_EDITS = 20;

/**
 * A hundred edits by a field, in a session with so many shapes whose traced picture arrives meanwhile: the tasks that
 * hold the page, and how much memory of the page's own they leave behind.
 */
export async function editing(server, browser, shapes) {
  const studio = await browser.openStudio(server.url);
  const { page } = studio;
  await putScene(server, await studio.sessionId(), sceneOf(shapes));
  await studio.pictureWhere("of the scene", ({ samples }) => samples >= 1);
  await page.getByTestId("outline-row").filter({ has: page.getByText("s0", { exact: true }) }).click();
  const radius = page.getByTestId("inspector").getByRole("textbox", { name: "Radius" });
  await radius.waitFor();
  const edit = async (index) => {
    const value = String(0.2 + 0.001 * index);
    await radius.fill(value);
    await radius.press("Enter");
    await eventually("the edit", async () => Number(await radius.inputValue()).toFixed(3) === Number(value).toFixed(3));
  };
  for (let index = 0; index < FIRST_EDITS; index += 1) await edit(index);
  const devtools = await page.context().newCDPSession(page);
  const heap = async () => {
    await devtools.send("HeapProfiler.collectGarbage");
    return (await devtools.send("Runtime.getHeapUsage")).usedSize;
  };
  const before = await heap();
  await page.evaluate(() => {
    window.longTasks = [];
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) window.longTasks.push(duration);
    }).observe({ type: "longtask" });
  });
  const start = Date.now();
  for (let index = 0; index < EDITS; index += 1) await edit(FIRST_EDITS + index);
  const seconds = (Date.now() - start) / 1000;
  const tasks = await page.evaluate(() => window.longTasks);
  const after = await heap();
  await page.close();
  return {
    edits: EDITS,
    seconds: Number(seconds.toFixed(1)),
    tasks_over_50_ms: tasks.length,
    longest_task_ms: tasks.length === 0 ? "under 50" : Math.round(Math.max(...tasks)),
    left_kb_an_edit: Number(((after - before) / 1000 / EDITS).toFixed(1)),
  };
}
