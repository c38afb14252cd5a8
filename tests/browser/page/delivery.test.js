import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { test } from "node:test";
import { eventually } from "../harness/browser.js";
import { setStage } from "../harness/stage.js";
import { download } from "../measure/download.js";

/** Of what comes before anything lazy, compressed: the page on a slow line. */
const BUDGET_BYTES = 150_000;
/** Of that with the view, which comes after the first paint. */
const BUDGET_WITH_VIEW_KB = 320;

const stage = setStage();

test("the page is small before anything lazy, compressed, and kept by the browser for good", async () => {
  const page = await get("/");
  assert.equal(page.headers.get("cache-control"), "no-cache", "the page itself is asked for each time");
  const html = await page.text();
  const files = [...html.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g)].map(([, path]) => path);
  assert.ok(files.some((path) => path.endsWith(".js")) && files.some((path) => path.endsWith(".css")), html);
  let total = gzipSync(html).length;
  for (const path of files) {
    assert.match(path, /-[\w-]{8}\.\w+$/, "its name changes with its content");
    const file = await get(`/${path}`);
    assert.match(file.headers.get("cache-control"), /max-age=31536000, immutable/);
    assert.match(file.headers.get("content-encoding") ?? "none", /^(br|gzip|zstd)$/, `${path} is compressed`);
    total += gzipSync(Buffer.from(await file.arrayBuffer())).length;
  }
  assert.ok(total <= BUDGET_BYTES, `${total} bytes of at most ${BUDGET_BYTES}`);
});

test("the page with its view is small as well", async () => {
  const { with_view_kb: kilobytes } = await download(stage.server, stage.browser);
  assert.ok(kilobytes > BUDGET_BYTES / 1000, `${kilobytes} kB: the view is not among it`);
  assert.ok(kilobytes <= BUDGET_WITH_VIEW_KB, `${kilobytes} kB of at most ${BUDGET_WITH_VIEW_KB}`);
});

test("nothing runs or is styled in the page but what its server sent as files", async () => {
  const policy = (await get("/")).headers.get("content-security-policy");
  const rules = new Map(policy.split(";").map((rule) => rule.trim().split(/\s+(.*)/)));
  assert.equal(rules.get("default-src"), "'self'");
  assert.doesNotMatch(policy, /unsafe|https?:|\*/);
  for (const name of ["object-src", "base-uri", "frame-ancestors"]) assert.equal(rules.get(name), "'none'");
  const studio = await stage.browser.openStudio(stage.server.url);
  const isBlocked = await studio.page.evaluate(
    () =>
      new Promise((resolve) => {
        document.addEventListener("securitypolicyviolation", ({ effectiveDirective }) => resolve(effectiveDirective));
        const script = document.createElement("script");
        script.textContent = "window.intruder = true";
        document.body.append(script);
      }),
  );
  assert.match(isBlocked, /^script-src/);
  assert.equal(await studio.page.evaluate(() => "intruder" in window), false);
});

test("what is lazy comes only when it is asked for", async () => {
  const studio = await stage.browser.openStudio(stage.server.url);
  const { page } = studio;
  const loaded = () =>
    page.evaluate(() => performance.getEntriesByType("resource").filter(({ name }) => /PresetGrid|balls/.test(name)).length);
  await studio.add("Sphere");
  await page.getByTestId("presets").waitFor();
  assert.equal(await loaded(), 0);
  await page.getByTestId("presets").click();
  await page.getByRole("button", { name: "gold", exact: true }).waitFor();
  assert.ok((await loaded()) > 0);
  studio.assertNoProblems();
});

test("an answer is read as it was written until what formats it is there, also when that fails first", async () => {
  const studio = await stage.browser.openStudio(stage.server.url);
  const { page } = studio;
  const asked = [];
  await page.route(/MarkdownBlocks/, (route) => void asked.push(route));
  await studio.say("One");
  await answer("a **bold** word");
  const first = studio.answers.filter({ hasText: "a **bold** word" });
  await first.waitFor();
  await asked[0].abort();
  await studio.idle();
  await studio.say("Two");
  await answer("<i>an</i> _oblique_ one");
  await studio.answers.filter({ hasText: "<i>an</i> _oblique_ one" }).waitFor();
  await eventually("it to be asked for again", () => asked.length === 2);
  await asked[1].continue();
  await studio.answers.locator("strong", { hasText: "bold" }).waitFor();
  await studio.answers.locator("em", { hasText: "oblique" }).waitFor();
  assert.equal(await studio.answers.locator("i").count(), 0);
});

async function answer(text) {
  const request = await stage.gemini.nextRequest();
  request.say(text);
  request.end();
}

function get(path) {
  return fetch(stage.server.url + path, { headers: { "accept-encoding": "br, gzip" } });
}
