import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";

const pages = [];
afterEach(() => {
  for (const page of pages.splice(0)) rmSync(page, { recursive: true });
});

/** What the check says of a page with these files. */
function check(files) {
  const page = mkdtempSync(join(tmpdir(), "check-imports-"));
  pages.push(page);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(page, path)), { recursive: true });
    writeFileSync(join(page, path), content);
  }
  const { status, stderr } = spawnSync(process.execPath, ["scripts/check-imports.mjs", page]);
  return { status, said: String(stderr).trim() };
}

test("files that import each other are a cycle, also by types, folders and on demand", () => {
  const found = check({
    "src/main.ts": 'import { a } from "./a";\n',
    "src/a.ts": 'import type { B } from "./b";\n',
    "src/b/index.ts": 'export const c = () => import("../c");\n',
    "src/c.tsx": 'export {\n  a,\n} from "./a";\n',
  });
  expect(found).toEqual({ status: 1, said: "import cycle between src/a.ts, src/b/index.ts, src/c.tsx" });
});

test("a folder of more than 25 files is told", () => {
  const files = (count) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`src/many/${index}.ts`, ""]));
  expect(check(files(25))).toEqual({ status: 0, said: "" });
  expect(check(files(26)).said).toBe("src/many holds 26 files: at most 25, group them");
});
