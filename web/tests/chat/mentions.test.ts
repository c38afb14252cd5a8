import { describe, expect, test } from "vitest";
import { complete, matchingNames, mentionedNames, openMention, splitMentions } from "../../src/chat/mentions";

const NAMES = new Set(["ball", "ball_2", "red_sphere", "table"]);

test("a mention is open from its @ to the caret, at the beginning of a word only", () => {
  expect(openMention("make @re", 8)).toEqual({ start: 5, query: "re" });
  expect(openMention("@", 1)).toEqual({ start: 0, query: "" });
  expect(openMention("make @red blue", 14)).toBeNull();
  expect(openMention("me@example", 10)).toBeNull();
  expect(openMention("nothing", 7)).toBeNull();
  expect(openMention("(@b)", 3)).toEqual({ start: 1, query: "b" });
  expect(openMention("@ball", 0)).toBeNull();
});

test("names that begin so come first, then those in which a word does", () => {
  expect(matchingNames("s", ["table_s", "glass", "sphere", "red_sphere", "sphere_10", "sphere_2"])).toEqual([
    "sphere",
    "sphere_2",
    "sphere_10",
    "red_sphere",
    "table_s",
    "glass",
  ]);
  expect(matchingNames("BALL", NAMES)).toEqual(["ball", "ball_2"]);
  expect(matchingNames("x", NAMES)).toEqual([]);
  expect(
    matchingNames(
      "",
      Array.from({ length: 50 }, (_, index) => `n${index}`),
    ),
  ).toHaveLength(8);
});

test("completing puts one space after the name and the caret behind it", () => {
  const typed = "make @re blue";
  expect(complete(typed, { start: 5, query: "re" }, "red_sphere")).toEqual({
    text: "make @red_sphere blue",
    caret: 17,
  });
  expect(complete("@b", { start: 0, query: "b" }, "ball")).toEqual({ text: "@ball ", caret: 6 });
});

describe("a text that mentions", () => {
  test("is cut at known names, the longest of those that fit", () => {
    expect(splitMentions("put @ball_2 on @table, not @chair", NAMES)).toEqual([
      { kind: "words", text: "put " },
      { kind: "mention", name: "ball_2" },
      { kind: "words", text: " on " },
      { kind: "mention", name: "table" },
      { kind: "words", text: ", not @chair" },
    ]);
    expect(splitMentions("me@ball @balloon", NAMES)).toEqual([{ kind: "words", text: "me@ball @balloon" }]);
    expect(splitMentions("", NAMES)).toEqual([]);
  });

  test("names each thing once", () => {
    expect(mentionedNames("@ball beside @table, @ball again", NAMES)).toEqual(["ball", "table"]);
  });

  test("loses no letter", () => {
    for (const text of ["@ball", "@@ball", "a @ball@table b", "@ball_2@", "@ @ @ball"]) {
      const joined = splitMentions(text, NAMES).map((piece) =>
        piece.kind === "mention" ? `@${piece.name}` : piece.text,
      );
      expect(joined.join("")).toBe(text);
    }
  });
});
