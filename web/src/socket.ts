import { retryDelayMs } from "./backoff";
import { type ClientMessage, PROTOCOL, type ServerMessage, type WelcomeMessage } from "./protocol";
import { decodeMessage, decodePreviewFrame, type PreviewFrame } from "./protocol/decode";

export type ConnectionState =
  /** `attempt` counts the failures since the last welcome. */
  | { phase: "connecting"; attempt: number }
  | { phase: "open" }
  | { phase: "waiting"; attempt: number; retryAtMs: number }
  /** The server speaks another protocol: only loading the page again helps. */
  | { phase: "incompatible"; protocol: number };

export interface SocketListener {
  onMessage(message: ServerMessage): void;
  onPreview(frame: PreviewFrame): void;
  onConnection(state: ConnectionState): void;
  /** After a loss: all events that were missed have been told. */
  onCaughtUp(): void;
  /** The server does not know the session; the socket goes on without one. */
  onUnknownSession(sessionId: string): void;
}

/** What the socket takes from its surroundings, so that tests can stand in for them. */
export interface SocketSurroundings {
  connect(url: string): WebSocket;
  /** True when the server says that the session does not exist. */
  sessionIsUnknown(sessionId: string): Promise<boolean>;
  random(): number;
  now(): number;
}

/** Where to come back to. Without a place, the server is asked for a fresh welcome. */
interface Cursor {
  sessionId: string;
  place: { epoch: string; seq: number } | null;
}

/** From the first byte of the handshake to the welcome. */
const WELCOME_TIMEOUT_MS = 10_000;
/** Browsers hide protocol pings, so silence over one whole interval after a ping counts as a dead line. */
const PING_INTERVAL_MS = 15_000;
/** The request whose answer follows the missed events. */
const CATCH_UP_REQUEST = "caught_up";

/**
 * One session's connection that comes back by itself: after a loss it resumes where it was, and events reach
 * the listener once, in order, without gaps. A gap is answered by asking for a fresh welcome.
 */
export class SessionSocket {
  #socket: WebSocket | null = null;
  #cursor: Cursor | null = null;
  #welcomed = false;
  #heard = false;
  #attempt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #pings: ReturnType<typeof setInterval> | undefined;

  /** `address` is the `/ws` endpoint without a query. */
  constructor(
    private readonly address: string,
    private readonly listener: SocketListener,
    private readonly surroundings: SocketSurroundings,
  ) {}

  /** Connects to `sessionId`, or to a new session when it is null, and leaves whatever was open. */
  open(sessionId: string | null): void {
    this.#cursor = sessionId === null ? null : { sessionId, place: null };
    this.#attempt = 0;
    this.#connect();
  }

  /** Sends when connected; false means that nothing was sent. */
  send(message: ClientMessage): boolean {
    const socket = this.#socket;
    if (!this.#welcomed || socket === null || socket.readyState !== socket.OPEN) return false;
    socket.send(JSON.stringify(message));
    return true;
  }

  /** Ends a wait between attempts; without one it does nothing. */
  retryNow(): void {
    if (this.#socket === null && this.#timer !== undefined) this.#connect();
  }

  close(): void {
    this.#abandon();
  }

  #connect(): void {
    this.#abandon();
    this.listener.onConnection({ phase: "connecting", attempt: this.#attempt });
    const socket = this.surroundings.connect(this.#url());
    socket.binaryType = "arraybuffer";
    this.#socket = socket;
    socket.onmessage = (event: MessageEvent<string | ArrayBuffer>) => {
      if (this.#socket === socket) this.#receive(event.data);
    };
    socket.onclose = () => {
      if (this.#socket === socket) void this.#lost();
    };
    this.#timer = setTimeout(() => void this.#lost(), WELCOME_TIMEOUT_MS);
  }

  #url(): string {
    const query = new URLSearchParams();
    if (this.#cursor !== null) {
      query.set("session", this.#cursor.sessionId);
      if (this.#cursor.place !== null) {
        query.set("epoch", this.#cursor.place.epoch);
        query.set("after", String(this.#cursor.place.seq));
      }
    }
    return query.size === 0 ? this.address : `${this.address}?${query}`;
  }

  #receive(data: string | ArrayBuffer): void {
    this.#heard = true;
    if (typeof data !== "string") {
      const frame = decodePreviewFrame(data);
      if (frame !== null && this.#welcomed) this.listener.onPreview(frame);
      return;
    }
    const decoded = decodeMessage(data);
    switch (decoded.kind) {
      case "malformed":
        return;
      case "unknown":
        if (decoded.seq !== null) this.#isNext(decoded.seq);
        return;
      case "message": {
        const { message } = decoded;
        if (message.type === "welcome") this.#enter(message);
        else if (message.type === "pong") this.#answered(message.request_id);
        else if (!("seq" in message) || this.#isNext(message.seq)) this.listener.onMessage(message);
      }
    }
  }

  #enter(welcome: WelcomeMessage): void {
    if (welcome.protocol !== PROTOCOL) {
      this.#abandon();
      this.listener.onConnection({ phase: "incompatible", protocol: welcome.protocol });
      return;
    }
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#attempt = 0;
    this.#welcomed = true;
    this.#cursor = { sessionId: welcome.session_id, place: { epoch: welcome.epoch, seq: welcome.seq } };
    this.#pings = setInterval(() => this.#ping(), PING_INTERVAL_MS);
    this.listener.onMessage(welcome);
    this.listener.onConnection({ phase: "open" });
    if (welcome.resumed) this.send({ type: "ping", request_id: CATCH_UP_REQUEST });
  }

  #answered(requestId: string | number | undefined): void {
    if (requestId === CATCH_UP_REQUEST) this.listener.onCaughtUp();
  }

  /** Moves the place on by one event; false for an event seen before, and for a gap, which it mends. */
  #isNext(seq: number): boolean {
    const cursor = this.#cursor;
    if (cursor?.place == null || seq <= cursor.place.seq) return false;
    if (seq > cursor.place.seq + 1) {
      cursor.place = null;
      void this.#lost();
      return false;
    }
    cursor.place.seq = seq;
    return true;
  }

  #ping(): void {
    if (!this.#heard) {
      void this.#lost();
      return;
    }
    this.#heard = false;
    this.send({ type: "ping" });
  }

  async #lost(): Promise<void> {
    const refused = this.#welcomed ? null : this.#cursor;
    this.#abandon();
    this.#attempt += 1;
    const delayMs = retryDelayMs(this.#attempt, this.surroundings.random());
    const retryAtMs = this.surroundings.now() + delayMs;
    this.#timer = setTimeout(() => this.#connect(), delayMs);
    this.listener.onConnection({ phase: "waiting", attempt: this.#attempt, retryAtMs });
    // A browser does not tell why an upgrade failed: ask whether the session is the reason.
    if (refused === null || !(await this.surroundings.sessionIsUnknown(refused.sessionId))) return;
    if (this.#cursor !== refused || this.#welcomed) return;
    this.listener.onUnknownSession(refused.sessionId);
    this.open(null);
  }

  /** Lets go of the socket and of every timer. */
  #abandon(): void {
    const socket = this.#socket;
    this.#socket = null;
    this.#welcomed = false;
    this.#heard = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    clearInterval(this.#pings);
    socket?.close();
  }
}
