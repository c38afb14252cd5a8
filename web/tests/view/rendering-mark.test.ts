import { expect, test } from "vitest";
import { RenderingMark } from "../../src/studio/rendering-mark";

function tab(): Pick<Storage, "getItem" | "setItem" | "removeItem"> {
  const entries = new Map<string, string>();
  return {
    getItem: (name) => entries.get(name) ?? null,
    setItem: (name, value) => void entries.set(name, value),
    removeItem: (name) => void entries.delete(name),
  };
}

test("what a page was rendering when it ended is told to the next one once, and of its own session only", () => {
  const storage = tab();
  const mark = () => new RenderingMark("image", () => storage);
  mark().set("s1");
  expect(mark().take("s2")).toBe(false);
  expect(new RenderingMark("animation", () => storage).take("s1")).toBe(false);
  expect(mark().take("s1")).toBe(true);
  expect(mark().take("s1")).toBe(false);
});

test("what was finished is not told", () => {
  const storage = tab();
  const mark = new RenderingMark("image", () => storage);
  mark.set("s1");
  mark.clear();
  expect(mark.take("s1")).toBe(false);
});

test("a browser without storage tells nothing", () => {
  const mark = new RenderingMark("image", () => {
    throw new Error("storage is switched off");
  });
  mark.set("s1");
  expect(mark.take("s1")).toBe(false);
});
