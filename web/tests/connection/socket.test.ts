import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { retryDelayMs } from "../../src/connection/backoff";
import { type ConnectionState, SessionSocket } from "../../src/connection/socket";
import type { ServerMessage } from "../../src/protocol";

/** A WebSocket whose other end is the test. */
class FakeWebSocket {
  readonly OPEN = 1;
  readyState = 0;
  binaryType = "blob";
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: (() => void) | null = null;
  readonly sent: unknown[] = [];

  constructor(readonly url: string) {}

  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }

  close(): void {
    this.readyState = 3;
  }

  say(message: object): void {
    this.readyState = this.OPEN;
    this.onmessage?.({ data: JSON.stringify(message) });
  }

  welcome(fields: object = {}): void {
    this.say({
      type: "welcome",
      protocol: 1,
      session_id: "s1",
      epoch: "e1",
      seq: 0,
      resumed: false,
      ...fields,
    });
  }

  event(seq: number): void {
    this.say({ type: "text_delta", seq, message_id: "m", text: String(seq), thought: false });
  }

  drop(): void {
    this.readyState = 3;
    this.onclose?.();
  }
}

function setUp(unknownSessions: string[] = [], goesOn = true) {
  const sockets: FakeWebSocket[] = [];
  const messages: ServerMessage[] = [];
  const states: ConnectionState[] = [];
  const unknown: string[] = [];
  const previews: number[] = [];
  const caughtUp: number[] = [];
  const socket = new SessionSocket(
    "ws://host/ws",
    {
      onMessage: (message) => messages.push(message),
      onPreview: (frame) => previews.push(frame.header.samples),
      onConnection: (state) => states.push(state),
      onCaughtUp: () => caughtUp.push(messages.length),
      onUnknownSession: (sessionId) => {
        unknown.push(sessionId);
        return goesOn;
      },
    },
    {
      connect: (url) => {
        const fake = new FakeWebSocket(url);
        sockets.push(fake);
        return fake as unknown as WebSocket;
      },
      sessionIsUnknown: async (sessionId) => unknownSessions.includes(sessionId),
      random: () => 0,
      now: Date.now,
    },
  );
  const last = (): FakeWebSocket => {
    const fake = sockets.at(-1);
    if (fake === undefined) throw new Error("nothing was connected");
    return fake;
  };
  const seqs = () => messages.flatMap((message) => (message.type === "text_delta" ? [message.seq] : []));
  return { socket, sockets, messages, states, unknown, previews, caughtUp, last, seqs };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("connecting", () => {
  test("asks for a new session without a name, for a known one with it", () => {
    const { socket, last } = setUp();
    socket.open(null);
    expect(last().url).toBe("ws://host/ws");
    socket.open("a b");
    expect(last().url).toBe("ws://host/ws?session=a+b");
  });

  test("is open, and sends, only after the welcome", () => {
    const { socket, last, states } = setUp();
    socket.open(null);
    last().readyState = 1;
    expect(socket.send({ type: "cancel" })).toBe(false);
    last().welcome();
    expect(socket.send({ type: "cancel" })).toBe(true);
    expect(last().sent).toEqual([{ type: "cancel" }]);
    expect(states.map((state) => state.phase)).toEqual(["connecting", "open"]);
  });

  test("gives up on a server that never welcomes", () => {
    const { socket, states, sockets } = setUp();
    socket.open(null);
    vi.advanceTimersByTime(10_000);
    expect(states.at(-1)?.phase).toBe("waiting");
    vi.advanceTimersByTime(500);
    expect(sockets).toHaveLength(2);
  });

  test("stops at another protocol", () => {
    const { socket, last, states, sockets, messages } = setUp();
    socket.open(null);
    last().welcome({ protocol: 2 });
    expect(states.at(-1)).toEqual({ phase: "incompatible", protocol: 2 });
    vi.advanceTimersByTime(60_000);
    expect(sockets).toHaveLength(1);
    expect(messages).toEqual([]);
  });
});

describe("coming back", () => {
  test("resumes after the last event seen", () => {
    const { socket, last } = setUp();
    socket.open(null);
    last().welcome({ seq: 4 });
    last().event(5);
    last().drop();
    vi.advanceTimersByTime(500);
    expect(last().url).toBe("ws://host/ws?session=s1&epoch=e1&after=5");
  });

  test("has caught up when the answer that follows the missed events is here", () => {
    const { socket, last, caughtUp, seqs } = setUp();
    socket.open(null);
    last().welcome({ seq: 4 });
    expect(last().sent).toEqual([]);
    last().drop();
    vi.advanceTimersByTime(500);
    last().welcome({ seq: 4, resumed: true });
    const [ping] = last().sent;
    expect(ping).toMatchObject({ type: "ping" });
    last().event(5);
    last().say({ type: "pong" });
    expect(caughtUp).toEqual([]);
    last().say({ ...(ping as object), type: "pong" });
    expect(caughtUp).toHaveLength(1);
    expect(seqs()).toEqual([5]);
  });

  test("waits longer with each failure, and not at all when told to", () => {
    const { socket, last, states, sockets } = setUp();
    socket.open(null);
    last().drop();
    vi.advanceTimersByTime(500);
    last().drop();
    expect(states.at(-1)).toMatchObject({ phase: "waiting", attempt: 2, retryAtMs: Date.now() + 1000 });
    socket.retryNow();
    expect(sockets).toHaveLength(3);
    socket.retryNow();
    expect(sockets).toHaveLength(3);
  });

  test("what a left socket still says is not heard", () => {
    const { socket, sockets, messages } = setUp();
    socket.open("s1");
    socket.open("s2");
    sockets[0]?.welcome();
    sockets[0]?.drop();
    expect(messages).toEqual([]);
    expect(sockets).toHaveLength(2);
  });

  test("an unknown session is given up for a new one", async () => {
    const { socket, last, unknown } = setUp(["gone"]);
    socket.open("gone");
    last().drop();
    await vi.advanceTimersByTimeAsync(0);
    expect(unknown).toEqual(["gone"]);
    expect(last().url).toBe("ws://host/ws");
  });

  test("a viewer of an unknown session connects no more, and makes none", async () => {
    const { socket, sockets, last, unknown } = setUp(["gone"], false);
    socket.open("gone");
    last().drop();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(unknown).toEqual(["gone"]);
    expect(sockets).toHaveLength(1);
  });

  test("a session that only cannot be reached is kept", async () => {
    const { socket, last, unknown } = setUp();
    socket.open("s1");
    last().drop();
    await vi.advanceTimersByTimeAsync(500);
    expect(unknown).toEqual([]);
    expect(last().url).toBe("ws://host/ws?session=s1");
  });
});

describe("order", () => {
  test("each event once; messages without a number always", () => {
    const { socket, last, seqs, messages } = setUp();
    socket.open(null);
    last().welcome();
    for (const seq of [1, 1, 2, 1, 3]) last().event(seq);
    last().say({ type: "render_progress" });
    expect(seqs()).toEqual([1, 2, 3]);
    expect(messages.at(-1)?.type).toBe("render_progress");
  });

  test("a gap is not shown: a fresh welcome is asked for", () => {
    const { socket, last, seqs } = setUp();
    socket.open(null);
    last().welcome();
    last().event(1);
    last().event(3);
    expect(seqs()).toEqual([1]);
    vi.advanceTimersByTime(500);
    expect(last().url).toBe("ws://host/ws?session=s1");
  });

  test("an event of an unknown type still counts; nonsense does no harm", () => {
    const { socket, last, seqs } = setUp();
    socket.open(null);
    last().welcome();
    last().say({ type: "from_the_future", seq: 1 });
    last().onmessage?.({ data: "{" });
    last().say([1]);
    last().event(2);
    expect(seqs()).toEqual([2]);
  });
});

describe("a silent line", () => {
  test("is pinged, then given up", () => {
    const { socket, last, states } = setUp();
    socket.open(null);
    last().welcome();
    vi.advanceTimersByTime(15_000);
    expect(last().sent).toEqual([{ type: "ping" }]);
    last().say({ type: "pong" });
    vi.advanceTimersByTime(15_000);
    expect(states.at(-1)?.phase).toBe("open");
    vi.advanceTimersByTime(15_000);
    expect(states.at(-1)?.phase).toBe("waiting");
  });
});

test("preview frames come through, broken ones do not", () => {
  const { socket, last, previews } = setUp();
  socket.open(null);
  last().welcome();
  const header = new TextEncoder().encode(
    JSON.stringify({ type: "preview", revision: 1, samples: 8, mime_type: "image/png" }),
  );
  const frame = new Uint8Array(4 + header.length + 2);
  new DataView(frame.buffer).setUint32(0, header.length, true);
  frame.set(header, 4);
  last().onmessage?.({ data: frame.buffer });
  last().onmessage?.({ data: frame.buffer.slice(0, 20) });
  last().onmessage?.({ data: new ArrayBuffer(2) });
  expect(previews).toEqual([8]);
});

test.each([
  [1, 0, 500],
  [1, 0.999, 250],
  [4, 0, 4000],
  [50, 0, 15_000],
])("attempt %i with random %f waits %i ms", (attempt, random, expected) => {
  expect(retryDelayMs(attempt, random)).toBe(expected);
});
