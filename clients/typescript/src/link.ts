import { ConnectionLost, type Problem, Refused } from "./errors.js";
import type { ClientRequest, PreviewHeader, ServerMessage, Welcome } from "./generated/messages.js";

/** What has a number: each is delivered once, in order and without gaps. */
export type SessionEvent = Extract<ServerMessage, { seq: number }>;

/** A picture of the scene while it is refined. `header.final` is true for the last one of a revision. */
export interface Preview {
  header: PreviewHeader;
  image: Uint8Array;
}

export interface LinkOptions {
  /** The address of `/ws`. */
  address: string;
  session: string | null;
  connect(url: string): Promise<WebSocket>;
  deliver(message: ServerMessage | Preview): void;
  /** Events of the log after a number. */
  log(session: string, after: number): Promise<{ events: SessionEvent[]; more: boolean }>;
  /** Why the server refuses the session for good; null if it does not. */
  refusal(session: string | null): Promise<Problem | null>;
  /** It does not come back. */
  ended(reason: Error): void;
}

interface Pending {
  reply: ServerMessage | null;
  resolve(reply: ServerMessage | null): void;
  reject(error: Error): void;
}

const PROTOCOL = 1;
const HANDSHAKE_MS = 10_000;
const PING_MS = 15_000;
const FIRST_DELAY_MS = 100;
const LAST_DELAY_MS = 10_000;

/**
 * The connection of a session. It comes back by itself after a loss, at the event after the last one that was seen.
 * A `welcome` is delivered at first, and again only if the log of the session was cut.
 */
export class Link {
  session: string | null;
  reconnects = 0;
  #cursor: { epoch: string; seq: number } | null = null;
  #socket: WebSocket | null = null;
  #pending = new Map<number, Pending>();
  #lastId = 0;
  #attempt = 0;
  #end: Error | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #opened: Array<{ resolve(): void; reject(error: Error): void }> = [];

  constructor(private readonly options: LinkOptions) {
    this.session = options.session;
    void this.#connect();
  }

  /** Resolves when the session is open. */
  open(): Promise<void> {
    if (this.#end !== null) return Promise.reject(this.#end);
    if (this.#socket !== null) return Promise.resolve();
    return new Promise((resolve, reject) => this.#opened.push({ resolve, reject }));
  }

  close(): void {
    this.#finish(new ConnectionLost("the session was closed here"));
  }

  /** Sends a message and waits until the server has carried it out; gives its direct reply, if it has one. */
  async request(message: ClientRequest): Promise<ServerMessage | null> {
    while (this.#socket === null) await this.open();
    const socket = this.#socket;
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { reply: null, resolve, reject });
      // Messages are handled one after another: the pong tells that the one before it is done.
      socket.send(JSON.stringify({ ...message, request_id: id }));
      socket.send(JSON.stringify({ type: "ping", request_id: id }));
    });
  }

  async #connect(): Promise<void> {
    let socket: WebSocket;
    try {
      socket = await this.options.connect(this.#url());
    } catch {
      this.#lost(null);
      return;
    }
    if (this.#end !== null) {
      socket.close();
      return;
    }
    socket.binaryType = "arraybuffer";
    // Frames are read one after another: a welcome may have to wait for the log.
    let reading = Promise.resolve();
    let alive = true;
    const lost = () => {
      if (!alive) return;
      alive = false;
      clearTimeout(silence);
      socket.close();
      this.#lost(socket);
    };
    let silence = setTimeout(lost, HANDSHAKE_MS);
    const heard = () => {
      clearTimeout(silence);
      silence = setTimeout(() => {
        if (this.#socket === socket && socket.readyState === socket.OPEN) socket.send('{"type":"ping"}');
        silence = setTimeout(lost, PING_MS);
      }, PING_MS);
    };
    socket.onmessage = (event: MessageEvent<string | ArrayBuffer>) => {
      heard();
      reading = reading.then(() => (alive ? this.#receive(socket, event.data) : undefined)).catch(lost);
    };
    socket.onerror = () => {};
    socket.onclose = () => void reading.then(lost);
  }

  #url(): string {
    const query = new URLSearchParams();
    if (this.session !== null) query.set("session", this.session);
    if (this.#cursor !== null) {
      query.set("epoch", this.#cursor.epoch);
      query.set("after", String(this.#cursor.seq));
    }
    return query.size === 0 ? this.options.address : `${this.options.address}?${query}`;
  }

  async #receive(socket: WebSocket, data: string | ArrayBuffer): Promise<void> {
    if (typeof data !== "string") {
      this.options.deliver(decodePreview(data));
      return;
    }
    const message = JSON.parse(data) as ServerMessage;
    const id = "request_id" in message ? message.request_id : undefined;
    const pending = typeof id === "number" ? this.#pending.get(id) : undefined;
    if (message.type === "welcome") {
      await this.#welcome(message);
      this.#attempt = 0;
      this.#socket = socket;
      for (const waiting of this.#opened.splice(0)) waiting.resolve();
    } else if (pending !== undefined && message.type === "pong") {
      this.#pending.delete(id as number);
      if (pending.reply?.type === "error") {
        pending.reject(new Refused(pending.reply.code, pending.reply.message, pending.reply.retryable));
      } else {
        pending.resolve(pending.reply);
      }
    } else if (pending !== undefined) {
      pending.reply = message;
    } else if ("seq" in message) {
      this.#event(message);
    } else if (message.type !== "pong") {
      this.options.deliver(message);
    }
  }

  async #welcome(welcome: { type: "welcome" } & Welcome): Promise<void> {
    if (welcome.protocol !== PROTOCOL) {
      this.#finish(new Error(`the server speaks protocol ${welcome.protocol}, this client ${PROTOCOL}`));
      return;
    }
    this.session = welcome.session_id;
    if (welcome.resumed) return;
    if (this.#cursor?.epoch === welcome.epoch) {
      // Too much was missed for the socket; the log has it.
      for (let more = true; more && this.#cursor.seq < welcome.seq; ) {
        const page = await this.options.log(this.session, this.#cursor.seq);
        more = page.more;
        for (const event of page.events) this.#event(event);
      }
      return;
    }
    this.#cursor = { epoch: welcome.epoch, seq: welcome.seq };
    this.options.deliver(welcome);
  }

  #event(event: SessionEvent): void {
    const cursor = this.#cursor;
    if (cursor === null || event.seq <= cursor.seq) return;
    // Connecting again brings what was left out.
    if (event.seq !== cursor.seq + 1) throw new ConnectionLost("events were left out");
    cursor.seq = event.seq;
    this.options.deliver(event);
  }

  #lost(socket: WebSocket | null): void {
    if (this.#end !== null) return;
    const welcomed = socket !== null && this.#socket === socket;
    this.#socket = null;
    this.#fail(new ConnectionLost("the connection broke before the request was acknowledged"));
    this.#attempt += 1;
    this.reconnects += 1;
    const delay = Math.min(LAST_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(this.#attempt - 1, 10));
    this.#timer = setTimeout(
      async () => {
        // A WebSocket does not tell why it was refused.
        const refusal = welcomed ? null : await this.options.refusal(this.session).catch(() => null);
        if (this.#end !== null) return;
        if (refusal !== null) this.#finish(refusal);
        else await this.#connect();
      },
      delay * (0.5 + Math.random() / 2),
    );
  }

  #fail(error: Error): void {
    for (const pending of this.#pending.values()) pending.reject(error);
    this.#pending.clear();
  }

  #finish(reason: Error): void {
    if (this.#end !== null) return;
    this.#end = reason;
    clearTimeout(this.#timer);
    this.#fail(reason);
    for (const waiting of this.#opened.splice(0)) waiting.reject(reason);
    this.#socket?.close();
    this.#socket = null;
    this.options.ended(reason);
  }
}

function decodePreview(frame: ArrayBuffer): Preview {
  const length = new DataView(frame).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(frame, 4, length))) as PreviewHeader;
  return { header, image: new Uint8Array(frame, 4 + length) };
}
