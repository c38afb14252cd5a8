import { describe, expect, test } from "vitest";
import { type Action, searchActions } from "../../src/actions";
import { keyLabels, matches, type Shortcut } from "../../src/actions/keys";

const key = (key: string, held: Partial<KeyboardEvent> = {}): KeyboardEvent =>
  ({
    key,
    code: "",
    ctrlKey: false,
    metaKey: false,
    shiftKey: false,
    altKey: false,
    ...held,
  }) as KeyboardEvent;

describe("a shortcut", () => {
  const undo: Shortcut = { key: "z", mod: true };

  test("is its key with what is held, no more and no less", () => {
    expect(matches(undo, key("z", { ctrlKey: true }))).toBe(true);
    expect(matches(undo, key("Z", { metaKey: true }))).toBe(true);
    expect(matches(undo, key("z"))).toBe(false);
    expect(matches(undo, key("Z", { ctrlKey: true, shiftKey: true }))).toBe(false);
    expect(matches(undo, key("z", { ctrlKey: true, altKey: true }))).toBe(false);
    expect(matches({ ...undo, shift: true }, key("Z", { ctrlKey: true, shiftKey: true }))).toBe(true);
  });

  test("that is a sign is that sign, whichever keys write it", () => {
    expect(matches({ key: "?" }, key("?", { shiftKey: true }))).toBe(true);
    expect(matches({ key: "?" }, key("?"))).toBe(true);
    expect(matches({ key: "/" }, key("/", { shiftKey: true }))).toBe(true);
  });

  test("by place is that place, whatever it writes", () => {
    const panels: Shortcut = { key: "\\", code: "Backslash", mod: true };
    expect(matches(panels, key("#", { code: "Backslash", ctrlKey: true }))).toBe(true);
    expect(matches(panels, key("\\", { code: "IntlBackslash", ctrlKey: true }))).toBe(false);
  });

  test("is written as on the keyboard", () => {
    expect(keyLabels({ key: "z", mod: true, shift: true }, false)).toEqual(["Ctrl", "Shift", "Z"]);
    expect(keyLabels({ key: "z", mod: true, shift: true }, true)).toEqual(["⌘", "⇧", "Z"]);
    expect(keyLabels({ key: "escape" }, false)).toEqual(["Esc"]);
  });
});

describe("the palette finds", () => {
  const action = (id: string, label: string, keywords?: string): Action => ({
    id,
    section: "Edit",
    label,
    ...(keywords !== undefined && { keywords }),
    run: () => {},
  });
  const ACTIONS = [
    action("add_box", "Add: Box", "new create"),
    action("undo", "Undo", "back"),
    action("sheet", "Show the keyboard shortcuts", "keys"),
    action("new", "Begin a new session"),
  ];
  const ids = (query: string) => searchActions(ACTIONS, query).map(({ id }) => id);

  test("everything, in order, without a query", () => {
    expect(ids("")).toEqual(["add_box", "undo", "sheet", "new"]);
    expect(ids("  ")).toHaveLength(4);
  });

  test("by beginnings of words, in any order", () => {
    expect(ids("bo")).toEqual(["add_box"]);
    expect(ids("short key")).toEqual(["sheet"]);
    expect(ids("ox")).toEqual([]);
  });

  test("what is called so before what is only like it", () => {
    expect(ids("new")).toEqual(["new", "add_box"]);
    expect(ids("b")).toEqual(["new", "add_box", "undo"]);
  });
});
