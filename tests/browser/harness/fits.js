import assert from "node:assert/strict";

/**
 * Fails with what does not fit the page as it is now: what sticks out of the window sideways, words that are cut off
 * without a sign, and letters that are too small to read.
 */
export async function assertFits(page, state) {
  const faults = await page.evaluate(() => {
    const name = (element) => {
      const { testid } = element.dataset ?? {};
      const words = (element.textContent ?? "").trim().slice(0, 30);
      return `<${element.localName} class="${element.getAttribute("class") ?? ""}"${testid ? ` ${testid}` : ""}> ${words}`;
    };
    const found = [];
    if (document.documentElement.scrollWidth > innerWidth) found.push("the page scrolls sideways");
    const scrolls = (element) => {
      for (let up = element; up !== null; up = up.parentElement) {
        if (/auto|scroll/.test(getComputedStyle(up).overflowX)) return true;
      }
      return false;
    };
    const cutBy = (element) => {
      const box = element.getBoundingClientRect();
      for (let up = element.parentElement; up !== null; up = up.parentElement) {
        const style = getComputedStyle(up);
        if (/auto|scroll/.test(style.overflowX)) return 0;
        if (/hidden|clip/.test(style.overflowX) && style.textOverflow !== "ellipsis") {
          const beyond = box.right - up.getBoundingClientRect().right;
          if (beyond > 1) return Math.round(beyond);
        }
      }
      return 0;
    };
    for (const element of document.body.querySelectorAll("*")) {
      if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
      if (element.closest(".visually-hidden, svg") !== null) continue;
      const box = element.getBoundingClientRect();
      if (box.width <= 1 || box.height <= 1) continue;
      const style = getComputedStyle(element);
      const ownWords = [...element.childNodes].some(
        (node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim() !== "",
      );
      if ((box.right > innerWidth + 1 || box.left < -1) && !scrolls(element.parentElement)) {
        found.push(`sticks out by ${Math.round(Math.max(box.right - innerWidth, -box.left))} px: ${name(element)}`);
      }
      if (!ownWords) continue;
      if (cutBy(element) > 0) found.push(`cut off by ${cutBy(element)} px: ${name(element)}`);
      if (Number.parseFloat(style.fontSize) < 12) found.push(`letters of ${style.fontSize}: ${name(element)}`);
      const isCut = element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0;
      if (isCut && style.overflowX === "visible" && style.display !== "inline" && !scrolls(element)) {
        found.push(`words run out by ${element.scrollWidth - element.clientWidth} px: ${name(element)}`);
      }
      if (isCut && /hidden|clip/.test(style.overflowX) && style.textOverflow !== "ellipsis") {
        found.push(`words are cut off: ${name(element)}`);
      }
    }
    return found;
  });
  assert.deepEqual(faults, [], `what does not fit: ${state}`);
}
