// @vitest-environment jsdom
import { expect, test } from "vitest";
import { sanitize } from "../../src/chat/sanitize";

test.each([
  ["<p>a <strong>b</strong></p>", "<p>a <strong>b</strong></p>"],
  ["<p>a<script>alert(1)</script></p>", "<p>a</p>"],
  ['<img src="http://x/?leak" onerror="alert(1)">', ""],
  ['<p style="color:red" onclick="x()" id="app">a</p>', "<p>a</p>"],
  ['<a href="javascript:alert(1)">a</a>', '<a target="_blank" rel="noopener noreferrer">a</a>'],
  ["<form><input><button>b</button></form>", "b"],
])("%s becomes %s", (dirty, clean) => {
  expect(sanitize(dirty)).toBe(clean);
});

test("links open elsewhere and tell nobody where from", () => {
  const clean = sanitize('<a href="https://example.org/">a</a>');
  expect(clean).toContain('href="https://example.org/"');
  expect(clean).toContain('target="_blank"');
  expect(clean).toContain('rel="noopener noreferrer"');
});
