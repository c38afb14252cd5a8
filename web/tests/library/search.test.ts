import { describe, expect, test } from "vitest";
import type { LibraryObject } from "../../src/library/objects";
import { searchObjects } from "../../src/library/search";

const object = (names: string[], categories: string[] = []): LibraryObject => ({
  name: names[0] ?? "",
  names,
  categories,
  size: [1, 1, 1],
});
const OBJECTS = [
  object(["armchair", "easy chair"], ["furniture", "seats"]),
  object(["boat", "dinghy"], ["vehicles"]),
  object(["book"]),
  object(["bookshelf", "bookcase"], ["furniture"]),
  object(["chair", "dining chair"], ["furniture", "seats"]),
  object(["cherry"], ["fruit"]),
  object(["deck chair"], ["seats"]),
  object(["glass", "tumbler"]),
  object(["goat"], ["animals"]),
  object(["knife"]),
  object(["sofa", "couch", "séttee"], ["furniture", "seats"]),
  object(["table", "dining table"], ["furniture"]),
  object(["wine glass"]),
];
const found = (query: string, category: string | null = null) =>
  searchObjects(OBJECTS, query, category).map(({ name }) => name);

describe("the library finds", () => {
  test("everything without a query, and all of a category", () => {
    expect(found("  ")).toHaveLength(OBJECTS.length);
    expect(found("", "seats")).toEqual(["armchair", "chair", "deck chair", "sofa"]);
    expect(found("deck", "furniture")).toEqual([]);
  });

  test("names that begin so first, then words of names, synonyms and categories", () => {
    expect(found("chair")).toEqual(["chair", "deck chair", "armchair"]);
    expect(found("book")).toEqual(["book", "bookshelf"]);
    expect(found("dining")).toEqual(["chair", "table"]);
    expect(found("furn")).toEqual(["armchair", "bookshelf", "chair", "sofa", "table"]);
    expect(found("dining furniture")).toEqual(["chair", "table"]);
  });

  test.each([
    ["arm chair", ["armchair"]],
    ["ARM-CHAIRS", ["armchair"]],
    ["winegl", ["wine glass"]],
    ["glasses", ["glass", "wine glass"]],
    ["knives", ["knife"]],
    ["cherries", ["cherry"]],
    ["book shelves", ["bookshelf"]],
    ["settee", ["sofa"]],
  ])("%s however it is written", (query, names) => {
    expect(found(query)).toEqual(names);
  });

  test("what is a letter or two off, only where nothing else is found", () => {
    expect(found("amrchair")).toEqual(["armchair"]);
    expect(found("bokshelv")).toEqual(["bookshelf"]);
    expect(found("cheir")).toEqual(["armchair", "chair", "deck chair"]);
    expect(found("goat")).toEqual(["goat"]);
    expect(found("xyz")).toEqual([]);
    expect(found("dragon")).toEqual([]);
  });
});
