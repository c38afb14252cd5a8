import { afterEach, expect, test, vi } from "vitest";
import { SessionsApi } from "../../src/connection/api";
import { animationProblem, frameCount, initialAnimation } from "../../src/views/render/animation-options";

afterEach(() => vi.unstubAllGlobals());

const SETTINGS = initialAnimation(24);
const FILE = new Uint8Array([1, 10, 2, 10, 3]);

const line = (value: object) => new TextEncoder().encode(`${JSON.stringify(value)}\n`);
const frame = (done: number) =>
  line({ type: "frame", done, frames: 2, seconds_left: 1.5, picture: btoa("jpeg") });

/** What the server sends, in pieces of some bytes. */
function answer(parts: Uint8Array[], piece: number) {
  const all = new Uint8Array(parts.flatMap((part) => [...part]));
  const body = new ReadableStream({
    start(controller) {
      for (let at = 0; at < all.length; at += piece) controller.enqueue(all.slice(at, at + piece));
      controller.close();
    },
  });
  const server = vi.fn<typeof fetch>(async () => new Response(body));
  vi.stubGlobal("fetch", server);
  return server;
}

async function render() {
  const frames: [number, number, string][] = [];
  const api = new SessionsApi(new URL("http://host/"));
  const onFrame = async (each: { done: number; secondsLeft: number; picture: Blob }) => {
    frames.push([each.done, each.secondsLeft, each.picture.type]);
  };
  const file = await api.renderAnimation("a b", SETTINGS, onFrame, new AbortController().signal);
  return { frames, file };
}

test.each([1, 7, 1000])(
  "frames are told as they come, and the file is whole, in pieces of %i bytes",
  async (piece) => {
    const server = answer(
      [frame(1), frame(2), line({ type: "file", bytes: 5, mime_type: "image/webp" }), FILE],
      piece,
    );
    const { frames, file } = await render();
    expect(frames).toEqual([
      [1, 1.5, "image/jpeg"],
      [2, 1.5, "image/jpeg"],
    ]);
    expect(file.type).toBe("image/webp");
    expect(new Uint8Array(await file.arrayBuffer())).toEqual(FILE);
    const [address, init] = server.mock.calls[0] ?? [];
    expect(String(address)).toBe(
      "http://host/api/sessions/a%20b/animation?format=webp&fps=24&width=640&height=360&samples=32&shutter=0",
    );
    expect(init?.headers).toEqual({ accept: "application/x-ndjson" });
  },
);

test("an error on the way is told, and a file that is cut off is none", async () => {
  answer([frame(1), line({ type: "error", detail: "the server stops" })], 100);
  await expect(render()).rejects.toThrow("the server stops");
  answer([frame(1)], 100);
  await expect(render()).rejects.toThrow("the connection was lost");
  answer([line({ type: "file", bytes: 9, mime_type: "image/gif" }), FILE], 100);
  await expect(render()).rejects.toThrow("the connection was lost");
});

test("what the server would refuse is said before it is sent", () => {
  expect(frameCount(SETTINGS, 4)).toBe(96);
  expect(animationProblem(SETTINGS, 4, 1024)).toBeNull();
  expect(animationProblem(SETTINGS, null, 1024)).toMatch(/Nothing is animated/);
  expect(animationProblem({ ...SETTINGS, format: "gif", fps: 60 }, 4, 1024)).toMatch(/1 to 50/);
  expect(animationProblem({ ...SETTINGS, samples: 1.5 }, 4, 1024)).toMatch(/whole number/);
  expect(animationProblem({ ...SETTINGS, fps: 60 }, 600, 1024)).toMatch(/at most 3600|At most 3600/);
  expect(animationProblem({ ...SETTINGS, width: 1280, height: 720, samples: 1024 }, 4, 1024)).toMatch(
    /at most 194 samples/,
  );
});
