// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ObjectDrag } from "../../src/library/drag";
import { Library } from "../../src/library/library";
import type { LibraryObject } from "../../src/library/objects";
import { Studio } from "../../src/studio/studio";
import { FakeWebSocket } from "../support/fake-websocket";

const MUG: LibraryObject = { name: "mug", names: ["mug"], categories: [], size: [0.1, 0.1, 0.1] };
const shape = (id: string, group?: string) => ({
  id,
  type: "sphere",
  properties: { center: [0, 0, 0], radius: 1 },
  ...(group !== undefined && { group }),
});
const SHAPES = [shape("cup"), shape("handle")];
const SCENE = {
  shapes: [shape("floor")],
  environment: { type: "none" },
  camera: { center: [0, 3, 6], look_at: [0, 0, 0], up: [0, 1, 0], vfov: 45 },
};
const MIDDLE = { x: 0.5, y: 0.5 };
const POINTER = { x: 100, y: 100 };

let studio: Studio;
let library: Library;
const server = vi.fn<typeof fetch>();
beforeEach(() => {
  vi.stubGlobal("WebSocket", FakeWebSocket);
  vi.stubGlobal("fetch", server);
  server.mockImplementation(async () => Response.json({ ...MUG, document: SHAPES }));
  studio = new Studio(new URL("/", location.href));
  studio.start();
  FakeWebSocket.last.welcome("token", SCENE);
  studio.view.rasterStatus.value = { phase: "ready" };
  library = new Library(studio);
});
afterEach(() => {
  vi.unstubAllGlobals();
  server.mockReset();
});

const sentEdits = () => FakeWebSocket.last.sent.filter(({ type }) => type === "edit");
const create = (kind: string, after: { id: string }, index: number) => ({
  op: "create",
  kind,
  id: after.id,
  before: null,
  after,
  index,
});
let revision = 0;
const tellChange = (by: string, changes: object[]) => {
  revision += 1;
  const about = { seq: revision, revision, by, can_undo: true, can_redo: false };
  FakeWebSocket.last.say({ type: "scene_changed", ...about, changes });
};
const MADE = [
  create("shape", shape("mug_cup", "mug"), 1),
  create("shape", shape("mug_handle", "mug"), 2),
  create("group", { id: "mug", parent: null } as { id: string }, 0),
];
const nextTurn = () => new Promise((resolve) => setTimeout(resolve));

beforeEach(() => {
  revision = 0;
});

describe("an object of the library", () => {
  test("is added where one looks, shown there until the server has answered, and selected then", async () => {
    library.add(MUG);
    const call = { name: "add_object", args: { object: "mug", at: [0, 0, 0], turn: 0 } };
    expect(sentEdits()).toMatchObject([{ calls: [call] }]);
    expect(studio.view.ghost.value).toMatchObject({ size: MUG.size, turn: 0 });
    expect([...library.adding.value]).toEqual(["mug"]);
    // What others do meanwhile is no answer.
    tellChange("model", [create("shape", shape("ball"), 1)]);
    tellChange("user", [create("shape", shape("box"), 1)]);
    expect([...library.adding.value]).toEqual(["mug"]);
    tellChange("user", MADE);
    expect(studio.editor.selection.value).toEqual(["mug"]);
    expect(library.adding.value.size).toBe(0);
    await nextTurn();
    expect(studio.view.ghost.value).toBeNull();
    expect(library.announcement.value).toBe("Added mug");
  });

  test("that is too small to be seen from here is shown by a view of one's own", async () => {
    library.add(MUG);
    tellChange("user", MADE);
    await nextTurn();
    expect(studio.view.privateCamera.value).toBeNull();
    library.add({ ...MUG, name: "pin", size: [0.01, 0.02, 0.01] });
    tellChange("user", [create("shape", shape("pin"), 1)]);
    await nextTurn();
    expect(studio.view.privateCamera.value).toMatchObject({ look_at: [0, 0, 0] });
  });

  test("is found by its name where it is one shape without a group", () => {
    library.add(MUG);
    tellChange("user", [create("shape", shape("mug_2"), 1)]);
    expect(studio.editor.selection.value).toEqual(["mug_2"]);
    expect(studio.editor.document.value.pending).toEqual([]);
  });

  test("that is refused leaves no ghost, and the user reads why", async () => {
    library.add(MUG);
    const request_id = sentEdits().at(-1)?.request_id;
    const refusal = { code: "invalid_edit", message: "too many shapes", retryable: false };
    FakeWebSocket.last.say({ type: "error", request_id, ...refusal });
    await nextTurn();
    expect(studio.view.ghost.value).toBeNull();
    expect(studio.state.value.toasts).toMatchObject([{ text: "too many shapes" }]);
    expect(library.announcement.value).toBe("");
  });

  test("is added twice in a row: each answer is one of them", () => {
    library.add(MUG);
    library.add(MUG);
    tellChange("user", MADE);
    expect(studio.editor.document.value.pending).toHaveLength(1);
    tellChange("user", [create("shape", shape("mug_2_cup", "mug_2"), 3)]);
    expect(studio.editor.document.value.pending).toEqual([]);
    expect(studio.editor.selection.value).toEqual(["mug_2"]);
  });

  test("is not added without a line, which is said", () => {
    FakeWebSocket.last.close();
    library.add(MUG);
    expect(studio.view.ghost.value).toBeNull();
    expect(studio.state.value.toasts).toHaveLength(1);
  });
});

describe("a drag", () => {
  test("shows the object over the picture, first as its box, then as it is; beside it the picture follows", async () => {
    const drag = new ObjectDrag(library, MUG);
    drag.move(POINTER, null);
    expect(studio.view.ghost.value).toBeNull();
    expect(library.dragged.value).toMatchObject({ pointer: POINTER, isShown: false });
    drag.move(POINTER, MIDDLE);
    expect(studio.view.ghost.value?.shapes).toBeNull();
    expect(library.dragged.value?.isShown).toBe(true);
    await nextTurn();
    expect(studio.view.ghost.value?.shapes).toEqual(SHAPES);
    drag.cancel();
  });

  test("has the raster cover the traced picture until it ends", () => {
    const drag = new ObjectDrag(library, MUG);
    expect(studio.view.moving.value).toBe(true);
    drag.cancel();
    expect(studio.view.moving.value).toBe(false);
  });

  test("is added where it is dropped, as it was turned, and stays to be seen until then", async () => {
    const drag = new ObjectDrag(library, MUG);
    drag.move(POINTER, MIDDLE);
    drag.turn(1);
    drag.turn(-3);
    drag.drop();
    expect(sentEdits()).toMatchObject([{ calls: [{ args: { object: "mug", at: [0, 0, 0], turn: 330 } }] }]);
    expect(library.dragged.value).toBeNull();
    expect(studio.view.ghost.value).toMatchObject({ turn: 330 });
    tellChange("user", MADE);
    await nextTurn();
    expect(studio.view.ghost.value).toBeNull();
  });

  test("adds nothing when it is taken back, or dropped beside the picture", async () => {
    const cancelled = new ObjectDrag(library, MUG);
    cancelled.move(POINTER, MIDDLE);
    cancelled.cancel();
    expect(studio.view.ghost.value).toBeNull();
    const beside = new ObjectDrag(library, MUG);
    beside.move(POINTER, MIDDLE);
    beside.move(POINTER, null);
    beside.drop();
    expect(sentEdits()).toEqual([]);
    await nextTurn();
    expect(studio.view.ghost.value, "what loads late shows nothing").toBeNull();
  });

  test("is seen as its box where its shapes cannot be loaded, and asks again the next time", async () => {
    server.mockRejectedValueOnce(new TypeError("failed"));
    await library.loadShapes("mug");
    expect(library.ghostOf(MUG, [0, 0, 0], 0).shapes).toBeNull();
    await library.loadShapes("mug");
    await library.loadShapes("mug");
    expect(library.ghostOf(MUG, [0, 0, 0], 0).shapes).toEqual(SHAPES);
    expect(server).toHaveBeenCalledTimes(2);
  });
});

test("the library that cannot be loaded says why, and can be asked for again", async () => {
  server.mockResolvedValueOnce(Response.json({ detail: "try later" }, { status: 503 }));
  await library.load();
  expect(library.failure.value).toBe("try later");
  server.mockResolvedValueOnce(Response.json({ objects: [MUG], categories: [], version: "7" }));
  await library.load();
  expect(library.failure.value).toBeNull();
  expect(library.found.value).toEqual([MUG]);
  expect(library.pictureUrl({ ...MUG, name: "wine glass" })).toMatch(
    /\/api\/objects\/wine%20glass\/picture\?v=7$/,
  );
});
