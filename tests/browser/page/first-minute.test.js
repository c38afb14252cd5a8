import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, afterEach, before, test } from "node:test";
import { eventually, openBrowser } from "../harness/browser.js";
import { startServer } from "../harness/server.js";

let server;
let browser;
before(async () => {
  server = await startServer({}, { setsStage: true });
  browser = await openBrowser();
});
afterEach(() => browser.closePages());
after(async () => {
  await browser?.close();
  await server?.stop();
});

async function sceneOf(studio) {
  return (await fetch(`${server.url}/api/sessions/${await studio.sessionId()}/scene`)).json();
}

/** What is in the scene besides its stage. */
async function things(studio) {
  const { shapes } = await sceneOf(studio);
  return shapes.filter(({ group }) => group !== "stage").map(({ id, group }) => group ?? id);
}

async function answered(studio, count) {
  await eventually(`${count} answers`, async () => (await studio.userMessages.count()) >= count);
  await studio.answers.nth(count - 1).waitFor();
  await studio.idle();
}

/** The words on each card of the empty page, and what must be in the scene after it. */
const CARDS = [
  ["A red ball on a gray floor", [/ball|sphere/, /floor/]],
  ["A glass sphere, a gold sphere and a green sphere", [/glass/, /gold/, /green/]],
  ["A table with a red mug on it", [/table/, /mug/]],
  ["A lighthouse at sunset", [/lighthouse/]],
];

test("each card of the empty page makes what it promises", async () => {
  for (const [words, promised] of CARDS) {
    const studio = await browser.openStudio(server.url);
    const { page } = studio;
    assert.equal(await page.locator(".starter").count(), CARDS.length);
    await page.getByRole("button", { name: words, exact: true }).click();
    await answered(studio, 1);
    const made = String(await things(studio));
    for (const thing of promised) assert.match(made, thing, words);
    assert.doesNotMatch(await studio.answers.last().innerText(), /did not understand|cannot/, words);
    studio.assertNoProblems();
    await browser.closePages();
  }
});

test("what the readme says to type is understood, one after the other", async () => {
  const readme = readFileSync(new URL("../../../README.md", import.meta.url), "utf8");
  const messages = [...readme.matchAll(/^> (.+)$/gm)].map(([, words]) => words);
  assert.ok(messages.length >= 2, String(messages));
  const studio = await browser.openStudio(server.url);
  for (const [index, words] of messages.entries()) {
    const before = JSON.stringify(await sceneOf(studio));
    await studio.say(words);
    // The page may not know yet that it is being answered, and an answer may come in two parts.
    await eventually(words, async () => JSON.stringify(await sceneOf(studio)) !== before);
    await answered(studio, index + 1);
    assert.doesNotMatch(await studio.answers.last().innerText(), /did not understand|cannot/, words);
  }
  studio.assertNoProblems();
});

test("what is large is shown from three quarters, and from there again when something comes beside it", async () => {
  const studio = await browser.openStudio(server.url);
  const sideways = async () => {
    const { camera } = await sceneOf(studio);
    const [x, y, z] = camera.center.map((value, axis) => value - camera.look_at[axis]);
    return { angle: (Math.atan2(x, z) * 180) / Math.PI, isAbove: y > 0.2 * Math.hypot(x, z) };
  };
  for (const [index, words] of ["a castle", "put a tree next to the castle"].entries()) {
    await studio.say(words);
    await answered(studio, index + 1);
    const { angle, isAbove } = await sideways();
    assert.ok(angle > 20 && angle < 50 && isAbove, `${words}: ${angle} degrees to the side`);
  }
  studio.assertNoProblems();
});

test("a first object gets a stage, which the outliner shows as one group and the menu switches off", async () => {
  const studio = await browser.openStudio(server.url);
  const { page } = studio;
  await studio.say("add a red ball");
  await answered(studio, 1);
  await page
    .getByRole("treeitem", { name: "stage, changed by the model" })
    .or(page.getByRole("treeitem", { name: "stage", exact: true }))
    .first()
    .waitFor();
  const changed = page.getByTestId("turn-summary");
  await changed.getByRole("button", { name: "stage", exact: true }).waitFor();
  assert.equal(await changed.getByText("stage_ground").count(), 0, "names of things, not of their parts");
  const { lights, camera } = await sceneOf(studio);
  assert.equal(lights.length, 2);
  assert.ok(camera.center[1] > camera.look_at[1] + 0.5, "not edge-on");
  await studio.screenshot("first-ball-dark");

  await page.getByTestId("add").click();
  await page.getByRole("menuitem", { name: "Remove the stage" }).click();
  await eventually("the ball alone", async () => (await sceneOf(studio)).shapes.length === 1);
  assert.equal((await sceneOf(studio)).lights.length, 0);
  await page.getByTestId("add").click();
  await page.getByRole("menuitem", { name: /^Stage/ }).click();
  await eventually("the stage again", async () => (await sceneOf(studio)).lights.length === 2);
  studio.assertNoProblems();
});

test("a first object added by hand gets its stage in the same undo step", async () => {
  const studio = await browser.openStudio(server.url);
  const { page } = studio;
  await page.getByTestId("add").click();
  await page.getByRole("menuitem", { name: "Sphere", exact: true }).click();
  await eventually("a sphere on its stage", async () => (await sceneOf(studio)).shapes.length === 2);
  await page.getByRole("treeitem", { name: "sphere", exact: true, selected: true }).waitFor();
  await studio.screenshot("first-sphere-by-hand-dark");
  await page.getByRole("button", { name: "Undo" }).click();
  await eventually("an empty scene", async () => {
    const { shapes, lights } = await sceneOf(studio);
    return shapes.length === 0 && lights.length === 0;
  });
  studio.assertNoProblems();
});

test("a light added by hand comes to the lights of the stage", async () => {
  const studio = await browser.openStudio(server.url);
  await studio.say("a red ball");
  await answered(studio, 1);
  await studio.add("Sphere light");
  const lights = async () => (await sceneOf(studio)).lights.map(({ id }) => id).sort();
  await eventually("three lights", async () => (await lights()).length === 3);
  assert.deepEqual(await lights(), ["sphere_light", "stage_fill_light", "stage_key_light"]);
  studio.assertNoProblems();
});

test("a click on the picture of an example opens it; who types then, or after New scene, writes a message", async () => {
  const studio = await browser.openStudio(server.url);
  const { page } = studio;
  const { composer } = studio;
  // Nothing has the focus: letters are no shortcuts before there is anything.
  await page.getByRole("heading", { name: "What do you want to see?" }).click();
  await page.keyboard.type("grow");
  assert.equal(await composer.inputValue(), "grow");
  await composer.fill("");
  await page.locator(".gallery-picture").first().click();
  await eventually("the example", async () => (await sceneOf(studio)).shapes.length > 10);
  const first = await studio.sessionId();
  for (const way of ["new-session", "first-page"]) {
    if (way === "new-session") await page.getByTestId("sessions").click();
    await page.getByTestId(way).click();
    await page.getByTestId("starters").waitFor();
    await eventually("the focus on the message", () => composer.evaluate((field) => field === document.activeElement));
  }
  assert.notEqual(await studio.sessionId(), first);
  await page.keyboard.type("a zoo");
  assert.equal(await composer.inputValue(), "a zoo");
  studio.assertNoProblems();
});

test("what could be said next stands below the answer, and each of it is understood", async () => {
  const studio = await browser.openStudio(server.url);
  const { page } = studio;
  await studio.say("add a red ball");
  await answered(studio, 1);
  const ideas = page.getByTestId("follow-ups").getByRole("button");
  const words = await ideas.allInnerTexts();
  assert.equal(words.length, 3, String(words));
  await studio.screenshot("follow-ups-dark");
  for (const [index, word] of words.entries()) {
    if (index === 0) await ideas.filter({ hasText: word }).click();
    else await studio.say(word);
    await answered(studio, index + 2);
    assert.doesNotMatch(await studio.answers.last().innerText(), /did not understand|cannot/, word);
  }
  studio.assertNoProblems();
});

test("what was left out of a request is a button that puts it into the field", async () => {
  const studio = await browser.openStudio(server.url);
  const { page } = studio;
  await studio.say("a snowman frobnicating the zorbulators");
  await answered(studio, 1);
  const rest = page.locator(".follow-up-rest");
  await rest.waitFor();
  await studio.screenshot("rephrase-dark");
  await rest.click();
  assert.match(await rest.innerText(), new RegExp(await studio.composer.inputValue()));
  studio.assertNoProblems();
});

test("what one can ask for is told in groups with pictures, and each is a message", async () => {
  const studio = await browser.openStudio(server.url);
  const { page } = studio;
  await studio.say("What can you do?");
  await answered(studio, 1);
  const groups = page.getByTestId("capabilities");
  assert.ok((await groups.getByRole("heading").count()) >= 5);
  // Those out of view are not loaded.
  const loaded = () => groups.locator("img").evaluateAll((all) => all.some((image) => image.naturalWidth > 0));
  await eventually("a picture of the library", loaded);
  await studio.screenshot("capabilities-dark");
  const change = groups.getByRole("button", { name: "Make it blue" });
  assert.equal(await change.count(), 0, "nothing is there yet that could be made blue");
  await groups.getByRole("button", { name: "lighthouse", exact: true }).click();
  await eventually("a lighthouse", async () => /lighthouse/.test(String(await things(studio))));
  await studio.idle();
  await studio.composer.fill("What can you do?");
  await studio.composer.press("Enter");
  await change.waitFor();
  studio.assertNoProblems();
});

const EXAMPLES = JSON.parse(readFileSync(new URL("../../../web/src/starters/starters.json", import.meta.url), "utf8"));
const exampleScene = (file) =>
  JSON.parse(readFileSync(new URL(`../../../web/src/starters/scenes/${file}.json`, import.meta.url), "utf8"));

test("each example is opened as it is on its picture, and can be undone", async () => {
  for (const { name, file } of EXAMPLES) {
    const studio = await browser.openStudio(server.url);
    const { page } = studio;
    const example = page.getByRole("region", { name, exact: true });
    const picture = example.locator("img");
    await eventually(`the picture of ${name}`, () => picture.evaluate((image) => image.naturalWidth === 320));
    await example.getByRole("button", { name: "Open" }).click();
    const { shapes } = exampleScene(file);
    await eventually(name, async () => (await sceneOf(studio)).shapes.length === shapes.length);
    await page.getByTestId("undo").click();
    await eventually("the empty scene", async () => (await sceneOf(studio)).shapes.length === 0);
    studio.assertNoProblems();
    await browser.closePages();
  }
});

test("each example is built again before one's eyes by the words beside it", async () => {
  for (const { name, file, prompts } of EXAMPLES) {
    const studio = await browser.openStudio(server.url);
    const { page } = studio;
    const example = page.getByRole("region", { name, exact: true });
    assert.deepEqual(await example.getByRole("listitem").allInnerTexts(), prompts);
    await studio.screenshot("example-gallery-dark");
    await example.getByRole("button", { name: "Build it again" }).click();
    await eventually("all is said", async () => (await studio.userMessages.count()) === prompts.length);
    await answered(studio, prompts.length);
    const kinds = ({ shapes, lights }) => [...shapes, ...lights].map(({ id, type }) => `${id} ${type}`).sort();
    // The last answer begins before its calls are done.
    const wanted = kinds(exampleScene(file));
    await eventually(name, async () => kinds(await sceneOf(studio)).length === wanted.length);
    assert.deepEqual(kinds(await sceneOf(studio)), wanted, name);
    const speakers = await studio.log
      .locator('[data-testid="message-user"], [data-testid="message-model"]')
      .evaluateAll((messages) => messages.map(({ dataset }) => dataset.testid.replace("message-", "")));
    const turns = speakers.filter((each, index) => each !== speakers[index - 1]);
    assert.deepEqual(turns, prompts.flatMap(() => ["user", "model"]), "each answer below its message");
    studio.assertNoProblems();
    await browser.closePages();
  }
});

test("after a first message that came to nothing, the examples are still there", async () => {
  const studio = await browser.openStudio(server.url);
  const { page } = studio;
  await studio.say("zorbulate the frobnicators");
  await answered(studio, 1);
  assert.deepEqual(await things(studio), []);
  const isInView = (message) => {
    const log = message.closest("[role=log]").getBoundingClientRect();
    const { top, bottom } = message.getBoundingClientRect();
    return top >= log.top && bottom <= log.bottom;
  };
  assert.ok(await page.getByTestId("message-user").evaluate(isInView), "one's own message stays in view");
  await page.getByTestId("ways-to-begin").getByText("Ways to begin").click();
  await page.getByRole("region", { name: EXAMPLES[0].name, exact: true }).getByRole("button", { name: "Open" }).click();
  await eventually("the example", async () => (await things(studio)).length > 0);
  await eventually("no examples below a scene", async () => (await page.getByTestId("gallery").count()) === 0);
  studio.assertNoProblems();
});

test("from a scene one comes back to the first page and its examples, by the logo, a command and the list", async () => {
  const studio = await browser.openStudio(server.url);
  const { page } = studio;
  const first = await studio.sessionId();
  const openExample = async (way) => {
    await studio.say("a red ball");
    await studio.answers.first().waitFor();
    await studio.idle();
    const before = await studio.sessionId();
    await way();
    await page.getByTestId("starters").waitFor();
    await eventually("another session", async () => (await studio.sessionId()) !== before);
  };
  await openExample(() => page.getByTestId("first-page").click());
  await openExample(() => studio.command("examples"));
  const open = page.getByTestId("gallery").getByRole("button", { name: "Open" }).first();
  await eventually("the focus on the first example", () => open.evaluate((button) => button === document.activeElement));
  assert.ok(await open.evaluate((button) => button.getBoundingClientRect().bottom < innerHeight), "it is in view");
  await openExample(async () => {
    await page.getByTestId("sessions").click();
    await page.getByTestId("show-examples").click();
  });
  // On the first page itself no further session is begun.
  const here = await studio.sessionId();
  await studio.command("examples");
  await eventually("the focus again", () => open.evaluate((button) => button === document.activeElement));
  assert.equal(await studio.sessionId(), here);
  assert.notEqual(here, first);
  studio.assertNoProblems();
});

test("each picture and each line of what one can ask for is understood", async () => {
  const studio = await browser.openStudio(server.url);
  const { page } = studio;
  await page.getByText("What can I ask for?").click();
  const requests = page.getByTestId("capabilities").getByRole("button");
  const count = await requests.count();
  assert.ok(count >= 25, `${count} buttons`);
  const names = await requests.allInnerTexts();
  for (const [index, name] of names.entries()) {
    await studio.command("New scene");
    await page.getByTestId("starters").waitFor();
    await page.getByText("What can I ask for?").click();
    await page.getByTestId("capabilities").getByRole("button").nth(index).click();
    await answered(studio, 1);
    assert.doesNotMatch(await studio.answers.last().innerText(), /did not understand|cannot|not know/i, name);
    const noun = name.toLowerCase().match(/\p{L}+$/u)?.[0] ?? name;
    assert.notEqual(String(await things(studio)), "", `${noun} is there`);
  }
  studio.assertNoProblems();
});

test("what can be said then is understood, each by its button", async () => {
  const studio = await browser.openStudio(server.url);
  const { page } = studio;
  await studio.say("a red car");
  await answered(studio, 1);
  const steps = [
    ["What can you do?", "Make it blue"],
    ["What can you make?", "Make it evening"],
    ["What can I say?", "Look from above"],
    ["What could I ask?", "Undo that"],
  ];
  for (const [index, [question, words]] of steps.entries()) {
    await studio.say(question);
    await answered(studio, 2 * index + 2);
    const before = JSON.stringify(await sceneOf(studio));
    await page.getByTestId("capabilities").getByRole("button", { name: words, exact: true }).click();
    await eventually(words, async () => JSON.stringify(await sceneOf(studio)) !== before);
    await answered(studio, 2 * index + 3);
    assert.doesNotMatch(await studio.answers.last().innerText(), /did not understand|cannot/, words);
  }
  studio.assertNoProblems();
});
