import { type ReadonlySignal, signal } from "@preact/signals";
import { workName } from "../chat/work-name";
import { SessionsApi } from "../connection/api";
import { errorMessage } from "../connection/http";
import { SessionSocket, type SocketListener } from "../connection/socket";
import { storedQuality } from "../preferences";
import type { ClientMessage } from "../protocol";
import { initialState, type StudioEvent, type StudioState } from "../store/state";
import { reduce } from "../store/store";

/** What changes the scene without naming what it changes. */
const STEPS: ReadonlySet<string> = new Set(["undo", "redo", "restore", "choose_variant"]);

/** The state of the shown session and the connection that changes it: what all parts of the studio share. */
export class SessionStore {
  readonly api: SessionsApi;
  readonly #state = signal<StudioState>({ ...initialState, quality: storedQuality() });
  readonly #socket: SessionSocket;
  #lastRequest = 0;

  /** `base` is the address the page was served from; `api` and `ws` lie beside it. */
  constructor(base: URL, listener: SocketListener) {
    this.api = new SessionsApi(base);
    const endpoint = new URL("ws", base);
    endpoint.protocol = base.protocol === "https:" ? "wss:" : "ws:";
    this.#socket = new SessionSocket(endpoint.href, listener, {
      connect: (url) => new WebSocket(url),
      sessionIsUnknown: (sessionId) => this.api.isUnknown(sessionId),
      random: Math.random,
      now: Date.now,
    });
  }

  get state(): ReadonlySignal<StudioState> {
    return this.#state;
  }

  /** Null until the first welcome. */
  get sessionId(): string | null {
    return this.#state.value.session?.id ?? null;
  }

  /** What files of it are called after. */
  get workName(): string {
    const { name, chat } = this.#state.value;
    return workName(name, chat);
  }

  dispatch(event: StudioEvent): void {
    this.#state.value = reduce(this.#state.value, event);
  }

  /** Connects to a session, or to a new one when it is null. */
  open(sessionId: string | null): void {
    this.#socket.open(sessionId);
  }

  /** Ends a wait between attempts to connect. */
  retryConnection(): void {
    this.#socket.retryNow();
  }

  /** Sends when connected; false means that nothing was sent. */
  send(message: ClientMessage): boolean {
    const isSent = this.#socket.send(message);
    if (isSent && STEPS.has(message.type)) this.dispatch({ type: "step_sent" });
    return isSent;
  }

  /** Sends with an id of its own; false when there is no connection. */
  request(message: ClientMessage): boolean {
    return this.send({ ...message, request_id: this.nextRequestId() });
  }

  nextRequestId(): string {
    this.#lastRequest += 1;
    return `r${this.#lastRequest}`;
  }

  showError(text: string): void {
    this.dispatch({ type: "toast", text });
  }

  /** Tells what is worth knowing of something that succeeded. */
  showNote(text: string): void {
    this.dispatch({ type: "toast", text, tone: "note" });
  }

  /** Runs an action; true when it succeeded, else the user reads why it did not. */
  async attempt(failure: string, action: () => Promise<void>): Promise<boolean> {
    try {
      await action();
      return true;
    } catch (error) {
      this.showError(`${failure}: ${errorMessage(error)}`);
      return false;
    }
  }
}
