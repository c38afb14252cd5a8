import { batch, type ReadonlySignal, signal } from "@preact/signals";
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { storedQuality, storeQuality } from "./preferences";
import { PreviewPainter } from "./preview";
import type { ClientMessage, Quality } from "./protocol";
import { sessionOf, withSession } from "./session-url";
import { SessionSocket } from "./socket";
import { initialState, reduce, type StudioEvent, type StudioState } from "./store";

/** Preview sizes, 4:3 like the picture that is downloaded. */
const PREVIEW_SIZE: Record<Quality, { width: number; height: number }> = {
  draft: { width: 400, height: 300 },
  preview: { width: 640, height: 480 },
  final: { width: 960, height: 720 },
};

/** The page's state and everything a person can do with it. */
export class Studio {
  readonly #state = signal<StudioState>({ ...initialState, quality: storedQuality() });
  readonly painter = new PreviewPainter((header) => this.#dispatch({ type: "preview_shown", header }));
  readonly #socket: SessionSocket;
  #lastRequest = 0;

  /** `base` is the address the page was served from; `api` and `ws` lie beside it. */
  constructor(private readonly base: URL) {
    const endpoint = new URL("ws", base);
    endpoint.protocol = base.protocol === "https:" ? "wss:" : "ws:";
    this.#socket = new SessionSocket(
      endpoint.href,
      {
        onMessage: (message) => {
          this.#dispatch({ type: "message", message, receivedAtMs: Date.now() });
          if (message.type === "welcome") this.#showSession(message.session_id);
        },
        onPreview: (frame) => this.painter.show(frame),
        onConnection: (connection) => {
          this.#dispatch({ type: "connection", connection });
          if (connection.phase === "open") this.#sendView();
        },
        onCaughtUp: () => this.#dispatch({ type: "caught_up" }),
        onUnknownSession: () => {
          this.painter.clear();
          this.#dispatch({ type: "unknown_session" });
        },
      },
      {
        connect: (url) => new WebSocket(url),
        sessionIsUnknown: (sessionId) => this.#sessionIsUnknown(sessionId),
        random: Math.random,
        now: Date.now,
      },
    );
  }

  get state(): ReadonlySignal<StudioState> {
    return this.#state;
  }

  /** Connects to the session the address names and follows the address from then on. */
  start(): void {
    this.#socket.open(sessionOf(new URL(location.href)));
    window.addEventListener("online", () => this.retryConnection());
    window.addEventListener("popstate", () => {
      const sessionId = sessionOf(new URL(location.href));
      if (sessionId !== (this.#state.value.session?.id ?? null)) this.#openSession(sessionId);
    });
  }

  retryConnection(): void {
    this.#socket.retryNow();
  }

  /** A new, empty session; the old one stays behind the browser's Back. */
  startNewSession(): void {
    history.pushState(null, "", withSession(new URL(location.href), null));
    this.#openSession(null);
  }

  /** Sends what the person wrote; false when there is no connection, and nothing was sent. */
  sendMessage(text: string): boolean {
    const requestId = this.#nextRequestId();
    if (!this.#socket.send({ type: "user_message", text, request_id: requestId })) return false;
    this.#dispatch({ type: "message_sent", requestId, text });
    return true;
  }

  resend(requestId: string, text: string): void {
    if (this.sendMessage(text)) this.dropOutgoing(requestId);
  }

  dropOutgoing(requestId: string): void {
    this.#dispatch({ type: "outgoing_dropped", requestId });
  }

  stop(): void {
    this.#request({ type: "cancel" });
  }

  undo(): void {
    if (this.#state.value.canUndo) this.#request({ type: "undo" });
  }

  redo(): void {
    if (this.#state.value.canRedo) this.#request({ type: "redo" });
  }

  selectModel(model: string): void {
    const requestId = this.#nextRequestId();
    if (this.#socket.send({ type: "select_model", model, request_id: requestId })) {
      this.#dispatch({ type: "model_chosen", requestId, model });
    }
  }

  setQuality(quality: Quality): void {
    storeQuality(quality);
    this.#dispatch({ type: "view_chosen", quality, paused: this.#state.value.paused });
    this.#sendView();
  }

  setPaused(paused: boolean): void {
    this.#dispatch({ type: "view_chosen", quality: this.#state.value.quality, paused });
    this.#sendView();
  }

  /** Fetches a file of the session and hands it to the person. */
  async download(path: "scene" | "render?width=800&height=600&samples=64", name: string): Promise<void> {
    const session = this.#state.value.session;
    if (session === null) return;
    try {
      const response = await fetch(this.#sessionAddress(session.id, `/${path}`));
      if (!response.ok) throw new Error(await problemDetail(response));
      saveFile(await response.blob(), name);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#dispatch({ type: "fault", text: `${name} could not be downloaded: ${reason}` });
    }
  }

  announcementSeen(): void {
    this.#dispatch({ type: "announcement_seen" });
  }

  faultSeen(id: number): void {
    this.#dispatch({ type: "fault_seen", id });
  }

  #openSession(sessionId: string | null): void {
    batch(() => {
      this.painter.clear();
      this.#dispatch({ type: "session_left" });
      this.#socket.open(sessionId);
    });
  }

  #dispatch(event: StudioEvent): void {
    this.#state.value = reduce(this.#state.value, event);
  }

  #request(message: ClientMessage): void {
    this.#socket.send({ ...message, request_id: this.#nextRequestId() });
  }

  /** What this page wants to see; the server forgets it with the connection. */
  #sendView(): void {
    const { quality, paused } = this.#state.value;
    this.#request({ type: "view", quality, ...PREVIEW_SIZE[quality], paused });
  }

  #showSession(sessionId: string): void {
    const address = new URL(location.href);
    if (sessionOf(address) !== sessionId) history.replaceState(null, "", withSession(address, sessionId));
  }

  async #sessionIsUnknown(sessionId: string): Promise<boolean> {
    try {
      return (await fetch(this.#sessionAddress(sessionId, ""))).status === 404;
    } catch {
      return false;
    }
  }

  #sessionAddress(sessionId: string, rest: string): URL {
    return new URL(`api/sessions/${encodeURIComponent(sessionId)}${rest}`, this.base);
  }

  #nextRequestId(): string {
    this.#lastRequest += 1;
    return `r${this.#lastRequest}`;
  }
}

/** The `detail` of a problem document, else the status. */
async function problemDetail(response: Response): Promise<string> {
  try {
    const problem: unknown = await response.json();
    if (typeof problem === "object" && problem !== null && "detail" in problem) return String(problem.detail);
  } catch {
    // Not every error carries a document.
  }
  return `the server answered ${response.status}`;
}

function saveFile(content: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // The download has taken its hold by the next task.
  setTimeout(() => URL.revokeObjectURL(link.href), 0);
}

const StudioContext = createContext<Studio | null>(null);
export const StudioProvider = StudioContext.Provider;

export function useStudio(): Studio {
  const studio = useContext(StudioContext);
  if (studio === null) throw new Error("a view stands outside of StudioProvider");
  return studio;
}
