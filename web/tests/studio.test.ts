// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Studio } from "../src/studio";

/** A WebSocket whose other end is the test. */
class FakeWebSocket {
  static last: FakeWebSocket;
  readonly OPEN = 1;
  readyState = 1;
  binaryType = "blob";
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: (() => void) | null = null;
  readonly sent: Record<string, unknown>[] = [];

  constructor(readonly url: string) {
    FakeWebSocket.last = this;
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }

  close(): void {
    this.readyState = 3;
  }

  say(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }

  welcome(sessionId: string): void {
    const about = { name: "", access: "edit", durable: true, branch: 0, branches: 1 };
    const place = { protocol: 1, session_id: sessionId, epoch: "e", seq: 0, resumed: false, revision: 0 };
    this.say({ type: "welcome", ...place, ...about, chat: [], running: false, model: "m", models: [] });
  }
}

let studio: Studio;
beforeEach(() => {
  vi.stubGlobal("WebSocket", FakeWebSocket);
  history.replaceState(null, "", "/?session=token");
  studio = new Studio(new URL("/", location.href));
  studio.start();
  FakeWebSocket.last.welcome("token");
});
afterEach(() => {
  vi.unstubAllGlobals();
});

test("a session named in the query moves to the fragment, which no server log has", () => {
  expect(FakeWebSocket.last.url).toContain("session=token");
  expect(location.search).toBe("");
  expect(location.hash).toBe("#session=token");
});

describe("a message that was refused", () => {
  beforeEach(() => {
    studio.draft.value = "half a sentence";
    studio.sendMessage("a red ball", { replaces: "u1" });
    const request_id = FakeWebSocket.last.sent.at(-1)?.request_id;
    const refusal = { code: "busy", message: "wait", retryable: true };
    FakeWebSocket.last.say({ type: "error", request_id, ...refusal });
  });

  test("is sent again as what it was", () => {
    const [refused] = studio.state.value.outgoing;
    if (refused !== undefined) studio.resend(refused);
    expect(FakeWebSocket.last.sent.at(-1)).toMatchObject({ text: "a red ball", replaces: "u1" });
    expect(studio.state.value.outgoing).toHaveLength(1);
  });

  test("goes back into the composer when its session is left", () => {
    studio.openSession(null);
    expect(studio.draft.value).toBe("half a sentence\na red ball");
    expect(studio.state.value.outgoing).toEqual([]);
  });
});
