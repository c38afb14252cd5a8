import { describe, expect, test } from "vitest";
import type { Chat } from "../../src/chat/entries";
import type { ChatEntry, WelcomeMessage } from "../../src/protocol";
import { initialState, type StudioEvent } from "../../src/store/state";
import { reduce } from "../../src/store/store";
import {
  BALL,
  CHANGED,
  delta,
  entered,
  finished,
  log,
  NOW_MS,
  play,
  said,
  TOOL,
  TOOL_OK,
  USER,
  WELCOME,
} from "../support/store-events";

test("what the user changes in a row is one line, with what is different at the end", () => {
  const change = (revision: number, op: "create" | "update" | "remove", id: string, by = "user") => ({
    ...CHANGED,
    revision,
    by,
    changes: [{ ...BALL, op, id }],
  });
  const state = log(entered(), change(4, "create", "a"), change(5, "update", "a"), change(6, "update", "b"));
  const line = { kind: "changed", by: "user", revision: 6 };
  expect(state.chat).toMatchObject([
    {
      ...line,
      changes: [
        { op: "create", id: "a" },
        { op: "update", id: "b" },
      ],
    },
  ]);
  expect(log(state, change(7, "remove", "a")).chat).toMatchObject([{ changes: [{ op: "update", id: "b" }] }]);
  expect(log(state, USER, change(7, "remove", "a")).chat).toHaveLength(3);
});

describe("a run", () => {
  test("builds the chat", () => {
    const state = log(
      entered(),
      USER,
      { type: "turn_started", turn: 1, max_turns: 10 },
      delta("hm", true),
      delta("I make "),
      delta("a ball."),
      TOOL,
      CHANGED,
      TOOL_OK,
      finished(),
    );
    expect(state.chat).toEqual<Chat>([
      { kind: "user", message_id: "u1", text: "a red ball", revision: 0 },
      { kind: "model", message_id: "m1", text: "I make a ball.", thought: "hm" },
      {
        kind: "tool",
        call_id: "c1",
        name: "create_shape",
        args: { id: "ball" },
        changes: [BALL],
        revision: 4,
        response: TOOL_OK.response,
        duration_ms: 7,
      },
    ]);
    expect(state).toMatchObject({ running: false, turn: null, revision: 4 });
  });

  test("is going from the message on, with its turn", () => {
    expect(log(entered(), USER).running).toBe(true);
    const state = log(entered(), USER, { type: "turn_started", turn: 2, max_turns: 10 });
    expect(state.turn).toEqual({ turn: 2, maxTurns: 10 });
  });

  test.each([
    [
      finished({ reason: "turn_limit", message: "I have reached the limit." }),
      "I have reached the limit.",
      {},
    ],
    [finished({ reason: "cancelled" }), "Stopped.", {}],
    [finished({ reason: "cancelled", message: "stopped by the user" }), "Stopped.", {}],
    [finished({ reason: "error", message: "no key" }), "no key", { is_error: true }],
    [finished({ reason: "error" }), "The model's answer ended with an error.", { is_error: true }],
  ] as const)("ends with a notice: %j", (event, text, error) => {
    expect(log(entered(), USER, event).chat.at(-1)).toEqual({ kind: "notice", text, ...error });
  });

  test("that was stopped leaves no call running", () => {
    const state = log(entered(), USER, TOOL, finished({ reason: "cancelled" }));
    expect(state.chat[1]).toMatchObject({ kind: "tool", response: { success: false } });
  });

  test("a discarded answer starts again", () => {
    const state = log(entered(), USER, delta("half an ans"), { type: "text_discarded", message_id: "m1" });
    expect(state.chat).toHaveLength(1);
    expect(log(state, delta("whole")).chat.at(-1)).toMatchObject({ text: "whole" });
  });

  test("a retry shows until when it waits, and ends with the next sign of life", () => {
    const retry = { type: "retrying", attempt: 2, delay_ms: 500, reason: "overloaded" } as const;
    const state = log(entered(), USER, retry);
    expect(state.retrying).toEqual({ attempt: 2, untilMs: NOW_MS + 500, reason: "overloaded" });
    expect(log(state, delta("x")).retrying).toBeNull();
    expect(log(state, TOOL).retrying).toBeNull();
    expect(log(state, finished()).retrying).toBeNull();
  });
});

describe("an outside tool", () => {
  const request = { call_id: "c1", name: "web_search", args: { query: "chairs" } };
  const asked = log(entered(), USER, { type: "approval_needed", ...request });

  test("is asked about until it starts or the run ends", () => {
    expect(asked.approvals).toEqual([request]);
    expect(log(asked, TOOL).approvals).toEqual([]);
    const ended = log(asked, { type: "run_finished", reason: "cancelled", turns: 1 });
    expect(ended.approvals).toEqual([]);
  });

  test("is asked about by whoever comes in between", () => {
    expect(entered({ running: true, approvals: [request] }).approvals).toEqual([request]);
  });
});

describe("changes of the scene", () => {
  const second = { ...TOOL, call_id: "c2", args: { id: "box" } };
  const changed = (by: "model" | "user", id: string) => ({ ...CHANGED, by, changes: [{ ...BALL, id }] });
  const changedIds = (chat: Chat) =>
    chat.map((entry) => ("changes" in entry ? entry.changes?.map((change) => change.id) : undefined));

  test("go to the call before them", () => {
    const events = [USER, TOOL, changed("model", "ball"), TOOL_OK, second, changed("model", "box")];
    expect(changedIds(log(entered(), ...events).chat)).toEqual([undefined, ["ball"], ["box"]]);
  });

  test("by the user are lines of their own", () => {
    const state = log(entered(), USER, TOOL, changed("user", "ball"));
    expect(state.chat.at(-1)).toMatchObject({ kind: "changed", by: "user", revision: 4 });
  });

  test("by the model without a call are too", () => {
    const state = log(entered(), changed("model", "ball"));
    expect(state.chat.at(-1)).toMatchObject({ kind: "changed", by: "model" });
  });

  test("say what can be undone", () => {
    expect(entered({ can_undo: true })).toMatchObject({ canUndo: true, canRedo: false });
    const undone = log(entered({ can_undo: true }), { ...CHANGED, can_undo: false, can_redo: true });
    expect(undone).toMatchObject({ canUndo: false, canRedo: true });
  });

  test("look the same live and after loading the page again", () => {
    const person = changed("user", "box");
    const live = log(entered(), USER, delta("I do."), TOOL, CHANGED, TOOL_OK, second, person, finished());
    const { type: _, can_undo: _undo, can_redo: _redo, ...entry } = CHANGED;
    const { type: _tool, ...call } = TOOL;
    const { response, duration_ms } = TOOL_OK;
    const chat: ChatEntry[] = [
      { kind: "user", message_id: "u1", text: USER.text, revision: 0 },
      { kind: "model", message_id: "m1", text: "I do." },
      { kind: "tool", ...call, response, duration_ms },
      { kind: "changed", ...entry },
      { kind: "tool", ...call, call_id: "c2", args: { id: "box" } },
      { kind: "changed", ...entry, by: "user", changes: person.changes },
    ];
    expect(entered({ chat }).chat).toEqual(live.chat);
  });
});

describe("coming back", () => {
  const before = log(entered(), USER, delta("one "));

  test("events seen before are ignored", () => {
    const again = play(before, said({ ...USER, seq: 1 }), said({ ...delta("one "), seq: 2 }));
    expect(again).toEqual(before);
  });

  test("a resumed welcome keeps the chat, and the missed events follow without doubling", () => {
    const welcome: WelcomeMessage = { ...WELCOME, resumed: true, seq: 2, running: true, chat: [] };
    const state = play(
      before,
      said(welcome),
      said({ ...delta("one "), seq: 2 }),
      said({ ...delta("two"), seq: 3 }),
    );
    expect(state.chat.at(-1)).toMatchObject({ text: "one two" });
    expect(state).toMatchObject({ announcement: null, session: { seq: 3 }, running: true });
    expect(reduce(state, { type: "caught_up" }).announcement).toBe("resumed");
  });

  test("a fresh welcome replaces what is shown and counts anew", () => {
    const chat: ChatEntry[] = [{ kind: "user", message_id: "u9", text: "other", revision: 0 }];
    const state = play(before, said({ ...WELCOME, epoch: "e2", seq: 1, revision: 1, chat }));
    expect(state).toMatchObject({ chat, revision: 1, running: false, announcement: "fresh" });
    expect(state.session).toEqual({ id: "s1", epoch: "e2", seq: 1 });
    expect(log(state, delta("x")).chat).toHaveLength(2);
  });

  test("the first welcome announces nothing", () => {
    expect(entered().announcement).toBeNull();
  });

  test("an unknown session leaves an empty page that says so", () => {
    const state = play(initialState, { type: "unknown_session" }, said({ ...WELCOME, session_id: "s2" }));
    expect(state).toMatchObject({ announcement: "unknown_session", chat: [], session: { id: "s2" } });
  });

  test("a session that is deleted while it is shown says so, and keeps what was on its way", () => {
    const sent: StudioEvent = { type: "message_sent", requestId: "r1", text: "more", replaces: "u1" };
    const state = play(before, sent, { type: "unknown_session" }, said({ ...WELCOME, session_id: "s2" }));
    expect(state).toMatchObject({ announcement: "session_gone", chat: [], session: { id: "s2" } });
    expect(state.outgoing).toEqual([
      {
        requestId: "r1",
        text: "more",
        status: "refused",
        reason: "Its session no longer exists.",
        retryable: true,
      },
    ]);
  });

  test("events before any welcome are ignored", () => {
    expect(play(initialState, said({ ...USER, seq: 1 }))).toEqual(initialState);
  });
});

describe("branches", () => {
  const earlier: ChatEntry[] = [{ kind: "user", message_id: "u9", text: "blue", revision: 2 }];
  const selected = { type: "branch_selected", branch: 1, branches: 2, chat: earlier } as const;

  test("another one replaces the chat", () => {
    const state = log(entered(), USER, delta("A ball."), { ...selected, chat: [...earlier] });
    expect(state).toMatchObject({ branch: 1, branches: 2, chat: earlier });
  });

  test("a message said anew goes on in the new branch and is no longer on its way", () => {
    const sent: StudioEvent = { type: "message_sent", requestId: "r1", text: "a blue ball", replaces: "u1" };
    const state = log(
      play(log(entered(), USER, finished()), sent),
      { ...selected, chat: [] },
      { ...USER, message_id: "u2", text: "a blue ball" },
    );
    expect(state.outgoing).toEqual([]);
    expect(state.chat).toMatchObject([{ message_id: "u2" }]);
  });

  test("are kept for the session they are of, and no longer", () => {
    const branches = [{ branch: 0, parent: null, first_message_id: "u1", replaces: null }];
    const known = (sessionId: string): StudioEvent => ({ type: "branches_known", sessionId, branches });
    expect(play(entered(), known("other")).branchList).toEqual([]);
    const state = play(entered(), known("s1"));
    expect(state.branchList).toEqual(branches);
    expect(play(state, { type: "session_left" }).branchList).toEqual([]);
  });
});

describe("a name", () => {
  test("comes with the first message, and from whoever gives one", () => {
    const state = log(entered(), { ...USER, session_name: "a red ball" });
    expect(state.name).toBe("a red ball");
    expect(log(state, USER).name).toBe("a red ball");
    expect(log(state, { type: "session_named", name: "Balls" }).name).toBe("Balls");
  });
});

describe("what cannot be saved", () => {
  const notSaved = (requestId?: string): StudioEvent =>
    said({
      type: "error",
      code: "not_saved",
      message: "the disk is full",
      retryable: true,
      ...(requestId !== undefined && { request_id: requestId }),
    });

  test("is told until something is saved again", () => {
    const state = play(entered(), notSaved());
    expect(state).toMatchObject({ notSaved: "the disk is full", toasts: [] });
    expect(play(state, said({ type: "pong" })).notSaved).toBe("the disk is full");
    expect(log(state, CHANGED).notSaved).toBeNull();
  });

  test("keeps the user's message, which can be sent again", () => {
    const sent: StudioEvent = { type: "message_sent", requestId: "r1", text: USER.text };
    const state = play(entered(), sent, notSaved("r1"));
    const kept = { text: USER.text, status: "refused", reason: "Not saved.", retryable: true };
    expect(state.outgoing).toMatchObject([kept]);
    expect(state.notSaved).toBe("the disk is full");
  });
});

describe("the model", () => {
  test("is the one any page of the session chose last", () => {
    expect(log(entered(), { type: "model_selected", model: "big" }).model).toBe("big");
    const settings = { effort: "high" } as const;
    const chosen = play(entered(), { type: "model_chosen", requestId: "r1", model: "big", settings });
    expect(chosen.modelSettings).toEqual(settings);
    expect(log(chosen, { type: "model_selected", model: "big" })).toMatchObject({
      model: "big",
      modelSettings: {},
      modelChange: null,
    });
  });

  test("lists that come later replace the one of the welcome", () => {
    const models = [{ id: "ollama/q", label: "ollama/q", sees_images: false }];
    expect(play(entered(), { type: "models_listed", models }).models).toEqual(models);
  });

  test("a refused choice goes back", () => {
    const settings = { temperature: 1 };
    const chosen = play(entered(), { type: "model_chosen", requestId: "r1", model: "big", settings });
    expect(chosen.model).toBe("big");
    const error = {
      type: "error",
      request_id: "r1",
      code: "unknown_model",
      message: "no key",
      retryable: false,
    } as const;
    expect(play(chosen, said(error))).toMatchObject({
      model: "offline",
      modelSettings: {},
      toasts: [{ text: "no key" }],
    });
  });
});

describe("rendering", () => {
  const progress = (samples: number): StudioEvent =>
    said({
      type: "render_progress",
      revision: 4,
      samples,
      target_samples: 256,
      elapsed_ms: 10,
      eta_ms: 12_000,
      noise: 0.021,
    });
  const header = {
    type: "preview",
    pass: 1,
    width: 4,
    height: 3,
    mime_type: "image/png",
    final: false,
  } as const;
  const shown = (revision: number, samples: number): StudioEvent => ({
    type: "preview_shown",
    header: { ...header, revision, samples, target_samples: 256 },
  });

  test("the count is the further one of progress and picture", () => {
    const state = play(entered(), progress(64), shown(4, 60));
    expect(state.render).toEqual({
      revision: 4,
      samples: 64,
      targetSamples: 256,
      elapsedMs: 10,
      etaMs: 12_000,
      noise: 0.021,
    });
    expect(play(state, shown(4, 70)).render?.samples).toBe(70);
  });

  test("another revision starts the count anew", () => {
    expect(play(entered(), progress(64), shown(5, 1)).render).toMatchObject({ samples: 1, noise: null });
  });
});

test.each([{ type: "pong" }, { type: "picked", id: null, point: null, normal: null }] as const)(
  "%j changes nothing here",
  (message) => expect(play(entered(), said(message))).toEqual(entered()),
);

test("a state is never changed in place", () => {
  const state = deepFreeze(log(entered(), USER, delta("a"), TOOL));
  log(state, delta("b"), CHANGED, TOOL_OK, finished());
});

function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null) {
    for (const part of Object.values(value)) deepFreeze(part);
    Object.freeze(value);
  }
  return value;
}
