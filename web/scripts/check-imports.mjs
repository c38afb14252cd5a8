/**
 * Fails when files of `src` import each other in a cycle, or when a folder of `src` or `tests` holds more than
 * `MAX_FILES` files. Type-only imports count, too: whoever reads them goes round in the same circle. Run by
 * `npm run check`; a folder can be given to check another page.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = resolve(process.argv[2] ?? join(dirname(fileURLToPath(import.meta.url)), ".."));
const SOURCE = join(ROOT, "src");
const CHECKED = ["src", "tests"].map((name) => join(ROOT, name)).filter((folder) => existsSync(folder));
const MAX_FILES = 25;
const ENDINGS = ["", ".ts", ".tsx", "/index.ts", "/index.tsx"];
/** What stands in the quotes of `from "..."`, `import "..."` and `import("...")`, where it is a relative path. */
const IMPORT = /(?:\bfrom\s*|\bimport\s*\(?\s*)["'](\.{1,2}\/[^"']+)["']/g;

/** Folders below `folder`, and itself, with the names of their files. */
function foldersOf(folder) {
  const entries = readdirSync(folder, { withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  const inner = entries.filter((entry) => entry.isDirectory());
  return [{ folder, files }, ...inner.flatMap(({ name }) => foldersOf(join(folder, name)))];
}

/** The files of `src` that each file of it imports. */
function importGraph(files) {
  const known = new Set(files);
  const graph = new Map();
  for (const file of files) {
    const paths = [...readFileSync(file, "utf8").matchAll(IMPORT)].map(([, path]) => path);
    const targets = paths.map((path) => {
      const target = resolve(dirname(file), path.replace(/\?.*$/, ""));
      return ENDINGS.map((ending) => target + ending).find((candidate) => known.has(candidate));
    });
    graph.set(file, [...new Set(targets.filter((target) => target !== undefined))]);
  }
  return graph;
}

/** The strongly connected components of more than one file (Tarjan 1972), and files that import themselves. */
function cyclesOf(graph) {
  const index = new Map();
  const low = new Map();
  const stack = [];
  const cycles = [];
  const visit = (file) => {
    index.set(file, index.size);
    low.set(file, index.get(file));
    stack.push(file);
    for (const target of graph.get(file)) {
      if (!index.has(target)) visit(target);
      if (stack.includes(target)) low.set(file, Math.min(low.get(file), low.get(target)));
    }
    if (low.get(file) !== index.get(file)) return;
    const component = stack.splice(stack.indexOf(file));
    if (component.length > 1 || graph.get(file).includes(file)) cycles.push(component);
  };
  for (const file of graph.keys()) if (!index.has(file)) visit(file);
  return cycles;
}

const shown = (path) => relative(ROOT, path).replaceAll("\\", "/");
const sources = foldersOf(SOURCE).flatMap(({ folder, files }) =>
  files.filter((name) => /\.tsx?$/.test(name)).map((name) => join(folder, name)),
);
const problems = [
  ...cyclesOf(importGraph(sources)).map(
    (cycle) => `import cycle between ${cycle.map(shown).sort().join(", ")}`,
  ),
  ...CHECKED.flatMap(foldersOf)
    .filter(({ files }) => files.length > MAX_FILES)
    .map(
      ({ folder, files }) => `${shown(folder)} holds ${files.length} files: at most ${MAX_FILES}, group them`,
    ),
];
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exit(1);
