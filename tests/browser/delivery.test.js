import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { test } from "node:test";
import { setStage } from "./harness/stage.js";

/** Of what comes before anything lazy, compressed: the page on a slow line. */
const BUDGET_BYTES = 250_000;

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

function get(path) {
  return fetch(stage.server.url + path, { headers: { "accept-encoding": "br, gzip" } });
}
