import { usageWith } from "../../src/chat/usage";
import type {
  ApprovalRequest,
  Bookmark,
  ChatEntry,
  Goal,
  RunFinishedReason,
  ServerMessage,
  SessionEvent,
  Usage,
  WelcomeMessage,
} from "../../src/protocol";
import { unreachable } from "../../src/unreachable";
import { FakeScene } from "./fake-scene";
import { type Unnumbered, WELCOME } from "./store-events";

type EventType = SessionEvent["type"];
type DirectType = Exclude<ServerMessage["type"], EventType | "welcome">;
type Event<T extends EventType> = Unnumbered<Extract<SessionEvent, { type: T }>>;

const GOAL: Goal = {
  id: "g1",
  objective: "a room",
  status: "active",
  criteria: [],
  tasks: [],
  budget: {},
  used: { turns: 0, tokens: 0, seconds: 0, tool_calls: 0 },
  may_ask: true,
  verify: "pictures",
};
const USAGE: Usage = { input_tokens: 100, output_tokens: 7, context_tokens: 107 };

/** What a run says at its end. */
const ENDS: Record<RunFinishedReason, { message?: string }> = {
  completed: {},
  cancelled: {},
  turn_limit: { message: "The limit of turns is reached." },
  error: { message: "The service said no." },
};

/**
 * A session of the server that does whatever is legal, at random: it tells its events, and what it would say to
 * somebody who comes now. A message type that is new to the protocol is missed here by the compiler.
 */
export class FakeSession {
  readonly log: SessionEvent[] = [];
  readonly #scene: FakeScene;
  #chat: ChatEntry[] = [];
  #name = "";
  #model = "offline";
  #goal: Goal | null = null;
  #bookmarks: Bookmark[] = [];
  #running = false;
  #revision = WELCOME.revision;
  #undo = { can_undo: false, can_redo: false };
  #branch = { branch: 0, branches: 1 };
  #usage: Usage = WELCOME.usage;
  #approvals: ApprovalRequest[] = [];
  #names = 0;
  /** Calls without an answer. */
  #open: string[] = [];
  /** The answer that streams. */
  #answer: string | null = null;
  #turn = 0;

  constructor(
    private readonly random: () => number,
    public epoch = "e1",
  ) {
    this.#scene = new FakeScene(random);
  }

  get seq(): number {
    return this.log.length;
  }

  get isIdle(): boolean {
    return !this.#running;
  }

  /** What the page would be told that comes now. */
  welcome(more: Partial<WelcomeMessage> = {}): WelcomeMessage {
    return {
      ...WELCOME,
      epoch: this.epoch,
      seq: this.seq,
      revision: this.#revision,
      scene: this.#scene.scene as unknown as Record<string, unknown>,
      name: this.#name,
      chat: structuredClone(this.#chat),
      running: this.#running,
      model: this.#model,
      usage: this.#usage,
      approvals: [...this.#approvals],
      ...(this.#goal !== null && { goal: this.#goal }),
      ...(this.#bookmarks.length > 0 && { bookmarks: this.#bookmarks }),
      ...this.#undo,
      ...this.#branch,
      ...more,
    };
  }

  /** One legal event. */
  step(): SessionEvent {
    for (;;) {
      const event = this.#next(this.#oneOf(Object.keys(this.#events) as EventType[]));
      if (event === null) continue;
      const numbered = { ...event, seq: this.seq + 1 } as SessionEvent;
      this.log.push(numbered);
      this.#fold(numbered);
      return numbered;
    }
  }

  /** A message without a number, which leaves nothing behind. */
  aside(): ServerMessage {
    return this.#asides[this.#oneOf(Object.keys(this.#asides) as DirectType[])]();
  }

  #next(type: EventType): Unnumbered<SessionEvent> | null {
    return this.#events[type]();
  }

  /** One of each type; null where it would not be legal now. */
  readonly #events: { [T in EventType]: () => Event<T> | null } = {
    user_message: () => {
      const named = this.#name === "" && { session_name: "named by it" };
      const about = this.#chance(0.3) && {
        selection: ["a"],
        images: [{ mime_type: "image/png", width: 4, height: 3 }],
      };
      return this.#allowed(!this.#running || this.#chance(0.1), {
        type: "user_message",
        message_id: this.#fresh("u"),
        text: `say ${this.#names}`,
        revision: this.#revision,
        ...named,
        ...about,
      });
    },
    turn_started: () =>
      this.#allowed(this.#running && this.#open.length === 0, {
        type: "turn_started",
        turn: this.#turn + 1,
        max_turns: 10,
      }),
    text_delta: () =>
      this.#allowed(this.#turn > 0, {
        type: "text_delta",
        message_id: this.#answer ?? this.#fresh("m"),
        text: `word ${this.#names} `,
        thought: this.#chance(0.3),
      }),
    text_discarded: () =>
      this.#answer === null ? null : { type: "text_discarded", message_id: this.#answer },
    tool_started: () =>
      this.#allowed(this.#turn > 0, {
        type: "tool_started",
        call_id: this.#fresh("c"),
        name: "create_shape",
        args: { id: "x" },
      }),
    tool_finished: () => {
      const call_id = this.#open[0];
      if (call_id === undefined) return null;
      const response = this.#chance(0.7) ? { success: true, result: {} } : { success: false, error: "no" };
      return { type: "tool_finished", call_id, name: "create_shape", response, duration_ms: 2 };
    },
    scene_changed: () => {
      const byModel = this.#open.length > 0 && this.#chance(0.7);
      return {
        type: "scene_changed",
        revision: this.#revision + 1,
        by: byModel ? "model" : "user",
        changes: this.#scene.change(),
        can_undo: this.#chance(0.5),
        can_redo: this.#chance(0.5),
        ...(this.isIdle && this.#chance(0.2) && { for_branch: true }),
      };
    },
    run_finished: () => {
      const reason = this.#oneOf(Object.keys(ENDS) as RunFinishedReason[]);
      return this.#allowed(this.#running && this.#open.length === 0 && this.#chance(0.3), {
        type: "run_finished",
        turns: this.#turn,
        reason,
        ...ENDS[reason],
        ...(this.#chance(0.5) && { usage: USAGE }),
      });
    },
    approval_needed: () =>
      this.#allowed(this.#turn > 0, {
        type: "approval_needed",
        call_id: this.#fresh("c"),
        name: "web_search",
        args: {},
      }),
    retrying: () =>
      this.#allowed(this.#running, { type: "retrying", attempt: 1, delay_ms: 100, reason: "busy" }),
    branch_selected: () =>
      this.#allowed(this.isIdle, {
        type: "branch_selected",
        branch: this.#branch.branches,
        branches: this.#branch.branches + 1,
        chat: structuredClone(this.#chat.slice(0, Math.floor(this.random() * this.#chat.length))),
      }),
    session_named: () => ({ type: "session_named", name: this.#fresh("name ") }),
    model_selected: () => ({ type: "model_selected", model: this.#fresh("model ") }),
    bookmarks_changed: () => ({
      type: "bookmarks_changed",
      bookmarks: [{ name: this.#fresh("view "), camera: { center: [0, 1, 5], look_at: [0, 0, 0] } }],
    }),
    goal_changed: () => ({
      type: "goal_changed",
      change: { kind: "resumed" },
      ...(this.#chance(0.5) && { notice: this.#fresh("notice ") }),
      goal: { ...GOAL, objective: this.#fresh("goal ") },
    }),
  };

  readonly #asides: { [T in DirectType]: () => Extract<ServerMessage, { type: T }> } = {
    error: () => ({ type: "error", code: "invalid_edit", message: "no", retryable: false }),
    progress: () => ({ type: "progress", step: 1, action: "tool_call", target: "create_shape" }),
    render_progress: () => ({
      type: "render_progress",
      revision: this.#revision,
      samples: 4,
      target_samples: 16,
      elapsed_ms: 1,
      eta_ms: 3,
      noise: 0.1,
    }),
    presence: () => ({ type: "presence", you: 1, people: [], more: 0 }),
    pong: () => ({ type: "pong" }),
    unchanged: () => ({ type: "unchanged", revision: this.#revision }),
    picked: () => ({ type: "picked", id: "a", point: null, normal: null }),
  };

  /** What stays of an event: as `crates/server/src/session/{state,chat}.rs` has it. */
  #fold(event: SessionEvent): void {
    const chat = this.#chat;
    switch (event.type) {
      case "user_message": {
        const { type: _, seq: __, session_name, ...said } = event;
        chat.push({ kind: "user", ...said });
        this.#name = session_name ?? this.#name;
        this.#running = true;
        return;
      }
      case "turn_started":
        [this.#turn, this.#answer] = [event.turn, null];
        return;
      case "text_delta":
        this.#answer = event.message_id;
        appendTo(chat, event);
        return;
      case "text_discarded":
        this.#answer = null;
        this.#chat = chat.filter((entry) => entry.kind !== "model" || entry.message_id !== event.message_id);
        return;
      case "tool_started":
        chat.push({ kind: "tool", call_id: event.call_id, name: event.name, args: event.args });
        this.#open.push(event.call_id);
        this.#approvals = this.#approvals.filter((asked) => asked.call_id !== event.call_id);
        return;
      case "tool_finished": {
        const { call_id, response, duration_ms } = event;
        this.#open = this.#open.filter((id) => id !== call_id);
        const card = chat.findLast((entry) => entry.kind === "tool" && entry.call_id === call_id);
        Object.assign(card ?? {}, { response, duration_ms });
        return;
      }
      case "scene_changed": {
        const { revision, by, changes, can_undo, can_redo, for_branch } = event;
        this.#revision = revision;
        this.#undo = { can_undo, can_redo };
        if (!for_branch) chat.push({ kind: "changed", revision, by, changes });
        return;
      }
      case "run_finished": {
        const { reason, message, usage } = event;
        const text = reason === "cancelled" ? "Stopped." : message;
        if (text !== undefined)
          chat.push({ kind: "notice", text, ...(reason === "error" && { is_error: true }) });
        if (usage !== undefined) this.#usage = usageWith(this.#usage, usage);
        [this.#running, this.#turn, this.#answer, this.#approvals] = [false, 0, null, []];
        return;
      }
      case "approval_needed":
        this.#approvals.push({ call_id: event.call_id, name: event.name, args: event.args });
        return;
      case "branch_selected":
        this.#chat = structuredClone(event.chat);
        this.#branch = { branch: event.branch, branches: event.branches };
        return;
      case "session_named":
        this.#name = event.name;
        return;
      case "model_selected":
        this.#model = event.model;
        return;
      case "bookmarks_changed":
        this.#bookmarks = event.bookmarks;
        return;
      case "goal_changed":
        this.#goal = event.goal;
        if (event.notice !== undefined) chat.push({ kind: "notice", text: event.notice });
        return;
      case "retrying":
        return;
      default:
        unreachable(event);
    }
  }

  #allowed<T>(legal: boolean, event: T): T | null {
    return legal ? event : null;
  }

  #fresh(prefix: string): string {
    this.#names += 1;
    return `${prefix}${this.#names}`;
  }

  #chance(share: number): boolean {
    return this.random() < share;
  }

  #oneOf<T>(list: readonly T[]): T {
    return list[Math.floor(this.random() * list.length)] as T;
  }
}

function appendTo(chat: ChatEntry[], { message_id, text, thought }: Event<"text_delta">): void {
  let answer = chat.findLast((entry) => entry.kind === "model" && entry.message_id === message_id);
  if (answer?.kind !== "model") {
    answer = { kind: "model", message_id, text: "" };
    chat.push(answer);
  }
  if (thought) answer.thought = (answer.thought ?? "") + text;
  else answer.text += text;
}
