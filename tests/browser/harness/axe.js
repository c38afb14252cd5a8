import assert from "node:assert/strict";
import axe from "axe-core";

/** WCAG 2.2 AA and what axe's makers hold good beyond it. */
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** Fails with what axe finds wrong on the page as it is now; `state` says how it is. */
export async function assertAccessible(page, state) {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  const violations = await page.evaluate(async (tags) => {
    // What is half faded in has half its contrast.
    await Promise.allSettled(document.getAnimations().filter((each) => each instanceof CSSTransition).map((each) => each.finished));
    const results = await window.axe.run(document, { runOnly: tags, resultTypes: ["violations"] });
    return results.violations.map(({ id, help, nodes }) => ({
      id,
      help,
      nodes: nodes.map(({ target, failureSummary }) => `${target.join(" ")}: ${failureSummary.replaceAll(/\s+/g, " ")}`),
    }));
  }, TAGS);
  assert.deepEqual(violations, [], `axe on ${state}`);
}
