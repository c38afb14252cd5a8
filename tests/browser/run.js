// All browser tests, or those of the files that are named. A file with a failure runs once more, by itself: what fails
// twice fails, and what fails once is reported as unsteady, since it is a fault of the page or of its test that only
// shows at times. `SCENE_LLM_RETRY=0` fails at once.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folder = mkdtempSync(join(tmpdir(), "scene-llm-browser-tests-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

const first = run(process.argv.slice(2), 2);
if (first.passed) process.exit(0);
const files = [...new Set(first.failures.flatMap(({ file }) => testFiles(file)))];
if (process.env.SCENE_LLM_RETRY === "0" || files.length === 0) process.exit(1);

console.log(`\nThe files with a failure run once more, by themselves: ${files.join(", ")}\n`);
const second = run(files, 1);
if (!second.passed) process.exit(1);
console.log("\nUnsteady, failed the first time and passed the second:");
for (const { file, name } of first.failures) console.log(`  ${file}: ${name}`);

/** The file itself, or those that use it where a test is defined by what several files share. */
function testFiles(file) {
  if (file.endsWith(".test.js")) return [file];
  const tests = readdirSync(".", { recursive: true }).filter(
    (name) => name.endsWith(".test.js") && !name.includes("node_modules"),
  );
  const users = tests.filter((name) => readFileSync(name, "utf8").includes(`/${file}"`));
  if (users.length === 0) throw new Error(`no test file uses ${file}, so its failure cannot be looked at again`);
  return users;
}

/** Runs some files, or all, as many at a time; a test that fails is listed with its file. */
function run(files, concurrency) {
  const list = join(folder, "failures");
  const { status } = spawnSync(
    process.execPath,
    [
      "--test",
      `--test-concurrency=${concurrency}`,
      "--test-reporter=spec",
      "--test-reporter-destination=stdout",
      "--test-reporter=./harness/failures.js",
      `--test-reporter-destination=${list}`,
      ...files,
    ],
    { stdio: "inherit" },
  );
  const lines = readFileSync(list, "utf8").split("\n").filter(Boolean);
  return { passed: status === 0, failures: lines.map((line) => JSON.parse(line)) };
}
