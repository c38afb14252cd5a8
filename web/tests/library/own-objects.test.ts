// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { isObjectFile, kindOfFile } from "../../src/files/scene-files";
import { Library } from "../../src/library/library";
import type { LibraryObject } from "../../src/library/objects";
import { nameFor, OwnObjects, wordsIn } from "../../src/library/own-objects";
import { OWN_OBJECTS, searchObjects } from "../../src/library/search";
import { Studio } from "../../src/studio/studio";

const MUG: LibraryObject = { name: "mug", names: ["mug"], categories: ["kitchen"], size: [0.1, 0.1, 0.1] };
const LAMP: LibraryObject = {
  name: "reading lamp",
  names: ["reading lamp", "my light"],
  categories: ["lights"],
  size: [0.2, 0.6, 0.2],
  own: true,
  note: "",
  version: "abc",
};
const ABOUT = { name: "reading lamp", words: ["my light"], category: "lights", note: "" };

const server = vi.fn<(address: URL, request?: RequestInit) => Promise<Response>>();

beforeEach(() => {
  server.mockReset();
  vi.stubGlobal("fetch", server);
});
afterEach(() => {
  vi.unstubAllGlobals();
});

test("what is called and typed becomes names and words", () => {
  expect(nameFor(["floor_lamp_2"])).toBe("floor lamp");
  expect(nameFor(["a", "b"])).toBe("");
  expect(nameFor(["läse/lampe:*"])).toBe("läse lampe");
  expect(wordsIn(" a b , ,c,")).toEqual(["a b", "c"]);
});

test("one's own are a category of their own, and are found with the others", () => {
  expect(searchObjects([MUG, LAMP], "", OWN_OBJECTS)).toEqual([LAMP]);
  expect(searchObjects([MUG, LAMP], "my light", null)).toEqual([LAMP]);
  expect(searchObjects([MUG, LAMP], "", "kitchen")).toEqual([MUG]);
});

test("an exported object is told from a scene by its name or its beginning", () => {
  expect(kindOfFile({ name: "Lamp.object.JSON", type: "" })).toBe("object");
  expect(kindOfFile({ name: "lamp.json", type: "" })).toBe("scene");
  expect(isObjectFile('{"format":"scene-llm object","version":1')).toBe(true);
  expect(isObjectFile('{"version": 1, "shapes": []}')).toBe(false);
});

test("a saved object is sent with its ids, and its library is told", async () => {
  const studio = new Studio(new URL("/", location.href));
  const host = {
    api: studio.api,
    sessionId: () => "s1",
    attempt: async (_: string, action: () => Promise<void>) => action().then(() => true),
  };
  const objects = new OwnObjects(host);
  server.mockResolvedValueOnce(Response.json(LAMP, { status: 201 }));
  expect(await objects.save(["lamp"], ABOUT, 90)).toBeNull();
  const [address, request] = server.mock.calls[0] ?? [];
  expect(String(address)).toMatch(/\/api\/objects$/);
  expect(request?.method).toBe("POST");
  expect(JSON.parse(String(request?.body))).toEqual({ session: "s1", ids: ["lamp"], ...ABOUT, front: 90 });
  expect(objects.shown.value).toEqual({ name: "reading lamp" });
  expect(objects.changes.value).toBe(1);
});

test("the library loads anew what was changed, and shows what was saved", async () => {
  const studio = new Studio(new URL("/", location.href));
  const library = new Library(studio);
  server.mockResolvedValueOnce(Response.json({ objects: [MUG], categories: ["kitchen"], version: "1" }));
  await library.load();
  library.query.value = "mug";
  server.mockResolvedValueOnce(Response.json(LAMP, { status: 201 }));
  server.mockResolvedValueOnce(
    Response.json({ objects: [LAMP, MUG], categories: ["kitchen"], version: "1" }),
  );
  expect(await studio.ownObjects.import(new File(["{}"], "lamp.object.json"))).toBe(true);
  await vi.waitFor(() => expect(library.contents.value?.objects).toHaveLength(2));
  expect(library.category.value).toBe(OWN_OBJECTS);
  expect(library.found.value).toEqual([LAMP]);
  expect(library.pictureUrl(LAMP)).toMatch(/reading%20lamp\/picture\?v=abc$/);
  expect(library.pictureUrl(MUG)).toMatch(/mug\/picture\?v=1$/);
});

test("what the server refuses changes nothing", async () => {
  const studio = new Studio(new URL("/", location.href));
  server.mockResolvedValueOnce(Response.json({ detail: "there is an object 'x' already" }, { status: 409 }));
  expect(await studio.ownObjects.change(LAMP, ABOUT)).toBe("there is an object 'x' already");
  server.mockResolvedValueOnce(Response.json({ detail: "it is no exported object" }, { status: 422 }));
  expect(await studio.ownObjects.import(new File(["{}"], "x.object.json"))).toBe(false);
  expect(studio.ownObjects.changes.value).toBe(0);
  expect(studio.state.value.toasts.at(-1)?.text).toContain("it is no exported object");
});

test("of two lists that were asked for the newer counts, whichever comes last", async () => {
  const studio = new Studio(new URL("/", location.href));
  const library = new Library(studio);
  const lists: ((objects: LibraryObject[]) => void)[] = [];
  server.mockImplementation((_, request) => {
    if (request?.method !== "GET") return Promise.resolve(Response.json(LAMP, { status: 201 }));
    return new Promise((resolve) => {
      lists.push((objects) => resolve(Response.json({ version: "1", categories: [], objects })));
    });
  });
  // A change while the first list is on its way, and one more.
  const loading = library.load();
  await studio.ownObjects.import(new File(["{}"], "lamp.object.json"));
  await studio.ownObjects.import(new File(["{}"], "lamp.object.json"));
  await vi.waitFor(() => expect(lists).toHaveLength(3));
  lists[2]?.([MUG, LAMP]);
  await vi.waitFor(() => expect(library.contents.value?.objects).toEqual([MUG, LAMP]));
  lists[1]?.([MUG]);
  lists[0]?.([]);
  await loading;
  expect(library.contents.value?.objects).toEqual([MUG, LAMP]);
});
