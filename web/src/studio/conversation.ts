import { effect, type Signal, signal } from "@preact/signals";
import { type Attachment, Attachments, createAttachment, toWireFormat } from "../chat/attachments";
import { type ModelSettings, supportedSettings } from "../chat/model-settings";
import type { Remember, UserEntry } from "../protocol";
import type { OutgoingMessage, StudioState } from "../store/state";
import type { SessionStore } from "./session-store";

/** What a message is said about. */
interface MessageContext {
  /** The message it says in another way. */
  replaces?: string;
  /** Ids of selected objects. */
  selection?: readonly string[];
  images?: readonly Attachment[];
}

/** Messages to the model, the model itself and what it may do. */
export class Conversation {
  /** The message that is being written; it outlives sessions and connections. */
  readonly draft: Signal<string> = signal("");
  /** The pictures that go with it. */
  readonly attachments: Attachments;

  /** Messages to a session that wait for the answers before them. */
  #waiting: { sessionId: string | null; texts: readonly string[] } | null = null;

  constructor(private readonly store: SessionStore) {
    this.attachments = new Attachments((text) => store.showError(text));
    effect(() => this.#sendNext(store.state.value));
  }

  /** Sends messages, each once the one before is answered, so that each answer stands below its own. */
  sendInTurn(texts: readonly string[]): void {
    this.#waiting = { sessionId: this.store.sessionId, texts };
    this.#sendNext(this.store.state.value);
  }

  /** What waits is dropped with its session, and when the message before was not sent or ended with an error. */
  #sendNext({ session, running, outgoing, chat }: StudioState): void {
    if (this.#waiting === null) return;
    const { sessionId, texts } = this.#waiting;
    const [text, ...rest] = texts;
    const last = chat.at(-1);
    const failed =
      outgoing.some(({ status }) => status !== "sending") ||
      (last?.kind === "notice" && last.is_error === true);
    if (text === undefined || session?.id !== sessionId || failed) {
      this.#waiting = null;
    } else if (!running && outgoing.length === 0) {
      this.#waiting = { sessionId, texts: rest };
      if (!this.send(text)) this.#waiting = null;
    }
  }

  /** Sends a message; false when there is no connection, and nothing was sent. */
  send(text: string, { replaces, selection = [], images = [] }: MessageContext = {}): boolean {
    const requestId = this.store.nextRequestId();
    const message = {
      text,
      ...(replaces !== undefined && { replaces }),
      ...(selection.length > 0 && { selection: [...selection] }),
    };
    const sent = this.store.send({
      type: "user_message",
      request_id: requestId,
      ...message,
      ...(images.length > 0 && { images: toWireFormat(images) }),
    });
    if (!sent) return false;
    this.store.dispatch({
      type: "message_sent",
      requestId,
      ...message,
      ...(images.length > 0 && { images }),
    });
    return true;
  }

  /** Takes pictures into the message that is being written. */
  attach(files: readonly File[]): void {
    void this.attachments.add(files, this.store.state.value.limits.max_images);
  }

  /** The pictures of a message as they were sent, to be sent again. */
  async imagesOf({ message_id, images = [] }: UserEntry): Promise<readonly Attachment[]> {
    const { api, sessionId } = this.store;
    const found: Attachment[] = [];
    if (sessionId === null) return found;
    await this.store.attempt("The message's images could not be loaded", async () => {
      for (const index of images.keys()) {
        const image = await api.image(sessionId, message_id, index);
        found.push(await createAttachment(image, `Image ${index + 1}`));
      }
    });
    return found;
  }

  resend(message: OutgoingMessage): void {
    if (this.send(message.text, message)) this.dropOutgoing(message.requestId);
  }

  /** Gives a text and its pictures back into the composer, below what is there. */
  returnToDraft(text: string, images: readonly Attachment[] = []): void {
    this.draft.value = this.draft.value === "" ? text : `${this.draft.value}\n${text}`;
    this.attachments.putBack(images);
  }

  /** Gives back what did not reach the session that is being left. */
  returnUnsent(): void {
    for (const { status, text, images } of this.store.state.value.outgoing) {
      if (status !== "sending") this.returnToDraft(text, images);
    }
  }

  dropOutgoing(requestId: string): void {
    this.store.dispatch({ type: "outgoing_dropped", requestId });
  }

  /** Ends the answer, and drops the messages that wait for it. */
  stop(): void {
    this.#waiting = null;
    this.store.request({ type: "cancel" });
  }

  /** Approves a waiting tool call, and further ones of its tool where it is remembered; or refuses it. */
  approve(call_id: string, allow: boolean, remember?: Remember): void {
    this.store.request({ type: "approve", call_id, allow, ...(remember && { remember }) });
  }

  selectBranch(branch: number): void {
    this.store.request({ type: "select_branch", branch });
  }

  /** Without `wanted`, the present settings are kept as far as the model supports them. */
  selectModel(model: string, wanted?: ModelSettings): void {
    const requestId = this.store.nextRequestId();
    const { models, modelSettings } = this.store.state.value;
    const chosen = models.find(({ id }) => id === model);
    const settings = wanted ?? supportedSettings(chosen, modelSettings);
    if (this.store.send({ type: "select_model", model, ...settings, request_id: requestId })) {
      this.store.dispatch({ type: "model_chosen", requestId, model, settings });
    }
  }

  /** Loads the list of models again: a new key, or a program on this machine, may have brought some. */
  async refreshModels(): Promise<void> {
    const models = await this.store.api.server.models().catch(() => null);
    if (models !== null) this.store.dispatch({ type: "models_listed", models });
  }
}
