import { after, afterEach, before } from "node:test";
import { openBrowser } from "./browser.js";
import { ScriptedGemini } from "./scripted-gemini.js";
import { startServer } from "./server.js";

/**
 * A scripted model's service, a server that uses it, and a browser, for all tests of a file. What it holds
 * is there from the first test on; each test begins without pages. `variables` are added to the server's
 * environment.
 */
export function setStage({ variables } = {}) {
  const stage = {};
  before(async () => {
    stage.gemini = await ScriptedGemini.start();
    stage.server = await startServer({ ...stage.gemini.variables, ...variables });
    stage.browser = await openBrowser();
  });
  afterEach(() => stage.browser.closePages());
  after(async () => {
    await stage.browser?.close();
    await stage.server?.stop();
    stage.gemini?.stop();
  });
  return stage;
}
