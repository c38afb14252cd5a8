/**
 * Builds the example scenes by saying their prompts to the built-in model, and renders their pictures. Run by
 * `make starter-pictures`; its results are kept in the repository.
 */
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";

const [binary, folder = new URL("../src/starters/", import.meta.url).pathname] = process.argv.slice(2);
const starters = JSON.parse(readFileSync(`${folder}/starters.json`));

const server = spawn(binary, ["serve", "--addr", "127.0.0.1:0", "--in-memory"], {
  // Without keys the built-in model answers.
  env: { PATH: process.env.PATH, HOME: process.env.HOME },
  stdio: ["ignore", "pipe", "inherit"],
});
try {
  const url = await listening(server.stdout);
  for (const { file, prompts } of starters) await build(url, file, prompts);
} finally {
  server.kill();
}

async function build(url, file, prompts) {
  const { session_id } = await (await fetch(`${url}/api/sessions`, { method: "POST" })).json();
  await run(["chat", "--server", url, "--session", session_id], `${prompts.join("\n")}\n`);
  const scene = await (await fetch(`${url}/api/sessions/${session_id}/scene`)).json();
  const path = `${folder}/scenes/${file}`;
  writeFileSync(`${path}.json`, `${JSON.stringify(scene)}\n`);
  const size = ["--width", "320", "--height", "240", "--samples", "256", "--denoise", "builtin"];
  await run(["render", `${path}.json`, "--output", `${path}.jpg`, ...size]);
  console.log(`${file}: ${scene.shapes.length} shapes`);
}

function run(args, input = "") {
  return new Promise((resolve, reject) => {
    const child = spawn(binary, args, { stdio: ["pipe", "ignore", "inherit"] });
    child.stdin.end(input);
    child.once("error", reject);
    child.once("exit", (code) =>
      code === 0 ? resolve() : reject(new Error(`${args[0]} ended with code ${code}`)),
    );
  });
}

async function listening(stdout) {
  for await (const line of createInterface({ input: stdout })) {
    const address = /^listening on (http:\/\/\S+)$/.exec(line)?.[1];
    if (address !== undefined) return address;
  }
  throw new Error("the server did not start");
}
