import { relative } from "node:path";

/** Lists the tests that fail, one a line, for whoever runs them once more. */
export default async function* failures(events) {
  for await (const { type, data } of events) {
    if (type !== "test:fail" || data.file === undefined) continue;
    yield `${JSON.stringify({ file: relative(process.cwd(), data.file), name: data.name })}\n`;
  }
}
