import { expect, test } from "vitest";
import { entered, log, play, said } from "../support/store-events";

const EDIT = [{ name: "update_shape", args: { id: "cup", updates: { properties: { radius: 0 } } } }];
const refused = (message: string) =>
  play(
    entered({ scene: { shapes: [{ id: "cup", type: "sphere", properties: { radius: 1 } }] } }),
    { type: "edit_sent", requestId: "r1", calls: EDIT, field: "cup\tradius" },
    said({ type: "error", code: "invalid_edit", message, request_id: "r1", retryable: false }),
  );

test("why a group could not be changed is told once, not for each of its parts", () => {
  const why = "'radius' must be above 0";
  expect(refused(`edit 1: ${why}`).document.editError?.message).toBe(why);
  expect(refused(`edit 1: ${why}; edit 2: ${why}; edit 2: the same`).document.editError?.message).toBe(
    `${why} (and 2 more like this)`,
  );
});

test("an error stays until the user changes the scene, by undoing as well", () => {
  const changed = (by: "user" | "model") =>
    log(refused("no"), {
      type: "scene_changed",
      revision: 4,
      by,
      changes: [],
      can_undo: true,
      can_redo: false,
    });
  expect(changed("model").document.editError).not.toBeNull();
  expect(changed("user").document.editError).toBeNull();
});
