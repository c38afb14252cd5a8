import { expect, test, vi } from "vitest";
import type { StoredRender } from "../../src/view/render-storage";
import { SavedRenders } from "../../src/view/saved-renders";

const stored = (name: string, bytes = 10): StoredRender => ({
  name,
  content: { size: bytes, type: "image/png" } as Blob,
  width: 4,
  height: 3,
});
const names = (saved: SavedRenders) => saved.list.value.map(({ name }) => name);

/** Keeps what is written, as the browser's storage does. */
class FakeStorage {
  readonly sessions = new Map<string, readonly StoredRender[]>();

  async load(session: string) {
    return this.sessions.get(session) ?? [];
  }

  async write(session: string, renders: readonly StoredRender[]) {
    this.sessions.set(session, renders);
  }
}

test("any two renders stand on the sides of the divider, or what is live there", () => {
  const saved = new SavedRenders(new FakeStorage());
  const { left, right } = saved.sides;
  const [one, two] = [saved.save(stored("one")), saved.save(stored("two"))];
  expect([left.value, right.value]).toEqual([null, null]);
  saved.choose("left", one.id);
  saved.choose("right", two.id);
  expect([left.value?.name, right.value?.name]).toEqual(["one", "two"]);
  saved.choose("right", 0);
  expect([left.value?.name, right.value]).toEqual(["one", null]);
});

test("the oldest make room, and are not compared any more", () => {
  const saved = new SavedRenders(new FakeStorage());
  saved.choose("left", saved.save(stored("picture 0")).id);
  for (let index = 1; index < 14; index += 1) saved.save(stored(`picture ${index}`));
  expect(names(saved)).toEqual(Array.from({ length: 12 }, (_, index) => `picture ${index + 2}`));
  expect(saved.sides.left.value).toBeNull();
});

test("large renders make room earlier, and the newest stays whatever its size", () => {
  const saved = new SavedRenders(new FakeStorage());
  for (const name of ["a", "b", "c"]) saved.save(stored(name, 40 << 20));
  expect(names(saved)).toEqual(["b", "c"]);
  saved.save(stored("huge", 200 << 20));
  expect(names(saved)).toEqual(["huge"]);
});

test("a session has its renders again, also what was saved before they were read", async () => {
  const storage = new FakeStorage();
  storage.sessions.set("a", [stored("old")]);
  const saved = new SavedRenders(storage);
  const entered = saved.enter("a");
  saved.save(stored("new"));
  await entered;
  expect(names(saved)).toEqual(["old", "new"]);
  await vi.waitFor(() => expect(storage.sessions.get("a")).toHaveLength(2));

  await saved.enter("b");
  expect(saved.list.value).toEqual([]);
  await saved.enter("a");
  expect(names(saved)).toEqual(["old", "new"]);
});
