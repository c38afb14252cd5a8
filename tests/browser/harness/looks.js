import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { eventually, NETWORK_FAULTS, openBrowser } from "./browser.js";
import { assertFits } from "./fits.js";
import { Line } from "./line.js";
import { LONG, LONG_SCENE } from "./long-texts.js";
import { ScriptedGemini } from "./scripted-gemini.js";
import { startServer } from "./server.js";

const ALL = [
  [1440, 900],
  [1024, 768],
  [768, 1024],
  [390, 844],
];
/** `SCENE_LLM_ALL_LOOKS` asks for all sizes, which `make soak` does. */
const SIZES = process.env.SCENE_LLM_ALL_LOOKS ? ALL : [ALL[0], ALL[3]];
/** Below, the document lies over the picture and is closed at first. */
const DOCKED_PX = 1200;

/** Brings pages into states and looks at them: in all sizes, dark and light, as pictures, and nothing sticks out. */
export function setLooks() {
  const stage = {};
  let browser;
  before(async () => {
    browser = await openBrowser();
  });
  beforeEach(async () => {
    // Some states are left in the middle of a run, which nothing may take up.
    stage.gemini = await ScriptedGemini.start();
    stage.server = await startServer(stage.gemini.variables);
    stage.line = await Line.to(stage.server.url);
  });
  afterEach(async () => {
    await browser.closePages();
    stage.line?.stop();
    await stage.server?.stop();
    stage.gemini?.stop();
  });
  after(() => browser?.close());
  stage.open = (options) => browser.openStudio(stage.line.url, options);
  /** A page at another address of the server. */
  stage.openAt = (address) => browser.openStudio(address);

  /** `narrowed` brings back what goes when the page gets narrow, `resized` what goes with each other size. */
  const look = (state, bring, { narrowed, resized, prepare } = {}) => {
    test(state, async () => {
      let studio = await stage.open({ prepare });
      let isDocked = true;
      for (const [width, height] of SIZES) {
        await studio.page.setViewportSize({ width, height });
        if (width === SIZES[0][0]) studio = (await bring(studio)) ?? studio;
        const { page } = studio;
        await page.setViewportSize({ width, height });
        if (isDocked && width < DOCKED_PX) await narrowed?.(studio);
        isDocked = width >= DOCKED_PX;
        if (width !== SIZES[0][0]) await resized?.(studio);
        await eventually("the view at its size", () => page.evaluate(isDrawnToScale));
        for (const theme of ["dark", "light"]) {
          await page.evaluate((name) => {
            document.documentElement.dataset.theme = name;
          }, theme);
          await studio.screenshot(`look-${state.replaceAll(/\W+/g, "-")}-${width}-${theme}`);
        }
        await assertFits(page, `${state}, ${width}`);
      }
      studio.assertNoProblems(NETWORK_FAULTS);
    });
  };

  const putScene = async (studio, scene) => {
    const url = `${stage.server.url}/api/sessions/${await studio.sessionId()}/scene`;
    const headers = { "content-type": "application/json" };
    const put = await fetch(url, { method: "PUT", headers, body: JSON.stringify(scene) });
    assert.equal(put.status, 200, await put.text());
    await eventually("objects", async () => (await studio.page.getByTestId("outline-row").count()) > 2);
  };
  const longScene = async (studio) => {
    await putScene(studio, LONG_SCENE);
    await studio.page.getByTestId("outliner").press("*");
    await studio.page.getByTestId("outline-row").filter({ hasText: LONG.id }).waitFor();
  };
  return { stage, look, putScene, longScene };
}

/** Whether the raster is drawn for the size that it is shown in: a slow machine stretches its last picture for a while. */
function isDrawnToScale() {
  const canvas = document.querySelector('[data-testid="raster-canvas"]');
  if (canvas === null || !canvas.checkVisibility()) return true;
  return Math.abs(canvas.width / canvas.height / (canvas.clientWidth / canvas.clientHeight) - 1) < 0.05;
}

/** On a narrow page the document is a sheet, which is closed at first. */
export const WITH_DOCUMENT = { narrowed: ({ page }) => page.getByTestId("toggle-document").click() };

export async function select({ page }, ...names) {
  for (const [index, name] of names.entries()) {
    const row = page.getByTestId("outline-row").filter({ has: page.getByText(name, { exact: true }) });
    await row.click({ modifiers: index === 0 ? [] : ["Control"] });
  }
  await eventually("the selection", async () => {
    return (await page.locator('[role="treeitem"][aria-selected="true"]').count()) === names.length;
  });
}
