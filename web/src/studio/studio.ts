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
import type { SessionsApi } from "../connection/api";
import { isViewer, sessionIdFromUrl } from "../connection/session-url";
import { Editor } from "../document/editor";
import { FileOpener } from "../files/file-opener";
import { OwnObjects } from "../library/own-objects";
import { storeDraft, storedDraft } from "../preferences";
import { OwnMaterials } from "../presets/own-materials";
import type { StudioState } from "../store/state";
import { Bookmarks } from "../view/bookmarks";
import { Playback } from "../view/playback";
import { ViewState } from "../view/state";
import { ViewportController } from "../view/viewport-controller";
import { Animations } from "./animations";
import { Conversation } from "./conversation";
import { Downloads } from "./downloads";
import { Goals } from "./goals";
import { Keyframes } from "./keyframes";
import { Pictures } from "./pictures";
import { Presence } from "./presence";
import { SessionNavigation } from "./session-navigation";
import { SessionStore } from "./session-store";
import { TracedView } from "./traced-view";

/** The page's state and everything a user can do with it, by what it is about. */
export class Studio {
  /** Whether other pages embed this one as a viewer. */
  readonly isViewer = isViewer(new URL(location.href));
  /** Whether this is a viewer whose address leads to no session, or no more. */
  readonly viewsNothing: Signal<boolean> = signal(
    this.isViewer && sessionIdFromUrl(new URL(location.href)) === null,
  );
  /** The panel that hangs from a button of the top bar, by that button's test id. */
  readonly popover: Signal<string | null> = signal(null);
  /** Whether the examples of the first page are to be brought into view, once they are there. */
  readonly examplesAsked: Signal<boolean> = signal(false);
  /** Where the menu of what is selected is open, in pixels of the window; null while it is closed. */
  readonly contextMenu: Signal<{ x: number; y: number } | null> = signal(null);
  readonly view = new ViewState();
  readonly ownMaterials = new OwnMaterials(() => localStorage);
  readonly animations: Animations;
  readonly bookmarks: Bookmarks;
  readonly conversation: Conversation;
  readonly downloads: Downloads;
  readonly editor: Editor;
  readonly fileOpener: FileOpener;
  readonly goals: Goals;
  readonly keyframes: Keyframes;
  readonly ownObjects: OwnObjects;
  readonly pictures: Pictures;
  readonly playback: Playback;
  readonly presence: Presence;
  readonly sessions: SessionNavigation;
  readonly traced: TracedView;
  readonly viewport: ViewportController;
  readonly #store: SessionStore;

  /** `base` is the address the page was served from. */
  constructor(base: URL) {
    const store = new SessionStore(base, {
      onMessage: (received) => {
        // A page of others may lead clicks astray: in its frame nothing can be changed, whatever the link allows.
        const message =
          this.isViewer && received.type === "welcome" ? { ...received, access: "view" as const } : received;
        store.dispatch({ type: "message", message, receivedAtMs: Date.now() });
        this.sessions.onMessage(message);
      },
      onPreview: (frame) => this.traced.painter.show(frame),
      onConnection: (connection) => {
        store.dispatch({ type: "connection", connection });
        if (connection.phase === "open") this.traced.request();
      },
      onCaughtUp: () => store.dispatch({ type: "caught_up" }),
      onUnknownSession: (sessionId) => {
        this.traced.painter.clear();
        this.sessions.onUnknownSession(sessionId);
        this.viewsNothing.value = this.isViewer;
        return !this.isViewer;
      },
    });
    this.#store = store;
    this.animations = new Animations(store);
    this.bookmarks = new Bookmarks(store);
    this.conversation = new Conversation(store);
    this.goals = new Goals(store);
    this.downloads = new Downloads(store, this.view.rasterView, () => ({
      scene: this.editor.scene.value,
      hidden: this.view.hidden.value,
      camera: this.view.privateCamera.value,
      bookmarks: this.bookmarks.list.value,
      picture: this.traced.goodPicture,
      aspect: this.view.aspect.value,
    }));
    this.sessions = new SessionNavigation(store, (sessionId) => this.#enterSession(sessionId));
    this.editor = new Editor({
      state: store.state,
      hidden: this.view.hidden,
      locked: this.view.locked,
      cameraView: () => ({ camera: this.viewport.currentCamera(), aspect: this.view.aspect.value }),
      tablePlacer: () => this.viewport.tablePlacer(),
      dispatch: (event) => store.dispatch(event),
      send: (message) => store.send(message),
      nextRequestId: () => store.nextRequestId(),
    });
    this.playback = new Playback({
      scene: this.editor.scene,
      revision: computed(() => {
        const { document, revision } = store.state.value;
        return document.scene.animation === null ? null : revision;
      }),
      load: async () => (store.sessionId === null ? null : store.api.moments(store.sessionId)),
      nextFrame: (callback) => void requestAnimationFrame(callback),
    });
    this.traced = new TracedView(store, this.view, this.playback);
    this.pictures = new Pictures(store, this.view, this.traced.painter, this.playback);
    this.viewport = new ViewportController(this.view, this.editor, this.playback.scene);
    this.keyframes = new Keyframes(this.editor, this.playback, this.view, this.viewport);
    this.presence = new Presence(store, this.editor.selection);
    this.ownObjects = new OwnObjects({
      api: store.api,
      sessionId: () => store.sessionId,
      attempt: (failure, action) => store.attempt(failure, action),
    });
    this.fileOpener = new FileOpener({
      api: store.api,
      editor: this.editor,
      sessionId: () => store.sessionId,
      canEdit: () => store.state.value.access === "edit",
      attach: (files) => this.conversation.attach(files),
      importObject: (file) => this.ownObjects.import(file),
      openSession: (id) => this.sessions.open(id),
      sceneWillChange: () => store.dispatch({ type: "step_sent" }),
      showError: (text) => store.showError(text),
      showNote: (text) => store.showNote(text),
    });
  }

  get state(): ReadonlySignal<StudioState> {
    return this.#store.state;
  }

  get api(): SessionsApi {
    return this.#store.api;
  }

  start(): void {
    this.conversation.draft.value = storedDraft();
    effect(() => storeDraft(this.conversation.draft.value));
    this.traced.start();
    this.presence.start();
    this.playback.start();
    effect(() => {
      if (this.bookmarks.editable.value && !this.isViewer) adoptBookmarks(this.bookmarks);
    });
    const session = computed(() => this.#store.sessionId);
    effect(() => void this.view.savedRenders.enter(session.value));
    effect(() => {
      const entered = session.value;
      untracked(() => {
        this.pictures.enter(entered);
        void this.animations.enter(entered);
      });
    });
    if (!this.viewsNothing.value) this.sessions.start();
  }

  retryConnection(): void {
    this.#store.retryConnection();
  }

  /** Runs an action; true when it succeeded, else the user reads why it did not. */
  attempt(failure: string, action: () => Promise<void>): Promise<boolean> {
    return this.#store.attempt(failure, action);
  }

  undo(): void {
    if (this.state.value.canUndo) this.#store.request({ type: "undo" });
  }

  redo(): void {
    if (this.state.value.canRedo) this.#store.request({ type: "redo" });
  }

  /** Makes the scene what it was at a revision; that is a change like any other, and can be undone. */
  restore(revision: number): void {
    this.#store.request({ type: "restore", revision });
  }

  /** A shape of the shown session as triangles. */
  async shapeMesh(shapeId: string): Promise<ArrayBuffer> {
    const id = this.state.peek().session?.id;
    if (id === undefined) throw new Error("there is no session");
    return this.api.shapeMesh(id, shapeId);
  }

  dismissAnnouncement(): void {
    this.#store.dispatch({ type: "announcement_dismissed" });
  }

  dismissToast(id: number): void {
    this.#store.dispatch({ type: "toast_dismissed", id });
  }

  #enterSession(sessionId: string | null): void {
    batch(() => {
      this.traced.reset();
      this.view.reset();
      this.playback.reset();
      this.fileOpener.reset();
      const wasRendering = [this.pictures.reset(), this.animations.reset()].includes(true);
      this.downloads.cancelWebPage();
      this.conversation.returnUnsent();
      this.#store.dispatch({ type: "session_left" });
      this.#store.open(sessionId);
      if (wasRendering) this.#store.showNote("The render of the session before was canceled.");
    });
  }

  /** Tells one who saves by habit that nothing is lost. */
  saved(): void {
    this.#store.showNote("Everything is saved as you make it. Download makes a file of it.");
  }
}

/** A browser may have its storage switched off. */
function adoptBookmarks(bookmarks: Bookmarks): void {
  try {
    untracked(() => bookmarks.adopt(localStorage));
  } catch {
    // Then it has kept none.
  }
}

const StudioContext = createContext<Studio | null>(null);
export const StudioProvider = StudioContext.Provider;

export function useStudio(): Studio {
  const studio = useContext(StudioContext);
  if (studio === null) throw new Error("a view stands outside of StudioProvider");
  return studio;
}
