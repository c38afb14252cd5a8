import { expect, test } from "vitest";
import type { Chat } from "../../src/chat/entries";
import { workName } from "../../src/chat/work-name";
import { downloadName } from "../../src/files/files";
import type { SceneChange } from "../../src/protocol";

const said = (text: string): Chat[number] => ({ kind: "user", message_id: text, text, revision: 0 });
const made: Chat[number] = {
  kind: "tool",
  call_id: "c",
  name: "create_shape",
  args: {},
  changes: [{ op: "create", kind: "shape", id: "ball" } as unknown as SceneChange],
};
const refused: Chat[number] = { kind: "tool", call_id: "d", name: "create_shape", args: {} };

test("files are called by the first request that came to something, or as the user named the session", () => {
  expect(workName("A castle", [said("A castle"), made])).toBe("A castle");
  expect(workName("A flurb", [said("A flurb"), refused, said("A red\n ball"), made])).toBe("A red ball");
  expect(workName("A flurb with…", [said("A flurb with a very long text"), said("A ball"), made])).toBe(
    "A ball",
  );
  expect(workName("Holidays", [said("A flurb"), said("A ball"), made])).toBe("Holidays");
  expect(workName("A flurb", [said("A flurb"), refused])).toBe("A flurb");
  expect(workName("", [])).toBe("");
});

test("the size of a picture stays whole behind a long name", () => {
  const name = downloadName("a table with a red mug and a green bottle beside a tall window", "png", {
    suffix: "1600x1200",
  });
  expect(name).toBe("a-table-with-a-red-mug-and-a-green-bottle-beside-a-1600x1200.png");
  expect(downloadName("", "png", { suffix: "80x60" })).toBe("scene-80x60.png");
  expect(downloadName("a ball!", "glb")).toBe("a-ball.glb");
});
