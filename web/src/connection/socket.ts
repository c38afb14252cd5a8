import { type ClientMessage, PROTOCOL, type ServerMessage, type WelcomeMessage } from "../protocol";
import { decodeMessage, decodePreviewFrame, type PreviewFrame } from "../protocol/decode";
import { retryDelayMs } from "./backoff";

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
  /** The server does not know the session; the socket goes on with a new one, unless this returns false. */
  onUnknownSession(sessionId: string): boolean;
}

/** What the socket takes from its surroundings, so that tests can stand in for them. */
export interface SocketEnvironment {
  connect(url: string): WebSocket;
  /** True when the server says that the session does not exist. */
  sessionIsUnknown(sessionId: string): Promise<boolean>;
  random(): number;
  now(): number;
}

/** Where to come back to. Without a place, the server is asked for a fresh welcome. */
interface Cursor {
  sessionId: string;
  position: { epoch: string; seq: number } | null;
}

/** From the first byte of the handshake to the welcome. */
const WELCOME_TIMEOUT_MS = 10_000;
/** Browsers hide protocol pings, so silence over one whole interval after a ping counts as a dead line. */
const PING_INTERVAL_MS = 15_000;
/** The request whose answer follows the missed events. */
const CATCH_UP_REQUEST = "caught_up";

/**
 * One session's connection, which reconnects by itself: after a loss it resumes where it was, and events reach
 * the listener once, in order, without gaps. A gap is answered by asking for a fresh welcome.
 */
export class SessionSocket {
  #socket: WebSocket | null = null;
  #cursor: Cursor | null = null;
  #welcomed = false;
  #receivedSincePing = false;
  #attempt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #pings: ReturnType<typeof setInterval> | undefined;

  /** `address` is the `/ws` endpoint without a query. */
  constructor(
    private readonly address: string,
    private readonly listener: SocketListener,
    private readonly environment: SocketEnvironment,
  ) {}

  /** Connects to `sessionId`, or to a new session when it is null, and leaves whatever was open. */
  open(sessionId: string | null): void {
    this.#cursor = sessionId === null ? null : { sessionId, position: null };
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
    this.#closeSocket();
  }

  #connect(): void {
    this.#closeSocket();
    this.listener.onConnection({ phase: "connecting", attempt: this.#attempt });
    const socket = this.environment.connect(this.#url());
    socket.binaryType = "arraybuffer";
    this.#socket = socket;
    socket.onmessage = (event: MessageEvent<string | ArrayBuffer>) => {
      if (this.#socket === socket) this.#receive(event.data);
    };
    socket.onclose = () => {
      if (this.#socket === socket) void this.#onConnectionLost();
    };
    this.#timer = setTimeout(() => void this.#onConnectionLost(), WELCOME_TIMEOUT_MS);
  }

  #url(): string {
    const query = new URLSearchParams();
    if (this.#cursor !== null) {
      query.set("session", this.#cursor.sessionId);
      if (this.#cursor.position !== null) {
        query.set("epoch", this.#cursor.position.epoch);
        query.set("after", String(this.#cursor.position.seq));
      }
    }
    return query.size === 0 ? this.address : `${this.address}?${query}`;
  }

  #receive(data: string | ArrayBuffer): void {
    this.#receivedSincePing = true;
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
        if (decoded.seq !== null) this.#acceptSeq(decoded.seq);
        return;
      case "message": {
        const { message } = decoded;
        if (message.type === "welcome") this.#onWelcome(message);
        else if (message.type === "pong") this.#onPong(message.request_id);
        else if (!("seq" in message) || this.#acceptSeq(message.seq)) this.listener.onMessage(message);
      }
    }
  }

  #onWelcome(welcome: WelcomeMessage): void {
    if (welcome.protocol !== PROTOCOL) {
      this.#closeSocket();
      this.listener.onConnection({ phase: "incompatible", protocol: welcome.protocol });
      return;
    }
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#attempt = 0;
    this.#welcomed = true;
    this.#cursor = { sessionId: welcome.session_id, position: { epoch: welcome.epoch, seq: welcome.seq } };
    this.#pings = setInterval(() => this.#ping(), PING_INTERVAL_MS);
    this.listener.onMessage(welcome);
    this.listener.onConnection({ phase: "open" });
    if (welcome.resumed) this.send({ type: "ping", request_id: CATCH_UP_REQUEST });
  }

  #onPong(requestId: string | number | undefined): void {
    if (requestId === CATCH_UP_REQUEST) this.listener.onCaughtUp();
  }

  /** Moves the place on by one event; false for an event seen before, and for a gap, which it mends. */
  #acceptSeq(seq: number): boolean {
    const cursor = this.#cursor;
    if (cursor?.position == null || seq <= cursor.position.seq) return false;
    if (seq > cursor.position.seq + 1) {
      cursor.position = null;
      void this.#onConnectionLost();
      return false;
    }
    cursor.position.seq = seq;
    return true;
  }

  #ping(): void {
    if (!this.#receivedSincePing) {
      void this.#onConnectionLost();
      return;
    }
    this.#receivedSincePing = false;
    this.send({ type: "ping" });
  }

  async #onConnectionLost(): Promise<void> {
    const refused = this.#welcomed ? null : this.#cursor;
    this.#closeSocket();
    this.#attempt += 1;
    const delayMs = retryDelayMs(this.#attempt, this.environment.random());
    const retryAtMs = this.environment.now() + delayMs;
    this.#timer = setTimeout(() => this.#connect(), delayMs);
    this.listener.onConnection({ phase: "waiting", attempt: this.#attempt, retryAtMs });
    // A browser does not tell why an upgrade failed: ask whether the session is the reason.
    if (refused === null || !(await this.environment.sessionIsUnknown(refused.sessionId))) return;
    if (this.#cursor !== refused || this.#welcomed) return;
    if (this.listener.onUnknownSession(refused.sessionId)) this.open(null);
    else this.#closeSocket();
  }

  /** Lets go of the socket and of every timer. */
  #closeSocket(): void {
    const socket = this.#socket;
    this.#socket = null;
    this.#welcomed = false;
    this.#receivedSincePing = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    clearInterval(this.#pings);
    socket?.close();
  }
}
