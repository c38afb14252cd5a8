/** A server of our own with the built-in model, and a proxy in front of it that breaks connections. */
import { spawn } from "node:child_process";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { createInterface } from "node:readline";

const PROGRAM = process.env.SCENE_LLM ?? "../../target/debug/scene-llm";

export async function withServer(test: (url: string) => Promise<void>): Promise<void> {
  const command = ["serve", "--addr", "127.0.0.1:0", "--in-memory", "--no-local-models"];
  const environment = { PATH: process.env.PATH, HOME: "/nonexistent" };
  const server = spawn(PROGRAM, command, { stdio: ["ignore", "pipe", "ignore"], env: environment });
  try {
    const line = await new Promise<string>((resolve) => createInterface(server.stdout).once("line", resolve));
    await test(line.split(" ").at(-1) ?? "");
  } finally {
    server.kill();
  }
}

/** Each connection is cut after a random number of bytes from the server, in the middle of whatever it is. */
export async function brokenLine(url: string, seed: number, least = 40_000, most = 70_000) {
  const target = new URL(url);
  let state = seed;
  const dice = () => {
    // mulberry32
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const open = new Set<Socket>();
  const line = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    let left = least + Math.floor(dice() * (most - least));
    const cut = () => {
      for (const end of [near, far]) {
        open.delete(end);
        end.destroy();
      }
    };
    for (const end of [near, far]) {
      open.add(end);
      end.on("error", cut);
      end.on("close", cut);
    }
    near.on("data", (data) => far.write(data));
    far.on("data", (data) => {
      near.write(data.subarray(0, left));
      left -= data.length;
      if (left <= 0) cut();
    });
  });
  await new Promise<void>((resolve) => line.listen(0, "127.0.0.1", resolve));
  const close = () => {
    line.close();
    for (const end of open) end.destroy();
  };
  return { url: `http://127.0.0.1:${(line.address() as AddressInfo).port}`, close };
}
