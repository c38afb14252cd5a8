import { describe, expect, test } from "vitest";
import { netChanges, turnResults } from "../../src/chat/changes";
import { addChanges } from "../../src/chat/chat";
import type { Chat, ShownEntry, ToolEntry } from "../../src/chat/entries";
import { advanceBlocks, type MarkdownBlocks, noBlocks } from "../../src/chat/markdown";
import { toolColour, toolSubject } from "../../src/chat/tool-summary";
import { sessionIdFromUrl, urlWithSession } from "../../src/connection/session-url";
import { sessionFileName } from "../../src/files/files";
import { clock, compactJson, relativeTime, renderFacts, shortDuration } from "../../src/format";
import type { SceneChange } from "../../src/protocol";

const html = (blocks: MarkdownBlocks) => [...blocks.closed, blocks.open].join("");

describe("streamed markdown", () => {
  const TEXT =
    "# Title\n\nA *word*\nand more.\n\n- one\n- two\n\n  still two\n\n```js\nlet a = 1;\n\nlet b;\n```\n\n1. x\n2. y\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nend **bold**";

  test("comes out as if it had been there at once", () => {
    let blocks = noBlocks;
    for (let length = 1; length <= TEXT.length; length += 1)
      blocks = advanceBlocks(blocks, TEXT.slice(0, length));
    expect(html(blocks)).toBe(html(advanceBlocks(noBlocks, TEXT)));
    expect(blocks.closed.length).toBeGreaterThan(4);
  });

  test("keeps closed blocks as they are", () => {
    const first = advanceBlocks(noBlocks, "one\n\ntwo");
    const second = advanceBlocks(first, "one\n\ntwo and\n\nthree");
    expect(second.closed[0]).toBe(first.closed[0]);
    expect(second.open).toBe("<p>three</p>\n");
  });

  test("starts again with another text", () => {
    const first = advanceBlocks(noBlocks, "one\n\ntwo");
    expect(html(advanceBlocks(first, "other"))).toBe("<p>other</p>\n");
  });
});

describe("changes of a run", () => {
  const change = (op: SceneChange["op"], id: string): SceneChange => ({
    op,
    kind: "shape",
    id,
    before: null,
    after: null,
  });

  test.each([
    ["create update", "create"],
    ["create remove", ""],
    ["update update", "update"],
    ["update remove", "remove"],
    ["remove create", "update"],
    ["create remove create", "create"],
  ])("%s of one object is %s", (ops, expected) => {
    const changes = ops.split(" ").map((op) => change(op as SceneChange["op"], "ball"));
    expect(
      netChanges(changes)
        .map((each) => each.op)
        .join(" "),
    ).toBe(expected);
  });

  const user = (id: string) => ({ kind: "user", message_id: id, text: "", revision: 0 }) as const;
  const tool = (id: string, revision: number): ToolEntry => ({
    kind: "tool",
    call_id: id,
    name: "create_shape",
    args: {},
    changes: [change("create", id)],
    revision,
  });

  test("stand at the end of the run, once it is over, with the revision it led to", () => {
    const undone: ShownEntry = { kind: "changed", by: "user", revision: 9, changes: [change("remove", "c")] };
    const chat = [user("u1"), tool("a", 1), tool("b", 2), user("u2"), tool("c", 7), tool("d", 8), undone];
    const results = (running: boolean) =>
      [...turnResults(chat, running)].map(([index, { changes, revision }]) => [
        index,
        changes.map((each) => each.id),
        revision,
      ]);
    expect(results(false)).toEqual([
      [5, ["c", "d"], 8],
      [2, ["a", "b"], 2],
    ]);
    expect(results(true)).toEqual([[2, ["a", "b"], 2]]);
  });

  test("of a run are one each, and count what the model did without a call", () => {
    const alone: ShownEntry = { kind: "changed", by: "model", revision: 3, changes: [change("update", "b")] };
    expect(turnResults([user("u1"), tool("a", 2)], false).get(1)?.changes).toHaveLength(1);
    expect(turnResults([user("u1"), tool("a", 2), alone], false).get(2)).toMatchObject({ revision: 3 });
  });

  test("that the chat of a welcome leaves out are counted, of several calls and lines by hand together", () => {
    const changed = (id: string, leftOut: number, by: string) => {
      return { revision: 3, by, changes: [change("create", id)], left_out: leftOut };
    };
    let called: Chat = [user("u1")];
    for (const id of ["a", "b"]) {
      called = addChanges([...called, tool(id, 2)], changed(`${id}2`, 400, "model"));
    }
    expect(turnResults(called, false).get(2)?.leftOut).toBe(800);
    const byHand = ["a", "b"].reduce<Chat>((chat, id) => addChanges(chat, changed(id, 5, "user")), []);
    expect(byHand).toMatchObject([{ kind: "changed", left_out: 10 }]);
  });

  test("that came to nothing leave no line", () => {
    const gone = { ...tool("a", 3), changes: [change("remove", "a")] };
    expect(turnResults([user("u1"), tool("a", 2), gone], false).size).toBe(0);
    expect(turnResults([user("u1")], false).size).toBe(0);
  });
});

describe("words and numbers", () => {
  test.each([
    [0, "0:00"],
    [11_200, "0:12"],
    [125_000, "2:05"],
    [3_599_000, "59:59"],
    [6_656_000, "1 h 51 min"],
    [7_200_000, "2 h"],
    [7_199_500, "2 h"],
    [-5, "0:00"],
  ])("a wait of %i ms is %s", (ms, expected) => expect(clock(ms)).toBe(expected));

  test.each([
    [0.4, "<1 ms"],
    [8.4, "8 ms"],
    [1234, "1.2 s"],
    [65_000, "1:05"],
  ])("a call of %f ms took %s", (ms, expected) => expect(shortDuration(ms)).toBe(expected));

  test.each([
    [20, "just now"],
    [90, "1 min ago"],
    [3 * 3600, "3 h ago"],
    [30 * 3600, "yesterday"],
    [12 * 86_400, "12 days ago"],
    [100 * 86_400, "2026-01-21"],
    [-5, "just now"],
  ])("%i s ago was %s", (seconds, expected) => {
    const now = Date.UTC(2026, 4, 1);
    expect(relativeTime(now - seconds * 1000, now)).toBe(expected);
  });

  test.each([
    ["A red ball, please!", "A-red-ball-please.scene-llm"],
    ["../../..", "session.scene-llm"],
    ["Größe 2", "Größe-2.scene-llm"],
    ["x".repeat(99), `${"x".repeat(60)}.scene-llm`],
  ])("the file of session %j is %s", (name, expected) => expect(sessionFileName(name)).toBe(expected));

  const render = {
    revision: 1,
    samples: 64,
    targetSamples: 256,
    elapsedMs: 9_000,
    etaMs: 12_000,
    noise: 0.021,
  };
  test.each([
    [render, false, "64/256 spp · 0:12 left · noise 2.1 %"],
    [render, true, "Paused · 64/256 spp · noise 2.1 %"],
    [{ ...render, etaMs: null, noise: null }, false, "64/256 spp"],
    [{ ...render, samples: 256 }, true, "Done · 256 spp · noise 2.1 %"],
  ])("the strip says %#", (state, paused, expected) => {
    expect(renderFacts(state, paused).join(" · ")).toBe(expected);
  });

  test("JSON keeps points on one line and loses nothing", () => {
    const value = { a: [1, 2, 3], b: { c: [{ d: null }], e: {} }, f: "x\n" };
    const text = compactJson(value);
    expect(text).toContain('"a": [1, 2, 3]');
    expect(JSON.parse(text)).toEqual(value);
  });
});

describe("a tool card", () => {
  const tool = (args: unknown): ToolEntry => ({ kind: "tool", call_id: "c", name: "n", args });

  test.each([
    [{ id: "ball", type: "sphere" }, "ball"],
    [{ type: "gradient" }, "gradient"],
    [{ center: [0, 1, 5] }, "at 0, 1, 5"],
    [{ center: [2.92909000000001, -0.30000000000000004, 0.00012345] }, "at 2.929, -0.3, 0.000123"],
    [{ id: 7 }, ""],
    [null, ""],
  ] as [unknown, string][])("with %j is about %j", (args, expected) => {
    expect(toolSubject(tool(args))).toBe(expected);
  });

  test("shows a colour as the screen would", () => {
    const material = { type: "lambertian", albedo: [1, 0.2158605, 0] };
    expect(toolColour(tool({ properties: { material } }))).toBe("rgb(255 128 0)");
    expect(toolColour(tool({ updates: { properties: { material } } }))).toBe("rgb(255 128 0)");
    expect(toolColour(tool({ properties: { material: { albedo: "red" } } }))).toBeNull();
    expect(toolColour(tool([]))).toBeNull();
  });
});

describe("the address", () => {
  test.each([
    ["http://h/", null],
    ["http://h/?session=a", "a"],
    ["http://h/#session=b%20c", "b c"],
    ["http://h/?session=a#session=b", "b"],
    ["http://h/#session=", null],
  ])("%s names %j", (address, expected) => expect(sessionIdFromUrl(new URL(address))).toBe(expected));

  test("carries the session in its fragment only", () => {
    const changed = urlWithSession(new URL("http://h/p?session=a&x=1"), "b c");
    expect(changed.href).toBe("http://h/p?x=1#session=b%20c");
    expect(urlWithSession(changed, null).href).toBe("http://h/p?x=1");
  });
});
