import { expect, test } from "vitest";
import type { SceneChange } from "../../src/protocol";
import type { StudioState } from "../../src/store/state";
import { entered, log, play, said } from "../support/store-events";

const sphere = (radius: number) => ({
  id: "red_ball",
  type: "sphere",
  properties: { center: [0, 0, 0], radius },
});
const SCENE = { shapes: [sphere(1), { ...sphere(1), id: "box" }] };
const person = (id: number, name: string, can_edit = true) => ({ id, name, can_edit, selection: [] });
const CHANGE: SceneChange = {
  op: "update",
  kind: "shape",
  id: "red_ball",
  before: sphere(1),
  after: sphere(2),
};
const changed = (by: "user" | "model", ...changes: SceneChange[]) =>
  ({ type: "scene_changed", revision: 4, by, changes, can_undo: true, can_redo: false }) as const;

/** A session of this page's user and others, with the ball selected. */
function withOthers(...others: ReturnType<typeof person>[]): StudioState {
  const people = [person(1, "me"), ...others];
  return play(entered({ scene: SCENE }), said({ type: "presence", you: 1, people, more: 0 }), {
    type: "selected",
    keys: ["red_ball"],
  });
}
const texts = (state: StudioState) => state.toasts.map(({ text, tone }) => [tone, text]);
const ADA = person(2, "Ada Lovelace");
const EDIT = [{ name: "update_shape", args: { id: "red_ball", updates: { properties: { radius: 3 } } } }];

test("another's edit of what is selected is told, with the name of who made it", () => {
  const state = log(withOthers(ADA), changed("user", CHANGE));
  expect(texts(state)).toEqual([["note", "Ada Lovelace changed red ball, which you have selected."]]);
  expect(state.document.marks).toMatchObject({ keys: new Set(["red_ball"]), by: "Ada Lovelace" });
  expect(state.document.marks.color).not.toBeNull();
  const gone = log(withOthers(ADA), changed("user", { ...CHANGE, op: "remove", after: null }));
  expect(texts(gone)).toEqual([["note", "Ada Lovelace deleted red ball, which you have selected."]]);
  const two = log(withOthers(ADA, person(3, "Bo")), changed("user", CHANGE));
  expect(texts(two)).toEqual([["note", "Somebody else changed red ball, which you have selected."]]);
});

test("while it is being changed here as well, the note says that the last change counts", () => {
  const held = play(withOthers(ADA), { type: "edit_previewed", calls: EDIT });
  expect(texts(log(held, changed("user", CHANGE)))).toEqual([
    ["note", "Ada Lovelace changed red ball, which you are changing: the last change counts."],
  ]);
});

test("what is not selected is marked in the list alone", () => {
  const state = log(withOthers(ADA), changed("user", { ...CHANGE, id: "box" }));
  expect(texts(state)).toEqual([]);
  expect(state.document.marks.keys).toEqual(new Set(["box"]));
});

test("nothing is told of one's own edits and steps, of the model's, and where nobody else can edit", () => {
  const sent = play(withOthers(ADA), { type: "edit_sent", requestId: "r1", calls: EDIT, field: null });
  const undone = play(withOthers(ADA), { type: "step_sent" });
  for (const state of [
    log(sent, changed("user", CHANGE)),
    log(undone, changed("user", CHANGE)),
    log(withOthers(ADA), changed("model", CHANGE)),
    log(withOthers(), changed("user", CHANGE)),
    log(withOthers(person(2, "Guest", false)), changed("user", CHANGE)),
  ])
    expect(texts(state)).toEqual([]);
  const later = log(undone, changed("user", CHANGE), { ...changed("user", CHANGE), revision: 5 });
  expect(texts(later), "the change after the own step").toHaveLength(1);
});
