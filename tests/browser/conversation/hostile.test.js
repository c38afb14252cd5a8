import assert from "node:assert/strict";
import { test } from "node:test";
import { assertFits } from "../harness/fits.js";
import { setStage } from "../harness/stage.js";
import { giveFiles, textFile } from "../harness/transfer.js";

// Names and texts that somebody else chose: of a scene from the web, of a model, of a guest.

const stage = setStage();

/**
 * What the browser says of HTML while it is cleaned in a document that is never shown; what is shown is looked through
 * for the same below. And what a file is refused with.
 */
const EXPECTED = /(inline event handler|inline style) violates|content security policy: \S+-(attr|elem) inline|status of 422/;
const RUNS = `<img src=x onerror="hacked()">`;
const BREAKS = `"><script>hacked()</script><svg onload=hacked()>`;
/** Read from right to left from here on, which makes "gnp.exe" of it. */
const TURNS = "photo\u202Eexe.png";
const HIDES = "a\u200B\u200D\u2060b\uFEFF";
const LONG = "W".repeat(10_000);
/** Ids have at most 128 characters. */
const LONG_ID = "W".repeat(128);

const ball = (id, x, group) => ({
  id,
  type: "sphere",
  properties: { center: [x, 0, 0], radius: 0.5 },
  ...(group !== undefined && { group }),
});
const SCENE = {
  version: 1,
  shapes: [ball(RUNS, -2), ball(BREAKS, -1, `group ${RUNS}`), ball(TURNS, 0), ball(HIDES, 1), ball(LONG_ID, 2)],
  groups: [{ id: `group ${RUNS}`, parent: null }],
  environment: { type: "uniform", emission: [0.6, 0.6, 0.6] },
  camera: { center: [0, 0, 8], look_at: [0, 0, 0] },
};

const ANSWER = `# ${RUNS}

${RUNS} and [a link](javascript:hacked()) and [another](data:text/html,${encodeURIComponent(BREAKS)})

<iframe srcdoc="<script>parent.hacked()</script>"></iframe><style>body { display: none }</style>
<a href="javascript:hacked()" onclick="hacked()" style="position: fixed; inset: 0">over everything</a>
<form action="/api/sessions" method="post"><button>Press me</button></form>

- ${TURNS}
- ${HIDES}

| ${BREAKS} | ${LONG.slice(0, 3000)} |
|---|---|
| ${RUNS} | \`${BREAKS}\` |

\`\`\`${BREAKS}
${RUNS}
${LONG}
\`\`\`
`;

test("hostile names and texts run nothing, hide nothing and turn nothing round, and the page stays as it was", async () => {
  const studio = await stage.browser.openStudio(stage.server.url, { prepare: watched });
  const { page } = studio;
  const session = await studio.sessionId();
  const put = (path, method, body) =>
    fetch(`${stage.server.url}/api/sessions/${session}${path}`, {
      method,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const scene = await put("/scene", "PUT", SCENE);
  assert.equal(scene.status, 200, await scene.text());
  await page.getByTestId("outline-row").nth(4).waitFor();
  await page.getByTestId("outliner").press("*");
  await page.setViewportSize({ width: 1440, height: 900 });

  await studio.say(`${RUNS} ${TURNS} ${HIDES} @${RUNS}`);
  const first = await stage.gemini.nextRequest();
  first.think(`**${RUNS}**\n\n${BREAKS}`);
  first.say(ANSWER);
  first.call("create_shape", { id: RUNS, type: BREAKS, properties: { center: TURNS, note: LONG } });
  first.call(`tool_${RUNS}`, { [RUNS]: BREAKS });
  first.end();
  const second = await stage.gemini.nextRequest();
  second.say("There it is.");
  second.end();
  await studio.idle();
  await studio.say(LONG);
  (await stage.gemini.nextRequest()).fail(400, RUNS + TURNS + LONG.slice(0, 2000));
  await studio.idle();
  for (const tool of await studio.tools.all()) {
    const fold = tool.locator("summary, button").first();
    if ((await fold.count()) > 0) await fold.click();
  }
  await harmless(studio, "the chat");

  // Everything that tells of objects by their names.
  for (const id of [RUNS, BREAKS, TURNS, HIDES, LONG_ID]) {
    await page.getByTestId("outline-row").filter({ hasText: id.slice(0, 40) }).first().click();
    await page.getByRole("textbox", { name: "Name", exact: true }).waitFor();
    await page.keyboard.press("t");
    await harmless(studio, `the object ${id.slice(0, 30)}`);
    await page.keyboard.press("t");
  }
  await page.getByTestId("outliner").press("Control+a");
  await harmless(studio, "all objects selected");

  // Sessions, bookmarks, people and files.
  const renamed = await put("", "PATCH", { name: `${RUNS}${TURNS}`.slice(0, 200) });
  assert.ok(renamed.ok, await renamed.text());
  await page.getByTestId("session-name").filter({ hasText: "onerror" }).waitFor();
  await studio.command("Bookmark this view");
  await page.keyboard.type(RUNS);
  await page.keyboard.press("Enter");
  await harmless(studio, "a bookmark");
  await page.keyboard.press("Escape");
  await page.getByTestId("sessions").click();
  await page.getByTestId("session-row").first().waitFor();
  await harmless(studio, "the sessions");
  await page.getByTestId("session-row").first().getByRole("button", { name: /^Delete/ }).click();
  await page.getByTestId("confirm-delete").waitFor();
  await harmless(studio, "a session that is to be deleted");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await giveFiles(page, "drop", [textFile(`${RUNS.replaceAll("/", "")}.json`, `{"${RUNS.replaceAll('"', "'")}": 1}`)]);
  await page.getByTestId("toast").first().waitFor();
  await harmless(studio, "a file that cannot be opened");

  // The same after a reload, and on a phone.
  await page.reload();
  await studio.connected();
  await studio.userMessages.first().waitFor();
  await harmless(studio, "after a reload");
  await page.setViewportSize({ width: 390, height: 844 });
  await harmless(studio, "on a phone");
  await studio.screenshot("hostile-phone");
});

/** What is said to have run is told. */
async function watched(page) {
  await page.addInitScript(() => {
    window.ran = [];
    window.hacked = () => window.ran.push(new Error().stack);
  });
}

/** Nothing has run or could; what turns letters round ends with its own words; the page is whole. */
async function harmless(studio, state) {
  const { page } = studio;
  const found = await page.evaluate(() => {
    const foreign = [...document.body.querySelectorAll("script, iframe, object, embed, form, base, meta, style, link")]
      .filter((element) => element.closest(".import-form, .render-form, form.composer, dialog") === null)
      .filter((element) => !(element.localName === "script" && element.getAttribute("src")?.includes("assets/")))
      .map((element) => element.outerHTML.slice(0, 100));
    const handlers = [...document.body.querySelectorAll("*")].flatMap((element) =>
      [...element.attributes]
        .filter(({ name, value }) => /^on/i.test(name) || /^\s*(javascript|data:text)/i.test(value))
        .map(({ name, value }) => `${element.localName} ${name}=${value.slice(0, 60)}`),
    );
    const turned = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
      if (!/[\u202A-\u202E\u2066-\u2069]/.test(node.data) || !node.parentElement.checkVisibility()) continue;
      // A message is of one hand: what it does to its own words is its own matter.
      if (node.parentElement.closest('[data-testid^="message-"]') !== null) continue;
      let around = node.parentElement;
      const isOpen = ({ display, unicodeBidi }) => display === "inline" && !/isolate|plaintext/.test(unicodeBidi);
      while (isOpen(getComputedStyle(around))) around = around.parentElement;
      const after = around.textContent.split(/[\u202A-\u202E\u2066-\u2069]/).at(-1);
      if (!node.data.endsWith(after)) turned.push(`${around.localName}.${around.className}: ${around.textContent.slice(0, 90)}`);
    }
    const { display } = getComputedStyle(document.body);
    return { ran: window.ran, foreign, handlers, turned, display };
  });
  assert.deepEqual(found, { ran: [], foreign: [], handlers: [], turned: [], display: "block" }, state);
  await assertFits(page, state);
  studio.assertNoProblems(EXPECTED);
}
