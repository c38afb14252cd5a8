import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually, screenshot } from "../harness/browser.js";
import { setStage } from "../harness/stage.js";

const UI = "io.modelcontextprotocol/ui";
const KIND = "text/html;profile=mcp-app";
const stage = setStage();

/** A client of our MCP server that says whether it shows views. */
function mcpClient(url, capabilities) {
  let id = 0;
  return async (method, params = {}) => {
    const meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "a host", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": capabilities,
    };
    const headers = {
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      "MCP-Protocol-Version": "2026-07-28",
      "Mcp-Method": method,
      ...(params.name ?? params.uri ? { "Mcp-Name": params.name ?? params.uri } : {}),
    };
    const body = JSON.stringify({ jsonrpc: "2.0", id: ++id, method, params: { ...params, _meta: meta } });
    const answered = await fetch(`${url}/mcp`, { method: "POST", headers, body });
    const text = await answered.text();
    const lines = text.startsWith("{") ? [text] : text.split("\n").filter((line) => line.startsWith("data: {"));
    const messages = lines.map((line) => JSON.parse(line.replace(/^data: /, "")));
    const answer = messages.find((message) => message.id === id);
    assert.ok(answer?.result, text);
    return answer.result;
  };
}

/** The page of a client: the view in a frame that may run scripts and load nothing, as hosts have to do it. */
const HOST = `<!doctype html><body style="margin:0"><iframe id="view" sandbox="allow-scripts"
  style="border:0;width:480px;height:360px"></iframe><script>
  const view = document.getElementById("view");
  const told = window.told = [];
  addEventListener("message", async ({ source, data }) => {
    if (source !== view.contentWindow) return;
    told.push(data);
    const answer = (result) => source.postMessage({ jsonrpc: "2.0", id: data.id, result }, "*");
    if (data.method === "ui/initialize") {
      answer({ protocolVersion: "2026-01-26", hostInfo: { name: "a host", version: "1" },
        hostCapabilities: { serverTools: {} }, hostContext: { theme: "dark" } });
    } else if (data.method === "tools/call") {
      answer(await window.callServer(data.params));
    }
  });
  window.load = (html) => { view.srcdoc = html; };
  window.notify = (method, params) => view.contentWindow.postMessage({ jsonrpc: "2.0", method, params }, "*");
</script></body>`;

const POLICY =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "media-src 'self' data:; connect-src 'none'";

test("a client that shows views is told of the picture, and others are not", async () => {
  const { url } = stage.server;
  const ofTools = async (capabilities) => {
    const { tools } = await mcpClient(url, capabilities)("tools/list");
    return tools.filter((tool) => tool._meta?.ui).map((tool) => [tool.name, tool._meta.ui.resourceUri]);
  };
  assert.deepEqual(await ofTools({}), []);
  assert.deepEqual(await ofTools({ extensions: { [UI]: { mimeTypes: ["text/plain"] } } }), []);
  const shown = await ofTools({ extensions: { [UI]: { mimeTypes: [KIND] } } });
  assert.deepEqual(shown, [["render_preview", "ui://scene-llm/picture"]]);
});

test("the view shows the picture and orbits by dragging, by keys and back", async () => {
  const { url } = stage.server;
  const call = mcpClient(url, { extensions: { [UI]: { mimeTypes: [KIND] } } });
  const tool = async (name, args) => {
    const result = await call("tools/call", { name, arguments: args });
    assert.ok(!result.isError, JSON.stringify(result.structuredContent));
    return result;
  };
  const { session } = (await tool("new_session", { name: "Orbit" })).structuredContent;
  await tool("add_object", { session, object: "armchair", at: [0, 0] });
  await tool("set_camera", { session, center: [0, 1, 4], look_at: [0, 0.5, 0] });
  const [resource] = (await call("resources/read", { uri: "ui://scene-llm/picture" })).contents;
  assert.equal(resource.mimeType, KIND);
  assert.deepEqual(resource._meta.ui, { prefersBorder: false });

  const page = await stage.browser.openBlank();
  const problems = [];
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  const calls = [];
  await page.exposeFunction("callServer", async (params) => {
    calls.push(params);
    return call("tools/call", params);
  });
  await page.setContent(HOST);
  const policy = `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`;
  await page.evaluate((html) => window.load(html), resource.text.replace("<meta charset", `${policy}<meta charset`));
  const told = (method) => page.evaluate((name) => window.told.filter((it) => it.method === name).length, method);
  await eventually("the handshake", async () => (await told("ui/notifications/initialized")) === 1);
  const first = await tool("render_preview", { session });
  await page.evaluate((result) => window.notify("ui/notifications/tool-result", result), first);
  const view = page.frameLocator("#view");
  const picture = view.locator("#picture");
  const source = () => picture.getAttribute("src");
  await eventually("the picture", async () => (await source())?.startsWith("data:image/jpeg;base64,"));
  assert.equal(calls.length, 0, "nothing is rendered before somebody moves");
  const before = await source();

  await page.mouse.move(240, 150);
  await page.mouse.down();
  await page.mouse.move(330, 130, { steps: 6 });
  await page.mouse.up();
  const rests = () => calls.at(-1)?.arguments.seconds === 2;
  await eventually("another picture", async () => rests() && (await source()) !== before);
  const looks = calls.map(({ arguments: args }) => args.camera);
  assert.deepEqual(looks[0], {}, "the camera is asked for first");
  const { center, look_at } = looks.at(-1);
  assert.deepEqual(look_at, [0, 0.5, 0]);
  const radius = (point) => Math.hypot(...point.map((value, axis) => value - look_at[axis]));
  assert.ok(Math.abs(radius(center) - radius([0, 1, 4])) < 1e-9, "at the same distance");
  assert.ok(center[0] < -1, `to the left of where it was: ${center}`);
  const scene = await (await fetch(`${url}/api/sessions/${session}/scene`)).json();
  assert.deepEqual(scene.camera.center, [0, 1, 4], "the scene's own camera stays");
  await eventually("rest", async () => (await view.locator("#status").textContent()) === "");
  await screenshot(page, "mcp-view");

  await view.locator("#frame").press("ArrowUp");
  const raised = () => calls.at(-1).arguments.camera.center?.[1] > center[1] + 0.1;
  await eventually("a look from above", async () => raised() && calls.at(-1).arguments.seconds === 2);
  await view.getByRole("button", { name: "Reset view" }).click();
  await eventually("the scene's camera", async () => calls.at(-1).arguments.camera.center?.[0] === 0);
  await eventually("rest", async () => (await view.locator("#status").textContent()) === "");
  assert.deepEqual(problems, []);
});
