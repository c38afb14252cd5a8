import { describe, expect, test } from "vitest";
import { colorOf, initialsOf, nameOf, othersOf, selectedBy } from "../../src/store/people";

const person = (id: number, name: string, ...selection: string[]) => ({
  id,
  name,
  can_edit: true,
  selection,
});
const PEOPLE = {
  you: 2,
  people: [person(1, "Ada Lovelace", "vase"), person(2, "me", "vase"), person(3, "")],
  more: 0,
};

describe("who else is here", () => {
  test("one does not see oneself", () => {
    expect(othersOf(PEOPLE).map(({ id }) => id)).toEqual([1, 3]);
    expect(selectedBy(PEOPLE, "vase").map(({ id }) => id)).toEqual([1]);
    expect(othersOf(null)).toEqual([]);
  });

  test("names are letters and colors; without one there is a number", () => {
    expect(PEOPLE.people.map(initialsOf)).toEqual(["AL", "M", "G3"]);
    expect(nameOf(person(3, ""))).toBe("Guest 3");
    expect(colorOf(person(1, ""))).not.toBe(colorOf(person(2, "")));
    expect(initialsOf(person(4, "🦀 crab"))).toBe("🦀C");
  });
});
