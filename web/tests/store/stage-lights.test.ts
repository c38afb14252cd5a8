import { expect, test } from "vitest";
import { applyCalls } from "../../src/document/edits";
import type { SceneChange } from "../../src/protocol";
import { entered, log, play } from "../support/store-events";

const light = (id: string, group?: string) => ({
  id,
  type: "point_spot_light",
  properties: { center: [0, 3, 0], emission: [9, 9, 9] },
  ...(group !== undefined && { group }),
});
const KEY = light("stage_key_light", "stage");
const LAMP = light("lamp");
const CHANGES: SceneChange[] = [
  { op: "create", kind: "light", id: "lamp", before: null, after: LAMP, index: 0 },
  { op: "remove", kind: "light", id: KEY.id, before: KEY, after: null },
];
const EDIT = [{ name: "create_light", args: LAMP }];
const told = (by: "user" | "model", changes: SceneChange[], isOwn = true, history?: "undo") => {
  const before = entered({ scene: { lights: [KEY] } });
  const sent = isOwn
    ? play(before, { type: "edit_sent", requestId: "r1", calls: EDIT, field: null })
    : before;
  const event = { type: "scene_changed", revision: 4, by, changes, can_undo: true, can_redo: false } as const;
  return log(sent, { ...event, ...(history !== undefined && { history }) });
};

test("lights of the stage that made room for one's own are offered back, as lights like any other", () => {
  const state = told("user", CHANGES);
  expect(state.toasts.map(({ tone, offer }) => [tone, offer?.label])).toEqual([["note", "Keep them, too"]]);
  const { scene } = state.document;
  expect(applyCalls(scene, state.toasts[0]?.offer?.calls ?? []).lights).toEqual([
    LAMP,
    { ...light("studio_key_light") },
  ]);
});

test("nothing is offered for what the model or others do, for undoing, and for deleting", () => {
  expect(told("model", CHANGES).toasts).toEqual([]);
  expect(told("user", CHANGES, false).toasts).toEqual([]);
  expect(told("user", CHANGES, true, "undo").toasts).toEqual([]);
  expect(told("user", CHANGES.slice(1)).toasts).toEqual([]);
});
