/** A WebSocket whose other end is the test. */
export class FakeWebSocket {
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

  welcome(sessionId: string, scene: object): void {
    const about = { name: "", access: "edit", durable: true, branch: 0, branches: 1 };
    const place = { protocol: 1, session_id: sessionId, epoch: "e", seq: 0, resumed: false, revision: 0 };
    this.say({
      type: "welcome",
      ...place,
      ...about,
      scene,
      chat: [],
      running: false,
      model: "m",
      models: [],
    });
  }
}
