import { describe, expect, test } from "vitest";
import type { ChatEntry } from "../../src/protocol";
import type { StudioEvent } from "../../src/store/state";
import { entered, log, NOW_MS, play, said, USER, WELCOME } from "../support/store-events";

describe("a message on its way", () => {
  const sent: StudioEvent = { type: "message_sent", requestId: "r1", text: USER.text };
  const lost: StudioEvent = {
    type: "connection",
    connection: { phase: "waiting", attempt: 1, retryAtMs: NOW_MS },
  };
  const refusal = (requestId?: string): StudioEvent =>
    said({
      type: "error",
      code: "too_large",
      message: "too long",
      retryable: false,
      ...(requestId !== undefined && { request_id: requestId }),
    });

  test("is confirmed by the session's own event", () => {
    const state = play(entered(), sent);
    expect(state.outgoing).toMatchObject([{ text: USER.text, status: "sending" }]);
    expect(log(state, USER).outgoing).toEqual([]);
  });

  test("may be sent again when the server was only busy", () => {
    const busy = { type: "error", code: "busy", message: "wait", retryable: true, request_id: "r1" } as const;
    expect(play(entered(), sent, said(busy)).outgoing).toMatchObject([
      { status: "refused", retryable: true },
    ]);
  });

  test("keeps what it stands for, to be sent again", () => {
    const edited = play(entered(), { ...sent, replaces: "u0" }, refusal("r1"));
    expect(edited.outgoing).toMatchObject([{ status: "refused", replaces: "u0" }]);
  });

  test("leaves no line of an edit where only another branch was gone to", () => {
    const changes = [
      { op: "create" as const, kind: "shape" as const, id: "a", before: null, after: { id: "a" } },
    ];
    const changed = {
      type: "scene_changed" as const,
      revision: 4,
      by: "user",
      changes,
      can_undo: true,
      can_redo: false,
    };
    expect(log(entered(), { ...changed, for_branch: true })).toMatchObject({ chat: [], revision: 4 });
    expect(log(entered(), changed).chat).toHaveLength(1);
  });

  test("comes back with what it was about and with its pictures", () => {
    const image = { mime_type: "image/png", width: 64, height: 48 };
    const about = { selection: ["ball"], images: [image] };
    expect(log(entered(), { ...USER, ...about }).chat).toMatchObject([{ kind: "user", ...about }]);
    expect(log(entered(), USER).chat[0]).not.toHaveProperty("images");
  });

  test("of two equal ones the event confirms one", () => {
    const twice = play(entered(), sent, { ...sent, requestId: "r2" });
    expect(log(twice, USER).outgoing).toHaveLength(1);
  });

  test("stays with the reason when it is refused", () => {
    expect(play(entered(), sent, refusal("r1")).outgoing).toMatchObject([
      { status: "refused", reason: "too long" },
    ]);
  });

  test("that is refused keeps its place: what comes later stands below it", () => {
    const refused = play(log(entered(), USER), sent, refusal("r1"));
    expect(refused.outgoing).toMatchObject([{ status: "refused", place: 1 }]);
    const later = log(refused, { ...USER, message_id: "u2" });
    expect([later.chat.length, later.outgoing[0]?.place]).toEqual([2, 1]);
    expect(play(entered(), sent).outgoing[0], "one on its way stands last").not.toHaveProperty("place");
  });

  test("is unconfirmed after a loss, and the missed event settles it", () => {
    const state = play(entered(), sent, lost);
    expect(state.outgoing).toMatchObject([{ status: "unconfirmed" }]);
    const back = play(state, said({ ...WELCOME, resumed: true }));
    expect(back.outgoing).toHaveLength(1);
    expect(log(back, USER).outgoing).toEqual([]);
  });

  test("is settled by a fresh welcome that shows it", () => {
    const chat: ChatEntry[] = [{ kind: "user", message_id: "u1", text: USER.text, revision: 0 }];
    expect(play(entered(), sent, lost, said({ ...WELCOME, chat })).outgoing).toEqual([]);
  });

  test("an earlier message with the same words does not settle it", () => {
    const chat: ChatEntry[] = [{ kind: "user", message_id: "u1", text: USER.text, revision: 0 }];
    const state = play(entered({ chat }), sent, lost, said({ ...WELCOME, chat }));
    expect(state.outgoing).toHaveLength(1);
  });

  test("refusals of anything else are shown beside the chat", () => {
    expect(play(entered(), refusal("r7"), refusal()).toasts.map((fault) => fault.text)).toEqual([
      "too long",
      "too long",
    ]);
  });
});
