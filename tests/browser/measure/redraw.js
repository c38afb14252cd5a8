import { putScene, sceneOf } from "./scene.js";

const EDITS = 5;

/** The tasks that hold the page while a scene of so many shapes is edited and drawn anew, first little of it, then all. */
export async function redrawing(server, browser, shapes) {
  const studio = await browser.openStudio(server.url);
  const { page } = studio;
  const sessionId = await studio.sessionId();
  await putScene(server, sessionId, sceneOf(shapes));
  await page.getByTestId("view-switch-raster").check({ force: true });
  await page.locator('.view[data-raster="ready"]').waitFor();
  await page.getByTestId("outline-row").filter({ hasText: "s0" }).first().waitFor();
  await quiet(page);
  await page.evaluate(() => {
    window.longTasks = [];
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) window.longTasks.push(duration);
    }).observe({ type: "longtask" });
  });
  for (let edit = 0; edit < EDITS; edit += 1) {
    const scene = sceneOf(shapes);
    scene.shapes[edit].properties.material = { type: "lambertian", albedo: [1, 0, 0] };
    await putScene(server, sessionId, scene);
    await quiet(page);
  }
  const tasks = await page.evaluate(() => window.longTasks);
  await page.close();
  return {
    edits: EDITS,
    tasks_over_50_ms: tasks.length,
    longest_task_ms: tasks.length === 0 ? "under 50" : Math.round(Math.max(...tasks)),
  };
}

/** After as long as all of it takes to be drawn, on a slow machine, too. */
function quiet(page) {
  return page.waitForTimeout(3000);
}
