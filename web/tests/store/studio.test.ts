// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { CAMERA_KEY, ENVIRONMENT_KEY, subjectOf } from "../../src/document/subject";
import { Studio } from "../../src/studio/studio";
import { FakeWebSocket } from "../support/fake-websocket";

const ball = (id: string, group?: string) => ({
  id,
  type: "sphere",
  properties: { center: [0, 0, 0], radius: 1 },
  ...(group !== undefined && { group }),
});
const SCENE = {
  shapes: [ball("a"), ball("b", "pair"), ball("c", "inner")],
  lights: [],
  groups: [{ id: "inner", parent: "pair" }],
  environment: { type: "none" },
  camera: { center: [0, 0, 5], look_at: [0, 0, 0], up: [0, 1, 0], vfov: 45 },
};

let studio: Studio;
beforeEach(() => {
  vi.stubGlobal("WebSocket", FakeWebSocket);
  history.replaceState(null, "", "/?session=token");
  studio = new Studio(new URL("/", location.href));
  studio.start();
  FakeWebSocket.last.welcome("token", SCENE);
});
afterEach(() => {
  vi.unstubAllGlobals();
});

test("a session named in the query moves to the fragment, which no server log has", () => {
  expect(FakeWebSocket.last.url).toContain("session=token");
  expect(location.search).toBe("");
  expect(location.hash).toBe("#session=token");
});

test("a message may be a picture alone", () => {
  const image = { id: 1, name: "a.png", mime_type: "image/png", data: "AAAA", width: 1, height: 1 };
  expect(studio.conversation.send("", { images: [image] })).toBe(true);
  expect(FakeWebSocket.last.sent.at(-1)).toMatchObject({
    type: "user_message",
    text: "",
    images: [{ mime_type: "image/png", data: "AAAA" }],
  });
  expect(studio.state.value.outgoing).toMatchObject([{ text: "", images: [image] }]);
  studio.conversation.returnToDraft("more", [image]);
  expect(studio.conversation.attachments.list.value).toEqual([image]);
});

describe("a message that was refused", () => {
  beforeEach(() => {
    studio.conversation.draft.value = "half a sentence";
    studio.conversation.send("a red ball", { replaces: "u1" });
    const request_id = FakeWebSocket.last.sent.at(-1)?.request_id;
    const refusal = { code: "busy", message: "wait", retryable: true };
    FakeWebSocket.last.say({ type: "error", request_id, ...refusal });
  });

  test("is sent again as what it was", () => {
    const [refused] = studio.state.value.outgoing;
    if (refused !== undefined) studio.conversation.resend(refused);
    expect(FakeWebSocket.last.sent.at(-1)).toMatchObject({ text: "a red ball", replaces: "u1" });
    expect(studio.state.value.outgoing).toHaveLength(1);
  });

  test("goes back into the composer when its session is left", () => {
    studio.sessions.open(null);
    expect(studio.conversation.draft.value).toBe("half a sentence\na red ball");
    expect(studio.state.value.outgoing).toEqual([]);
  });
});

describe("messages that are sent in turn", () => {
  const asked = () =>
    FakeWebSocket.last.sent.flatMap(({ type, text }) => (type === "user_message" ? [text] : []));
  let seq = 0;
  const say = (message: object) => FakeWebSocket.last.say({ seq: ++seq, ...message });
  const begin = (text: string) => say({ type: "user_message", message_id: `m${seq}`, text, revision: 0 });
  const end = (reason: string) => say({ type: "run_finished", reason });
  beforeEach(() => {
    seq = 0;
    studio.conversation.sendInTurn(["a castle", "a tree", "a fox"]);
  });

  test("wait for the answer before", () => {
    expect(asked()).toEqual(["a castle"]);
    begin("a castle");
    say({ type: "text_delta", message_id: "a", text: "Here.", thought: false });
    expect(asked()).toEqual(["a castle"]);
    end("completed");
    expect(asked()).toEqual(["a castle", "a tree"]);
    begin("a tree");
    end("completed");
    begin("a fox");
    end("completed");
    expect(asked()).toEqual(["a castle", "a tree", "a fox"]);
  });

  test("are dropped when the one before is stopped or fails", () => {
    begin("a castle");
    studio.conversation.stop();
    end("cancelled");
    expect(asked()).toEqual(["a castle"]);
    studio.conversation.sendInTurn(["a boat", "a lake"]);
    begin("a boat");
    end("error");
    expect(asked()).toEqual(["a castle", "a boat"]);
  });
});

test("the scene is settled once the server has answered all edits and no drag is under way", async () => {
  const { editor } = studio;
  await editor.create("tube");
  const { request_id, calls } = FakeWebSocket.last.sent.at(-1) as {
    request_id: string;
    calls: { args: { id: string } }[];
  };
  const settled = vi.fn();
  void editor.whenSettled().then(settled);
  const nextTurn = () => new Promise((resolve) => setTimeout(resolve));
  await nextTurn();
  expect(settled).not.toHaveBeenCalled();
  editor.preview([{ name: "update_shape", args: { id: "tube", updates: { properties: { radius: 1 } } } }]);
  const change = { op: "create", kind: "shape", id: "tube", before: null, after: calls[0]?.args, index: 3 };
  const about = { type: "scene_changed", seq: 1, revision: 1, by: "user", request_id };
  FakeWebSocket.last.say({ ...about, changes: [change], can_undo: true, can_redo: false });
  await nextTurn();
  expect(settled).not.toHaveBeenCalled();
  editor.preview([]);
  await nextTurn();
  expect(settled).toHaveBeenCalled();
});

describe("the editor", () => {
  const sent = () => FakeWebSocket.last.sent.at(-1);
  const subject = (key: string) => {
    const found = subjectOf(studio.editor.scene.value, key);
    if (found === null) throw new Error(`there is no ${key}`);
    return found;
  };

  test("sends what is dragged on release only", () => {
    const before = FakeWebSocket.last.sent.length;
    studio.editor.previewProperty(subject("a"), ["radius"], 2);
    expect(studio.editor.scene.value.shapes[0]?.properties.radius).toBe(2);
    expect(FakeWebSocket.last.sent).toHaveLength(before);
    studio.editor.setProperty(subject("a"), ["radius"], 3);
    const call = { name: "update_shape", args: { id: "a", updates: { properties: { radius: 3 } } } };
    expect(FakeWebSocket.last.sent.slice(before)).toMatchObject([{ type: "edit", calls: [call] }]);
    expect(studio.editor.scene.value.shapes[0]?.properties.radius).toBe(3);
  });

  test("copies a group as a new one, and deletes it with all that is in it", () => {
    studio.editor.select(["pair"]);
    studio.editor.duplicateSelected();
    const copies = [
      { id: "b_2", group: "pair_2" },
      { id: "c_2", group: "inner_2" },
    ];
    expect(sent()).toMatchObject({ calls: copies.map((args) => ({ name: "create_shape", args })) });
    expect(studio.editor.selection.value).toEqual(["pair_2", "inner_2"]);
    studio.editor.select(["pair"]);
    studio.editor.removeSelected();
    expect(sent()).toMatchObject({ calls: ["b", "c"].map((id) => ({ name: "remove_shape", args: { id } })) });
    expect(studio.editor.selection.value, "nothing is left of it").toEqual([]);
  });

  test("copies an object into the group it is in", () => {
    studio.editor.select(["b"]);
    studio.editor.duplicateSelected();
    expect(sent()).toMatchObject({ calls: [{ args: { id: "b_2", group: "pair" } }] });
    expect(studio.editor.selection.value).toEqual(["b_2"]);
  });

  test("renames a group by what is in it itself, also one that is listed", () => {
    studio.editor.rename("pair", "two");
    expect(sent()).toMatchObject({ calls: [{ name: "group", args: { id: "two", ids: ["b", "inner"] } }] });
    studio.editor.rename("inner", "core");
    expect(sent()).toMatchObject({
      calls: [
        { name: "group", args: { id: "core", ids: ["c"] } },
        { name: "ungroup", args: { id: "inner" } },
        { name: "group", args: { id: "two", ids: ["core"] } },
      ],
    });
    expect(studio.editor.selection.value).toEqual(["core"]);
  });

  test("hides things on this page alone, and shows them again", () => {
    studio.editor.setHidden(["pair"], true);
    expect(sent()).toMatchObject({ type: "view", hidden: ["b", "c"] });
    studio.editor.setHidden(["b"], false);
    expect(sent()).toMatchObject({ type: "view", hidden: ["c"] });
    studio.editor.showAll();
    expect(sent()).toMatchObject({ type: "view", hidden: [] });
  });

  test("names the objects and groups that are selected, neither camera nor sky", () => {
    studio.editor.select([CAMERA_KEY, "a", ENVIRONMENT_KEY, "pair"]);
    expect(studio.editor.selectedIds()).toEqual(["a", "pair"]);
    studio.conversation.send("this", { selection: studio.editor.selectedIds() });
    expect(sent()).toMatchObject({ type: "user_message", selection: ["a", "pair"] });
  });

  test("without a line says so, and changes nothing", () => {
    FakeWebSocket.last.close();
    studio.editor.setProperty(subject("a"), ["radius"], 3);
    expect(studio.editor.scene.value.shapes[0]?.properties.radius).toBe(1);
    expect(studio.state.value.toasts).toHaveLength(1);
  });
});
