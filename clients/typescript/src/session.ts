import type { Client } from "./client.js";
import type { EditCall, Remember, ServerMessage, Usage, ViewRequest, Welcome } from "./generated/messages.js";
import { Link, type Preview, type SessionEvent } from "./link.js";
import { Queue } from "./queue.js";

/** What the model did for a message. */
export interface Run {
  reason: "completed" | "turn_limit" | "cancelled" | "error";
  answer: string;
  message?: string;
  revision: number;
  calls: number;
  usage?: Usage;
}

/** A session: what one says and does in it, and what comes of it. It goes on after losses of the connection. */
export class Session {
  /** The state when the session was opened: scene, chat, models, limits. */
  welcome!: Welcome;
  /** The newest revision of the scene that is known. */
  revision = 0;
  #link: Link;
  #queues = new Set<Queue<ServerMessage>>();
  #previews = new Set<Queue<Preview>>();
  #changed: Array<() => void> = [];
  #end: Error | null = null;

  /** Use `Client.open` or `Client.create`. */
  constructor(
    private readonly client: Client,
    key: string | null,
  ) {
    this.#link = new Link({
      address: `${client.url.replace(/^http/, "ws")}/ws`,
      session: key,
      connect: (url) => client.connect(url),
      deliver: (message) => this.#deliver(message),
      log: (session, after) => client.events(session, after),
      refusal: (session) => client.refusal(session),
      ended: (reason) => this.#ended(reason),
    });
  }

  async opened(): Promise<this> {
    await this.#link.open();
    return this;
  }

  get id(): string {
    return this.welcome.session_id;
  }

  /** How often the connection was lost. */
  get reconnects(): number {
    return this.#link.reconnects;
  }

  close(): void {
    this.#link.close();
  }

  #ended(reason: Error): void {
    this.#end = reason;
    for (const queue of [...this.#queues, ...this.#previews]) queue.end();
    for (const wake of this.#changed.splice(0)) wake();
  }

  #deliver(message: ServerMessage | Preview): void {
    if ("image" in message) {
      for (const queue of this.#previews) queue.replace(message);
      return;
    }
    if (message.type === "welcome") {
      this.welcome = message;
      this.revision = message.revision;
    }
    if (message.type === "scene_changed") {
      this.revision = message.revision;
      for (const wake of this.#changed.splice(0)) wake();
    }
    for (const queue of this.#queues) queue.push(message);
  }

  /**
   * Every event from this call on, once and in order, and messages without a number (progress). A `welcome` means
   * that the log of the session was cut: its state replaces all that was known.
   */
  events(): AsyncIterableIterator<ServerMessage> {
    const queue = new Queue<ServerMessage>(() => this.#queues.delete(queue));
    this.#queues.add(queue);
    return queue;
  }

  /** Pictures while they are refined; a slow reader gets the newest. */
  previews(): AsyncIterableIterator<Preview> {
    const queue = new Queue<Preview>(() => this.#previews.delete(queue));
    this.#previews.add(queue);
    return queue;
  }

  /** Sends a message to the model; resolves with its id once it is stored. */
  async say(text: string, selection: string[] = []): Promise<string> {
    const said = await this.client.call<{ message_id: string }>("POST", `/api/sessions/${this.id}/messages`, {
      text,
      selection,
    });
    return said.message_id;
  }

  /** Sends a message and waits until the model is done with it. */
  async run(text: string, selection: string[] = []): Promise<Run> {
    const events = this.events();
    const id = await this.say(text, selection);
    const texts = new Map<string, string>();
    let heard = false;
    let calls = 0;
    for await (const event of events) {
      if (event.type === "user_message") heard ||= event.message_id === id;
      else if (!heard) continue;
      else if (event.type === "text_discarded") texts.delete(event.message_id);
      else if (event.type === "tool_started") calls += 1;
      else if (event.type === "text_delta" && !event.thought) {
        texts.set(event.message_id, (texts.get(event.message_id) ?? "") + event.text);
      }
      // A run that ended without reading the message is followed by one that does.
      if (event.type === "run_finished" && heard && !(await this.#isRunning())) {
        const answer = [...texts.values()].filter((text) => text.trim() !== "").join("\n");
        const { reason, message, usage } = event;
        return { reason, answer, message, revision: this.revision, calls, usage };
      }
    }
    throw this.#end ?? new Error("the session has ended");
  }

  async #isRunning(): Promise<boolean> {
    return (await this.client.call<{ running: boolean }>("GET", `/api/sessions/${this.id}`)).running;
  }

  /** Calls tools that change the scene, all or nothing; the newest revision, once the change is stored and seen. */
  edit(calls: EditCall[], baseRevision?: number): Promise<number> {
    return this.#change({ type: "edit", calls, base_revision: baseRevision });
  }

  undo(): Promise<number> {
    return this.#change({ type: "undo" });
  }

  redo(): Promise<number> {
    return this.#change({ type: "redo" });
  }

  restore(revision: number): Promise<number> {
    return this.#change({ type: "restore", revision });
  }

  async #change(message: Parameters<Link["request"]>[0]): Promise<number> {
    const before = this.revision;
    const reply = await this.#link.request(message);
    if (reply?.type === "unchanged") return reply.revision;
    // It is done; its event may be behind the acknowledgement.
    while (this.revision === before && this.#end === null) {
      await new Promise<void>((resolve) => this.#changed.push(resolve));
    }
    if (this.#end !== null) throw this.#end;
    return this.revision;
  }

  /** Stops the model. */
  async cancel(): Promise<void> {
    await this.#link.request({ type: "cancel" });
  }

  async approve(callId: string, allow: boolean, remember?: Remember): Promise<void> {
    await this.#link.request({ type: "approve", call_id: callId, allow, remember });
  }

  async selectModel(model: string): Promise<void> {
    await this.#link.request({ type: "select_model", model });
  }

  /** How previews are made. */
  async view(view: ViewRequest): Promise<void> {
    await this.#link.request({ type: "view", ...view });
  }

  scene(): Promise<Record<string, unknown> & { shapes: Array<{ id: string }> }> {
    return this.client.call("GET", `/api/sessions/${this.id}/scene`);
  }

  /** A picture of the scene: width, height, samples and the other settings of `/render`. */
  render(settings: Record<string, string | number | boolean> = {}, kind = "image/png"): Promise<Uint8Array> {
    const query = new URLSearchParams(Object.entries(settings).map(([name, value]) => [name, String(value)]));
    return this.client.picture("GET", `/api/sessions/${this.id}/render?${query}`, kind);
  }
}

export type { SessionEvent };
