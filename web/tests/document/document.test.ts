import { describe, expect, test } from "vitest";
import { EMPTY_SCENE, type SceneDocument, type SceneObject } from "../../src/document/scene";
import { type DocumentState, initialDocument, reduceDocument, shownScene } from "../../src/document/state";
import {
  CAMERA_KEY,
  propertyCalls,
  selectedMembers,
  sharerCount,
  subjectOf,
} from "../../src/document/subject";
import type { EditCall, SceneChange, SessionEvent, WelcomeMessage } from "../../src/protocol";
import { initialState, type StudioEvent, type StudioState } from "../../src/store/state";
import { CAMERA, FakeScene, randomOf, SCENE, sphere } from "../support/fake-scene";
import { play, said, WELCOME } from "../support/store-events";

const welcome = (scene: SceneDocument, more: Partial<WelcomeMessage> = {}): WelcomeMessage => ({
  ...WELCOME,
  revision: 0,
  scene: scene as unknown as Record<string, unknown>,
  ...more,
});
const entered = (scene = SCENE): StudioState => play(initialState, said(welcome(scene)));
const shown = (state: StudioState): SceneDocument => shownScene(state.document);
const changed = (seq: number, changes: SceneChange[], by = "user"): StudioEvent =>
  said({ type: "scene_changed", seq, revision: seq, by, changes, can_undo: true, can_redo: false });
const updateOf = (object: SceneObject): SceneChange => ({
  op: "update",
  kind: "shape",
  id: object.id,
  before: null,
  after: object,
});
const setRadius = (id: string, radius: number): EditCall => ({
  name: "update_shape",
  args: { id, updates: { properties: { radius } } },
});
const sent = (requestId: string, calls: EditCall[], field: string | null = null): StudioEvent => ({
  type: "edit_sent",
  requestId,
  calls,
  field,
});
const radiusOf = (state: StudioState, id: string): unknown =>
  shown(state).shapes.find((shape) => shape.id === id)?.properties.radius;

describe("the page's copy of the scene", () => {
  test("follows whatever the server does, in any order, over any loss of the line", () => {
    for (let seed = 1; seed <= 300; seed += 1) {
      const random = randomOf(seed);
      const server = new FakeServer(random);
      let state = play(initialState, said(welcome(server.scene)));
      for (let step = 0; step < 30; step += 1) {
        const chance = random();
        if (chance < 0.7) state = play(state, ...server.change().map(said));
        else if (chance < 0.8) {
          // Told while the line is down; told again on resuming, from anywhere before what was seen.
          const missed = server.change();
          const seen = state.session?.seq ?? 0;
          const after = Math.max(0, seen - Math.floor(random() * 3));
          const resumed = welcome(server.scene, { resumed: true, seq: seen, revision: server.seq });
          state = play(state, said(resumed), ...server.since(after).map(said), { type: "caught_up" });
          expect(server.since(after).length).toBeGreaterThanOrEqual(missed.length);
        } else if (chance < 0.9) {
          server.change();
          state = play(state, said(welcome(server.scene, { seq: server.seq, revision: server.seq })));
        } else
          state = play(state, sent(`r${step}`, [setRadius("a", step)]), {
            type: "connection",
            connection: LOST,
          });
        expect(state.document.scene, `seed ${seed}, step ${step}`).toEqual(server.scene);
      }
    }
  });

  test("keeps what did not change as it was, so that it need not be drawn again", () => {
    const next = play(entered(), changed(1, [updateOf(sphere("b", 9, "pair"))])).document.scene;
    expect(next.shapes[0]).toBe(SCENE.shapes[0]);
    expect(next.lights).toBe(SCENE.lights);
    expect(next.camera).toBe(SCENE.camera);
  });

  test("is told of kinds that are newer than the page, and stays", () => {
    const change = {
      op: "update",
      kind: "weather",
      id: null,
      before: null,
      after: {},
    } as unknown as SceneChange;
    expect(play(entered(), changed(1, [change])).document.scene).toEqual(SCENE);
  });

  test("knows from which picture on the camera is another", () => {
    const after = { ...CAMERA, vfov: 30 };
    const camera: SceneChange = { op: "update", kind: "camera", id: null, before: CAMERA, after };
    const state = play(entered(), changed(1, [updateOf(sphere("a", 2))]), changed(2, [camera]));
    expect(state.document).toMatchObject({ cameraRevision: 2, scene: { camera: after } });
  });
});

const LOST = { phase: "waiting", attempt: 1, retryAtMs: 0 } as const;

describe("an edit of this page", () => {
  const FIELD = "a\tradius";

  test("is shown at once, and once only when the server has made it", () => {
    let state = play(entered(), sent("r1", [setRadius("a", 5)], FIELD));
    expect(radiusOf(state, "a")).toBe(5);
    expect(state.document.scene).toEqual(SCENE);
    state = play(state, changed(1, [updateOf(sphere("a", 5))]));
    expect(state.document.pending).toEqual([]);
    expect(radiusOf(state, "a")).toBe(5);
  });

  test("is taken back when it is refused, and its field says why", () => {
    const state = play(
      entered(),
      sent("r1", [setRadius("a", -5)], FIELD),
      said({ type: "error", request_id: "r1", code: "invalid_edit", message: "above 0", retryable: false }),
    );
    expect(radiusOf(state, "a")).toBe(1);
    expect(state.document.editError).toEqual({ field: FIELD, message: "above 0" });
    expect(state.toasts).toEqual([]);
    expect(play(state, sent("r2", [setRadius("a", 5)], FIELD)).document.editError).toBeNull();
  });

  test("without a field tells its refusal over the picture", () => {
    const state = play(
      entered(),
      sent("r1", [{ name: "remove_shape", args: { id: "a" } }]),
      said({
        type: "error",
        request_id: "r1",
        code: "stale",
        message: "changed meanwhile",
        retryable: false,
      }),
    );
    expect(shown(state)).toEqual(SCENE);
    expect(state.toasts).toMatchObject([{ text: "changed meanwhile" }]);
  });

  test("that changes nothing is settled by that answer", () => {
    const state = play(
      entered(),
      sent("r1", [setRadius("a", 1)]),
      said({ type: "unchanged", request_id: "r1", revision: 0 }),
    );
    expect(state.document.pending).toEqual([]);
  });

  test("that moves a group is settled by the changes of what is in it", () => {
    const scene = { ...SCENE, shapes: [sphere("a", 1, "pair"), sphere("b", 1, "pair")] };
    const drop: EditCall = { name: "drop", args: { ids: ["pair"] } };
    const state = play(
      entered(scene),
      sent("r1", [drop]),
      changed(1, [updateOf(sphere("a", 1, "pair")), updateOf(sphere("b", 1, "pair"))]),
    );
    expect(state.document.pending).toEqual([]);
  });

  test("stands over what the model does meanwhile, and over the answer to an earlier one", () => {
    let state = play(entered(), sent("r1", [setRadius("a", 5)]), sent("r2", [setRadius("a", 6)]));
    state = play(state, changed(1, [updateOf(sphere("a", 0.1))], "model"));
    expect(radiusOf(state, "a")).toBe(6);
    state = play(state, changed(2, [updateOf(sphere("a", 5))]));
    expect(state.document.pending).toMatchObject([{ requestId: "r2" }]);
    expect(radiusOf(state, "a")).toBe(6);
  });

  test("that the line swallowed is dropped once the missed events are told, and said to be lost", () => {
    const lost = play(entered(), sent("r1", [setRadius("a", 5)]), { type: "connection", connection: LOST });
    expect(radiusOf(lost, "a")).toBe(5);
    const back = play(lost, said(welcome(SCENE, { resumed: true })));
    const without = play(back, { type: "caught_up" });
    expect(radiusOf(without, "a")).toBe(1);
    expect(without.toasts).toHaveLength(1);
    const withIt = play(back, changed(1, [updateOf(sphere("a", 5))]), { type: "caught_up" });
    expect(withIt.toasts).toEqual([]);
    expect(radiusOf(withIt, "a")).toBe(5);
  });

  test("being dragged is seen here alone, and gone when it is let go", () => {
    const state = play(entered(), { type: "edit_previewed", calls: [setRadius("a", 7)] });
    expect(radiusOf(state, "a")).toBe(7);
    expect(state.document.pending).toEqual([]);
    expect(radiusOf(play(state, { type: "edit_previewed", calls: [] }), "a")).toBe(1);
  });

  test.each<[EditCall, (scene: SceneDocument) => unknown, unknown]>([
    [{ name: "create_shape", args: sphere("d", 4) }, (scene) => scene.shapes.at(-1), sphere("d", 4)],
    [{ name: "remove_light", args: { id: "key" } }, (scene) => scene.lights, []],
    [{ name: "set_camera", args: { vfov: 20 } }, (scene) => scene.camera, { ...CAMERA, vfov: 20 }],
    [
      { name: "set_environment_lighting", args: { type: "uniform", emission: [1, 1, 1] } },
      (scene) => scene.environment,
      { type: "uniform", emission: [1, 1, 1] },
    ],
    [
      { name: "update_shape", args: { id: "b", updates: { id: "z", group: null } } },
      (scene) => scene.shapes[1],
      sphere("z", 2),
    ],
    [{ name: "paint_everything", args: { id: "a" } }, (scene) => scene, SCENE],
  ])("%j is foreseen", (call, look, expected) => {
    expect(look(shown(play(entered(), sent("r", [call]))))).toEqual(expected);
  });
});

describe("the selection", () => {
  const select = (...keys: string[]): StudioEvent => ({ type: "selected", keys });

  test("loses what is gone, whoever took it", () => {
    const state = play(entered(), select("a", "key", CAMERA_KEY));
    const gone: SceneChange = { op: "remove", kind: "shape", id: "a", before: sphere("a", 1), after: null };
    expect(play(state, changed(1, [gone], "model")).document.selection).toEqual(["key", CAMERA_KEY]);
  });

  test("waits for what is on its way: all of it at once, groups instead of what is in them", () => {
    const addOf = (object: SceneObject): SceneChange => ({ ...updateOf(object), op: "create", index: 0 });
    const awaited = (...ids: string[]): StudioEvent => ({ type: "selection_requested", ids });
    let state = play(entered(), select("a"), awaited("leg", "chair", "seat"));
    expect(state.document.selection).toEqual(["a"]);
    state = play(state, changed(1, [addOf(sphere("leg", 1, "chair"))]));
    expect(state.document.selection).toEqual(["a"]);
    const all = play(state, changed(2, [addOf(sphere("seat", 1, "chair"))]));
    expect(all.document.selection).toEqual(["chair"]);
    expect(play(entered(), awaited("a", "key")).document.selection).toEqual(["a", "key"]);
    const other = play(state, select("key"), changed(2, [addOf(sphere("seat", 1, "chair"))]));
    expect(other.document.selection).toEqual(["key"]);
  });

  test("goes with a new name, and back with it when that is refused", () => {
    const call = { name: "update_shape", args: { id: "a", updates: { id: "z" } } };
    const state = play(entered(), select("a"), sent("r1", [call]));
    expect(state.document.selection).toEqual(["z"]);
    const taken = { code: "invalid_edit", message: "taken", retryable: false } as const;
    const back = play(state, said({ type: "error", request_id: "r1", ...taken }));
    expect(back.document.selection).toEqual(["a"]);
  });

  test("is not led astray by the answer to an earlier new name", () => {
    const rename = (requestId: string, id: string, name: string) =>
      sent(requestId, [{ name: "update_shape", args: { id, updates: { id: name } } }]);
    const state = play(entered(), select("a"), rename("r1", "a", "z"), rename("r2", "z", "a"));
    const answer = changed(1, [
      { op: "remove", kind: "shape", id: "a", before: sphere("a", 1), after: null },
      { op: "create", kind: "shape", id: "z", before: null, after: sphere("z", 1), index: 0 },
    ]);
    expect(play(state, answer).document.selection).toEqual(["a"]);
  });

  test("follows a name that somebody else gave, or that was undone", () => {
    const gone: SceneChange = { op: "remove", kind: "shape", id: "a", before: sphere("a", 1), after: null };
    const made = (id: string, radius: number): SceneChange => ({
      op: "create",
      kind: "shape",
      id,
      before: null,
      after: sphere(id, radius),
      index: 0,
    });
    const state = play(entered(), select("a"));
    expect(play(state, changed(1, [gone, made("x", 7), made("z", 1)])).document.selection).toEqual(["z"]);
    expect(play(state, changed(1, [gone, made("x", 7)])).document.selection).toEqual([]);
  });

  test("follows the newest click in the picture; Shift adds and takes away; the sky clears", () => {
    const pick = (state: DocumentState, requestId: string, extend: boolean) =>
      reduceDocument(state, { type: "pick_sent", requestId, extend, ignored: new Set(["locked"]) });
    const answer = (state: StudioState, request_id: string, id: string | null) =>
      play(state, said({ type: "picked", request_id, id, point: null, normal: null }));
    const click = (state: StudioState, requestId: string, extend = false) => ({
      ...state,
      document: pick(state.document, requestId, extend),
    });
    let state = answer(click(click(entered(), "p1"), "p2"), "p1", "a");
    expect(state.document.selection, "an old click is no answer").toEqual([]);
    const onLocked = answer(click(state, "p0"), "p0", "locked");
    expect(onLocked.document.selection, "what is locked is no answer").toEqual([]);
    state = click(state, "p2");
    state = answer(state, "p2", "b");
    expect(state.document.selection, "the group it is in").toEqual(["pair"]);
    state = answer(click(state, "p3", true), "p3", "a");
    expect(state.document.selection).toEqual(["pair", "a"]);
    state = answer(click(state, "p4", true), "p4", "b");
    expect(state.document.selection).toEqual(["a"]);
    state = answer(click(state, "p5", true), "p5", null);
    expect(state.document.selection, "Shift and the sky").toEqual(["a"]);
    expect(answer(click(state, "p6"), "p6", null).document.selection).toEqual([]);
  });

  test("of a group is what is in it, each once", () => {
    const ids = selectedMembers(SCENE, ["pair", "c"]).map(({ object }) => object.id);
    expect(ids).toEqual(["b", "c"]);
    expect(subjectOf(SCENE, "nobody")).toBeNull();
  });

  test("is left with its session", () => {
    const state = play(entered(), select("a"), { type: "session_left" });
    expect(state.document).toEqual(initialDocument);
  });
});

test("what the model changed is marked until that fades; an older fading is none", () => {
  const state = play(entered(), changed(1, [updateOf(sphere("a", 2))], "model"));
  const again = play(state, changed(2, [updateOf(sphere("b", 2, "pair"))], "model"));
  expect([...again.document.marks.keys]).toEqual(["b"]);
  expect(play(again, { type: "marks_cleared", serial: 1 }).document.marks.keys.size).toBe(1);
  expect(play(again, { type: "marks_cleared", serial: 2 }).document.marks.keys.size).toBe(0);
});

test.each([
  ["a", ["radius"], 2, setRadius("a", 2)],
  [
    "a",
    ["material", "albedo"],
    [1, 0, 0],
    {
      name: "update_shape",
      args: { id: "a", updates: { properties: { material: { type: "lambertian", albedo: [1, 0, 0] } } } },
    },
  ],
  [
    CAMERA_KEY,
    ["focus_distance"],
    null,
    { name: "set_camera", args: { center: CAMERA.center, look_at: CAMERA.look_at, focus_distance: null } },
  ],
  [
    "key",
    ["center"],
    [0, 0, 0],
    { name: "update_light", args: { id: "key", updates: { properties: { center: [0, 0, 0] } } } },
  ],
  ["pair", ["radius"], 2, setRadius("b", 2), setRadius("c", 2)],
])("the property %s of %j is set by the model's own tool", (key, path, value, ...calls) => {
  const subject = subjectOf(SCENE, key);
  expect(subject && propertyCalls(subject, path, value)).toEqual(calls);
});

test("a shared material is changed for all that share it, anything else for the one", () => {
  const shape = (id: string, shared?: string) => ({
    id,
    type: "sphere",
    properties: { radius: 1, material: { type: "principled", base_color: [1, 0, 0] } },
    ...(shared !== undefined && { material_name: shared }),
  });
  const scene = { ...EMPTY_SCENE, shapes: [shape("a", "oak"), shape("b", "oak"), shape("c")] };
  const calls = (key: string, path: string[], value: unknown) => {
    const subject = subjectOf(scene, key);
    return subject === null ? [] : propertyCalls(subject, path, value);
  };
  const material = { type: "principled", base_color: [0, 1, 0] };
  expect(calls("a", ["material", "base_color"], [0, 1, 0])).toEqual([
    { name: "share_material", args: { name: "oak", material } },
  ]);
  expect(calls("c", ["material", "base_color"], [0, 1, 0])[0]?.name).toBe("update_shape");
  expect(calls("a", ["radius"], 2)[0]?.name).toBe("update_shape");
  expect(scene.shapes.map((each) => sharerCount(scene, each))).toEqual([2, 2, 0]);
});

/** A server whose scene changes at random, and the log of that. */
class FakeServer {
  readonly #scene: FakeScene;
  readonly #log: SessionEvent[] = [];

  constructor(private readonly random: () => number) {
    this.#scene = new FakeScene(random);
  }

  get scene(): SceneDocument {
    return this.#scene.scene;
  }

  get seq(): number {
    return this.#log.length;
  }

  since(after: number): SessionEvent[] {
    return this.#log.slice(after);
  }

  /** Makes one to three changes of scene and tells each. */
  change(): SessionEvent[] {
    const start = this.seq;
    for (let count = Math.ceil(this.random() * 3); count > 0; count -= 1) {
      const seq = this.seq + 1;
      const by = this.random() < 0.5 ? "model" : "user";
      const told = { revision: seq, by, changes: this.#scene.change(), can_undo: true, can_redo: false };
      this.#log.push({ type: "scene_changed", seq, ...told });
    }
    return this.since(start);
  }
}
