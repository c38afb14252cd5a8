import {
  batch,
  computed,
  effect,
  type ReadonlySignal,
  type Signal,
  signal,
  untracked,
} from "@preact/signals";
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { type PictureFormat, type PictureSize, reasonOf, type SceneFormat, SessionsApi } from "./api";
import { type Attachment, Attachments, attachmentOf, onTheWire } from "./attachments";
import { Editor } from "./document/editor";
import type { Properties } from "./document/scene";
import { saveFile } from "./files";
import { Intake } from "./intake";
import { type ModelSettings, takenBy } from "./model-settings";
import { storedQuality, storeQuality } from "./preferences";
import { PreviewPainter } from "./preview";
import type { ClientMessage, Quality, Remember, ServerMessage, UserEntry } from "./protocol";
import type { ModelFormat } from "./raster/models";
import { sessionOf, withSession } from "./session-url";
import { SessionSocket } from "./socket";
import { initialState, type OutgoingMessage, reduce, type StudioEvent, type StudioState } from "./store";
import { Bookmarks } from "./view/bookmarks";
import { Follower } from "./view/follower";
import { Looks } from "./view/looks";
import type { ViewMode } from "./view/modes";
import { ViewState } from "./view/state";
import { Viewer } from "./view/viewer";

/** Preview sizes, 4:3 like the picture that is downloaded. */
const PREVIEW_SIZE: Record<Quality, { width: number; height: number }> = {
  draft: { width: 400, height: 300 },
  preview: { width: 640, height: 480 },
  final: { width: 960, height: 720 },
};

/** Of a picture to keep, 4:3 like the previews. */
const USUAL_SIZE: PictureSize = { width: 800, height: 600, samples: 64 };

/** What a message is said about. */
interface MessageContext {
  /** The message it says in another way. */
  replaces?: string;
  /** Ids of selected objects. */
  selection?: readonly string[];
  images?: readonly Attachment[];
}

/** The page's state and everything a person can do with it. */
export class Studio {
  readonly #state = signal<StudioState>({ ...initialState, quality: storedQuality() });
  readonly painter = new PreviewPainter((header) => {
    this.view.aspect.value = header.width / header.height;
    this.#dispatch({ type: "preview_shown", header });
  });
  /** The panel that hangs from a button of the top bar, by that button's test id. */
  readonly popover: Signal<string | null> = signal(null);
  /** Whether a picture is being rendered for the person to keep. */
  readonly rendering: Signal<boolean> = signal(false);
  /** What the person is writing; it outlives sessions and connections. */
  readonly draft: Signal<string> = signal("");
  /** The pictures that go with it. */
  readonly attachments = new Attachments((text) => this.#dispatch({ type: "fault", text }));
  readonly api: SessionsApi;
  readonly editor: Editor;
  readonly intake: Intake;
  readonly view = new ViewState();
  readonly viewer: Viewer;
  readonly bookmarks = new Bookmarks(() => localStorage);
  /** The look of the picture that is shown: null is the scene's camera, undefined one that nobody knows. */
  readonly shownLook: ReadonlySignal<Properties | null | undefined>;
  readonly #looks = new Looks();
  readonly #follower = new Follower(() => this.#sendView());
  readonly #socket: SessionSocket;
  /** The session this page itself is deleting. */
  #deleting: string | null = null;
  #lastRequest = 0;

  /** `base` is the address the page was served from; `api` and `ws` lie beside it. */
  constructor(base: URL) {
    this.api = new SessionsApi(base);
    this.editor = new Editor({
      state: this.#state,
      hidden: this.view.hidden,
      sight: () => ({ camera: this.viewer.currentCamera(), aspect: this.view.aspect.value }),
      dispatch: (event) => this.#dispatch(event),
      send: (message) => this.#socket.send(message),
      nextRequestId: () => this.#nextRequestId(),
    });
    this.intake = new Intake({
      api: this.api,
      editor: this.editor,
      sessionId: () => this.#state.value.session?.id ?? null,
      mayEdit: () => this.#state.value.access === "edit",
      attach: (files) => this.attach(files),
      openSession: (id) => this.openSession(id),
      tell: (text) => this.#dispatch({ type: "fault", text }),
    });
    this.shownLook = computed(() => this.#looks.of(this.#state.value.shown?.view));
    this.viewer = new Viewer(this.view, this.editor);
    const endpoint = new URL("ws", base);
    endpoint.protocol = base.protocol === "https:" ? "wss:" : "ws:";
    this.#socket = new SessionSocket(
      endpoint.href,
      {
        onMessage: (message) => {
          this.#dispatch({ type: "message", message, receivedAtMs: Date.now() });
          if (message.type === "welcome") this.#showSession(message.session_id);
          if (mayPartBranches(message)) void this.#learnBranches();
        },
        onPreview: (frame) => this.painter.show(frame),
        onConnection: (connection) => {
          this.#dispatch({ type: "connection", connection });
          if (connection.phase === "open") this.#sendView();
        },
        onCaughtUp: () => this.#dispatch({ type: "caught_up" }),
        onUnknownSession: (sessionId) => {
          this.painter.clear();
          this.#dispatch({ type: sessionId === this.#deleting ? "session_left" : "unknown_session" });
        },
      },
      {
        connect: (url) => new WebSocket(url),
        sessionIsUnknown: (sessionId) => this.api.isUnknown(sessionId),
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
    effect(() => this.#followLook(this.view.look.value, this.view.shownMode.value));
    // Whatever hides something: the traced picture follows.
    effect(() => {
      this.view.hidden.value;
      untracked(() => this.#sendView());
    });
    effect(() => this.bookmarks.enter(this.#state.value.session?.id ?? null));
    this.#socket.open(sessionOf(new URL(location.href)));
    window.addEventListener("online", () => this.retryConnection());
    window.addEventListener("popstate", () => {
      const sessionId = sessionOf(new URL(location.href));
      if (sessionId !== (this.#state.value.session?.id ?? null)) this.#enterSession(sessionId);
    });
  }

  retryConnection(): void {
    this.#socket.retryNow();
  }

  /** Goes to a session, or to a new, empty one; the one before stays behind the browser's Back. */
  openSession(sessionId: string | null): void {
    history.pushState(null, "", withSession(new URL(location.href), sessionId));
    this.#enterSession(sessionId);
  }

  /** Sends what the person wrote; false when there is no connection, and nothing was sent. */
  sendMessage(text: string, { replaces, selection = [], images = [] }: MessageContext = {}): boolean {
    const requestId = this.#nextRequestId();
    const message = {
      text,
      ...(replaces !== undefined && { replaces }),
      ...(selection.length > 0 && { selection: [...selection] }),
    };
    const sent = this.#socket.send({
      type: "user_message",
      request_id: requestId,
      ...message,
      ...(images.length > 0 && { images: onTheWire(images) }),
    });
    if (!sent) return false;
    this.#dispatch({ type: "message_sent", requestId, ...message, ...(images.length > 0 && { images }) });
    return true;
  }

  /** The pictures of a message as they were sent, to be sent again. */
  async imagesOf({ message_id, images = [] }: UserEntry): Promise<readonly Attachment[]> {
    const id = this.#state.value.session?.id;
    const found: Attachment[] = [];
    if (id === undefined) return found;
    await this.attempt("The message's pictures could not be fetched", async () => {
      for (const index of images.keys()) {
        found.push(await attachmentOf(await this.api.image(id, message_id, index), `Picture ${index + 1}`));
      }
    });
    return found;
  }

  /** Takes pictures into the message that is being written. */
  attach(files: readonly File[]): void {
    void this.attachments.add(files, this.#state.value.limits.max_images);
  }

  resend(message: OutgoingMessage): void {
    if (this.sendMessage(message.text, message)) this.dropOutgoing(message.requestId);
  }

  /** Gives a text and its pictures back into the composer, below what is there. */
  backToDraft(text: string, images: readonly Attachment[] = []): void {
    this.draft.value = this.draft.value === "" ? text : `${this.draft.value}\n${text}`;
    this.attachments.putBack(images);
  }

  dropOutgoing(requestId: string): void {
    this.#dispatch({ type: "outgoing_dropped", requestId });
  }

  stop(): void {
    this.#request({ type: "cancel" });
  }

  /** Allows a tool call that waits for it, and further ones of its tool where it is remembered; or refuses it. */
  approve(call_id: string, allow: boolean, remember?: Remember): void {
    this.#request({ type: "approve", call_id, allow, ...(remember && { remember }) });
  }

  undo(): void {
    if (this.#state.value.canUndo) this.#request({ type: "undo" });
  }

  redo(): void {
    if (this.#state.value.canRedo) this.#request({ type: "redo" });
  }

  /** Makes the scene what it was at a revision; that is a change like any other, and can be undone. */
  restore(revision: number): void {
    this.#request({ type: "restore", revision });
  }

  selectBranch(branch: number): void {
    this.#request({ type: "select_branch", branch });
  }

  /** Without `wanted`, as much of the settings stays as the model takes. */
  selectModel(model: string, wanted?: ModelSettings): void {
    const requestId = this.#nextRequestId();
    const { models, modelSettings } = this.#state.value;
    const chosen = models.find(({ id }) => id === model);
    const settings = wanted ?? takenBy(chosen, modelSettings);
    if (this.#socket.send({ type: "select_model", model, ...settings, request_id: requestId })) {
      this.#dispatch({ type: "model_chosen", requestId, model, settings });
    }
  }

  /** Asks for the list of models, in which those of a new key and of this machine have come. */
  async listModels(): Promise<void> {
    const models = await this.api.models().catch(() => null);
    if (models !== null) this.#dispatch({ type: "models_listed", models });
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

  /** Fetches a file of a session, the shown one if none is named, and hands it to the person. */
  async download(
    path: "scene" | "export",
    name: string,
    sessionId = this.#state.value.session?.id,
  ): Promise<void> {
    if (sessionId === undefined) return;
    await this.attempt(`${name} could not be downloaded`, async () => {
      saveFile(await this.api.file(sessionId, path), name);
    });
  }

  /** Keeps the traced picture, and shows it left of the wipe's line. */
  async keepPicture(): Promise<void> {
    const { session, shown } = this.#state.value;
    const image = await this.painter.copy();
    // While it was copied, another session may have been opened.
    if (image === null || shown === null || this.#state.value.session?.id !== session?.id) return;
    this.view.kept.keep(image, `Revision ${shown.revision}, ${shown.samples} samples`);
    this.view.setMode("wipe");
  }

  /** Hands the scene to the person as a file of another program, and tells what that has no place for. */
  async downloadScene(format: SceneFormat): Promise<void> {
    const id = this.#state.value.session?.id;
    if (id === undefined) return;
    await this.attempt(`The scene could not be written as ${format.toUpperCase()}`, async () => {
      const { content, name, notes } = await this.api.exportScene(id, format);
      saveFile(content, name);
      for (const note of notes) this.#dispatch({ type: "fault", text: `${name}: ${note}.` });
    });
  }

  /** Hands what this page draws to the person as a file. */
  async downloadModel(format: ModelFormat): Promise<void> {
    const name = format.toUpperCase();
    await this.attempt(`The scene could not be written as ${name}`, async () => {
      const stage = this.view.stage.value;
      if (stage === null) throw new Error("The view that it is made of is not there.");
      saveFile(await stage.writtenAs(format), `scene.${format}`);
    });
  }

  /** Has the scene rendered, and hands the picture to the person. */
  async downloadPicture(format: PictureFormat, size: PictureSize = USUAL_SIZE): Promise<void> {
    const id = this.#state.value.session?.id;
    if (id === undefined || this.rendering.value) return;
    this.rendering.value = true;
    await this.attempt("The picture could not be rendered", async () => {
      saveFile(await this.api.picture(id, format, size), `scene.${format}`);
    });
    this.rendering.value = false;
  }

  /** Does something with sessions; true when it was done, else the person reads why not. */
  async attempt(trouble: string, action: () => Promise<void>): Promise<boolean> {
    try {
      await action();
      return true;
    } catch (error) {
      this.#dispatch({ type: "fault", text: `${trouble}: ${reasonOf(error)}` });
      return false;
    }
  }

  /** A shape of the shown session as triangles, once the server has all that this page has done to it. */
  async triangles(shapeId: string): Promise<ArrayBuffer> {
    await this.editor.settled();
    const id = this.#state.peek().session?.id;
    if (id === undefined) throw new Error("there is no session");
    return this.api.triangles(id, shapeId);
  }

  /** Deletes a session for good; the shown one makes room for a new one. */
  async deleteSession(sessionId: string): Promise<boolean> {
    this.#deleting = sessionId;
    const deleted = await this.attempt("The session could not be deleted", () => this.api.remove(sessionId));
    if (!deleted) this.#deleting = null;
    else if (this.#state.value.session?.id === sessionId) this.#enterSession(null);
    return deleted;
  }

  announcementSeen(): void {
    this.#dispatch({ type: "announcement_seen" });
  }

  faultSeen(id: number): void {
    this.#dispatch({ type: "fault_seen", id });
  }

  #enterSession(sessionId: string | null): void {
    batch(() => {
      this.painter.clear();
      this.#looks.clear();
      this.view.leave();
      this.intake.leave();
      // What did not get there is not lost with the session it was for.
      for (const { status, text, images } of this.#state.value.outgoing) {
        if (status !== "sending") this.backToDraft(text, images);
      }
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

  /** What this page wants to see; the server forgets it with the connection. Behind a raster nothing is traced. */
  #sendView(): void {
    const { quality, paused } = this.#state.value;
    const { look, shownMode, hidden } = this.view;
    const requestId = this.#nextRequestId();
    this.#looks.name(requestId, look.peek());
    this.#socket.send({
      type: "view",
      request_id: requestId,
      quality,
      ...PREVIEW_SIZE[quality],
      paused: paused || shownMode.peek() === "raster",
      camera: look.peek(),
      hidden: [...hidden.peek()],
    });
  }

  /** Pictures of the way are for those who see them: a raster that covers them shows the way itself. */
  #followLook(_look: Properties | null, mode: ViewMode): void {
    const covered = mode === "raster" || (mode === "traced" && this.view.raster.peek().phase === "ready");
    untracked(() => this.#follower.moved(!covered));
  }

  /** Puts the session into the fragment of the address, where no server log finds it. */
  #showSession(sessionId: string): void {
    const shown = withSession(new URL(location.href), sessionId);
    if (shown.href !== location.href) history.replaceState(null, "", shown);
  }

  /** Asks where the branches part; without an answer there is no switch, which harms nothing else. */
  async #learnBranches(): Promise<void> {
    const { session, branches } = this.#state.value;
    if (session === null || branches < 2) return;
    const { id } = session;
    const list = await this.api.branches(id).catch(() => []);
    this.#dispatch({ type: "branches_known", sessionId: id, branches: list });
  }

  #nextRequestId(): string {
    this.#lastRequest += 1;
    return `r${this.#lastRequest}`;
  }
}

/** Whether branches may have come, or the first message of one, by which it is known. */
function mayPartBranches(message: ServerMessage): boolean {
  return message.type === "welcome" || message.type === "branch_selected" || message.type === "user_message";
}

const StudioContext = createContext<Studio | null>(null);
export const StudioProvider = StudioContext.Provider;

export function useStudio(): Studio {
  const studio = useContext(StudioContext);
  if (studio === null) throw new Error("a view stands outside of StudioProvider");
  return studio;
}
