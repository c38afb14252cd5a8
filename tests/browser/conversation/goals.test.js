import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { assertAccessible } from "../harness/axe.js";
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

const goalOf = async (studio) => {
  const response = await fetch(`${server.url}/api/sessions/${await studio.sessionId()}/goal`);
  return response.ok ? (await response.json()).goal : null;
};
const ended = (studio, status) =>
  eventually(`the goal ${status}`, async () => {
    const goal = await goalOf(studio);
    if (goal === null || ["planning", "active"].includes(goal.status)) return null;
    assert.equal(goal.status, status, `${goal.reason} ${JSON.stringify(goal.criteria)}`);
    return goal;
  });

test("a goal is typed, worked on task by task, and done when its criteria hold", async () => {
  const studio = await browser.openStudio(server.url);
  const { page } = studio;
  await page.getByTestId("goal-menu").click();
  await page.getByTestId("workflow").first().waitFor();
  assert.ok((await page.getByTestId("goal-menu-panel").boundingBox()).y >= 0, "the menu is in the window");
  const scrolled = await page.evaluate(() => document.documentElement.scrollHeight - innerHeight);
  assert.equal(scrolled, 0, "nothing sticks out below");
  await assertAccessible(page, "the menu of goals");
  await studio.screenshot("goal-menu-dark");
  await page.getByTestId("goal-own").click();
  await page.getByTestId("goal-hint").waitFor();
  await page.getByTestId("composer").fill("furnish this room for two people who work from home");
  await page.keyboard.press("Enter");
  await page.getByTestId("goal").waitFor();
  const goal = await ended(studio, "completed");
  assert.ok(goal.tasks.length >= 4, `${goal.tasks.length} tasks`);
  await page.locator('[data-testid="goal"][data-status="completed"]').waitFor();
  if ((await page.getByTestId("goal-toggle").getAttribute("aria-expanded")) === "false") {
    await page.getByTestId("goal-toggle").click();
  }
  assert.equal(await page.locator('[data-testid="goal-criterion"][data-met="true"]').count(), goal.criteria.length);
  assert.equal(await page.locator('[data-testid="goal-task"][data-status="completed"]').count(), goal.tasks.length);
  await assertAccessible(page, "a goal that is done");
  await studio.screenshot("goal-done-dark");
  await page.reload();
  await studio.connected();
  await page.locator('[data-testid="goal"][data-status="completed"]').waitFor();
  await page.getByTestId("goal-hide").click();
  await page.getByTestId("goal").waitFor({ state: "detached" });
  studio.assertNoProblems();
});

test("a workflow is chosen and its parameters are filled in", async () => {
  const studio = await browser.openStudio(server.url);
  const { page } = studio;
  await page.getByTestId("goal-menu").click();
  await page.getByTestId("workflow").filter({ hasText: "Furnished room" }).click();
  await page.getByTestId("workflow-dialog").getByLabel("Floor").fill("stone");
  await assertAccessible(page, "the parameters of a workflow");
  await studio.screenshot("workflow-dark");
  await page.getByTestId("workflow-start").click();
  const goal = await ended(studio, "completed");
  assert.equal(goal.workflow, "furnished-room");
  assert.ok(goal.tasks.some(({ description }) => description.includes("stone")), JSON.stringify(goal.tasks));
  studio.assertNoProblems();
});

test("a goal that cannot be reached says what is unmet, also on a phone", async () => {
  const studio = await browser.openStudio(server.url);
  const { page } = studio;
  const session = await studio.sessionId();
  const set = await fetch(`${server.url}/api/sessions/${session}/goal`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ objective: "a red ball", criteria: ["3 ~piano"], may_ask: false }),
  });
  assert.equal(set.status, 201);
  const { criteria } = await ended(studio, "failed");
  assert.equal(criteria[0].met, false);
  await page.locator('[data-testid="goal"][data-status="failed"]').waitFor();
  await page.getByTestId("goal-toggle").click();
  await page.locator('[data-testid="goal-criterion"][data-met="false"]').waitFor();
  await studio.screenshot("goal-failed-dark");
  await page.getByTestId("theme").click();
  await page.setViewportSize({ width: 390, height: 780 });
  await studio.screenshot("goal-failed-narrow-light");
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.equal(overflow, 0, "nothing sticks out");
  studio.assertNoProblems();
});

test("variants are made one after the other, compared side by side, and another one is chosen", async () => {
  const studio = await browser.openStudio(server.url);
  const { page } = studio;
  await page.getByTestId("goal-menu").click();
  await page.getByTestId("workflow").filter({ hasText: "Furnished room" }).click();
  await page.getByTestId("workflow-dialog").getByTestId("goal-variants-field").selectOption("2");
  await assertAccessible(page, "a workflow with variants");
  await page.getByTestId("workflow-start").click();
  const goal = await ended(studio, "completed");
  assert.equal(goal.variants.made.length, 2);
  await page.locator('[data-testid="goal"][data-status="completed"]').waitFor();
  if ((await page.getByTestId("goal-toggle").getAttribute("aria-expanded")) === "false") {
    await page.getByTestId("goal-toggle").click();
  }
  const figures = page.getByTestId("goal-variant");
  // Pictures are loaded when they are seen.
  await figures.last().scrollIntoViewIfNeeded();
  await eventually("both pictures", async () => {
    const loaded = await figures.locator("img").evaluateAll((all) => all.map((each) => each.naturalWidth));
    return loaded.length === 2 && loaded.every((width) => width === 320);
  });
  await assertAccessible(page, "variants side by side");
  await studio.screenshot("goal-variants-dark");
  const other = page.locator('[data-testid="goal-variant"][data-chosen="false"]');
  await other.getByTestId("goal-choose").click();
  const number = goal.variants.made.find((variant) => variant.number !== goal.variants.chosen).number;
  await eventually("the other variant", async () => (await goalOf(studio)).variants.chosen === number);
  await page.locator('[data-testid="goal-variant"][data-chosen="true"]').filter({ hasText: `Variant ${number}` }).waitFor();
  // The second variant begins without the shapes of the first, whose triangles may still be asked for.
  studio.assertNoProblems(/the scene has no shape|Failed to load resource.*404/);
});

test("the calls of a sub-agent stand below the call that handed it the task", async () => {
  const ball = { id: "ball", type: "sphere", properties: { center: [0, 0.5, 0], radius: 0.5 } };
  const lamp = {
    id: "lamp",
    type: "area_sphere_light",
    properties: { center: [0, 3, 0], radius: 0.2, emission: [40, 38, 30] },
  };
  const answers = [
    { tool_calls: [{ name: "create_shape", arguments: ball }] },
    { tool_calls: [{ id: "d1", name: "delegate_to_lighting_artist", arguments: { task: "Light the ball warmly" } }] },
    { tool_calls: [{ name: "create_light", arguments: lamp }] },
    "A warm lamp hangs above it.",
    "The ball is lit.",
  ];
  const scripted = await startServer({ DEBUG_MOCK_RESPONSES: JSON.stringify(answers) });
  try {
    const studio = await browser.openStudio(scripted.url);
    const { page } = studio;
    await page.getByTestId("composer").fill("a ball, well lit");
    await page.keyboard.press("Enter");
    await page.locator('[data-tool="delegate_to_lighting_artist"][data-status="ok"]').waitFor();
    await page.locator('[data-tool="create_shape"][data-status="ok"]').waitFor();
    const nested = page.locator('.tool-of-agent[data-tool="create_light"][data-status="ok"]');
    await nested.waitFor();
    const handed = await page.locator('[data-tool="delegate_to_lighting_artist"]').boundingBox();
    assert.ok((await nested.boundingBox()).x > handed.x, "it is indented");
    await assertAccessible(page, "calls of a sub-agent");
    await studio.screenshot("sub-agent-dark");
    studio.assertNoProblems();
  } finally {
    await scripted.stop();
  }
});
