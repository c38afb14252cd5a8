import { expect, test } from "vitest";
import { embeddingHtml, isViewer, sessionIdFromUrl } from "../../src/connection/session-url";

test("the viewer has an address of its own, beside the page wherever that is served", () => {
  for (const base of ["http://x:1/", "https://x/tools/scenes/"]) {
    const html = embeddingHtml(new URL(`${base}#session=abc`), 'a"b c');
    const address = new URL(/src="([^"]+)"/.exec(html)?.[1] ?? "");
    expect(address.href).toBe(`${base}embed?session=a%22b%20c`);
    expect(isViewer(address)).toBe(true);
    expect(sessionIdFromUrl(address)).toBe('a"b c');
    expect(isViewer(new URL(base))).toBe(false);
  }
});
