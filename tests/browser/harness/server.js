import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const BINARY =
  process.env.SCENE_LLM_BIN ?? fileURLToPath(new URL("../../../target/debug/scene-llm", import.meta.url));

/** Variables that would give the server a key, an answer or an address of its own. */
const UNWANTED =
  /^(GEMINI|GOOGLE|OPENAI|ANTHROPIC)_|^SCENE_LLM_|^DEBUG_MOCK_RESPONSES$|^(HTTPS?|ALL)_PROXY$/i;

/**
 * Starts the real server on a free port, with `variables` added to an environment without keys.
 * Without variables, the built-in model answers.
 */
export async function startServer(variables = {}) {
  const inherited = Object.entries(process.env).filter(([name]) => !UNWANTED.test(name));
  const child = spawn(BINARY, ["serve", "--addr", "127.0.0.1:0"], {
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
  const stop = async () => {
    child.kill("SIGTERM");
    await exited;
  };
  return { url, stop };
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
