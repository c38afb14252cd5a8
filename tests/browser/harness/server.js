import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

const BINARY =
  process.env.SCENE_LLM_BIN ?? fileURLToPath(new URL("../../../target/debug/scene-llm", import.meta.url));

/** Variables that would give the server a key, an answer or an address of its own. */
const UNWANTED =
  /^(GEMINI|GOOGLE|OPENAI|ANTHROPIC)_|^SCENE_LLM_|^DEBUG_MOCK_RESPONSES$|^(HTTPS?|ALL)_PROXY$/i;

/**
 * Starts the real server with `variables` added to an environment without keys; without variables, the
 * built-in model answers. It keeps its sessions in a directory of its own, which goes when it stops, and
 * listens on a free port. `flags` are added to its command line. Scenes get no stage by themselves unless
 * `setsStage` says so.
 */
export async function startServer(variables = {}, { flags, setsStage = false } = {}) {
  const directory = mkdtempSync(join(tmpdir(), "scene-llm-data-"));
  const kept = flags?.includes("--in-memory") ? [] : ["--data-dir", directory];
  const start = (addr) =>
    launch(
      ["serve", "--addr", addr, ...kept, ...(setsStage ? [] : ["--no-stage"]), ...(flags ?? [])],
      variables,
    );
  let running = await start("127.0.0.1:0");
  const { url } = running;
  return {
    url,
    /** Ends the process as a crash does, without a chance to tidy up. */
    kill: () => running.end("SIGKILL"),
    /** Starts it again with the same sessions at the same address. */
    async startAgain() {
      running = await start(new URL(url).host);
    },
    async stop() {
      await running.end("SIGTERM");
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

async function launch(args, variables) {
  const inherited = Object.entries(process.env).filter(([name]) => !UNWANTED.test(name));
  const child = spawn(BINARY, args, {
    env: { ...Object.fromEntries(inherited), ...variables },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = new Promise((resolve, reject) => {
    child.once("exit", resolve);
    child.once("error", reject);
  });
  const ended = exited.then((code) => {
    throw new Error(`${BINARY} ended with code ${code} before it listened`);
  });
  const url = await Promise.race([listening(child.stdout), ended]);
  // From here on an end is no error: the test asks for it.
  ended.catch(() => {});
  const end = async (signal) => {
    child.kill(signal);
    await exited;
  };
  return { url, end };
}

/** A server whose model answers with `responses`, one for each request. */
export function startMockServer(responses) {
  return startServer({ DEBUG_MOCK_RESPONSES: JSON.stringify(responses) });
}

async function listening(stdout) {
  for await (const line of createInterface({ input: stdout })) {
    const address = /^listening on (http:\/\/\S+)$/.exec(line)?.[1];
    if (address !== undefined) return address;
  }
  throw new Error(`${BINARY} said no address`);
}

/** Runs the program, as a user does in a terminal, until it ends: what it wrote. */
export async function runProgram(args) {
  const inherited = Object.entries(process.env).filter(([name]) => !UNWANTED.test(name));
  const child = spawn(BINARY, args, { env: Object.fromEntries(inherited), stdio: ["ignore", "pipe", "pipe"] });
  const [stdout, stderr, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise((resolve, reject) => {
      child.once("exit", resolve);
      child.once("error", reject);
    }),
  ]);
  return { stdout, stderr, code };
}
