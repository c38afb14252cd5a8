import { beforeEach, expect, test, vi } from "vitest";
import type { StoredRender } from "../../src/view/render-storage";
import { SavedRenders } from "../../src/view/saved-renders";

const picture = () => ({ width: 4, height: 3, close: vi.fn() }) as unknown as ImageBitmap;
const stored = (name: string): StoredRender => ({ name, content: new Blob([name]) });

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

beforeEach(() => {
  vi.stubGlobal("createImageBitmap", async () => picture());
});

test("the newest saved render is compared with; others and the raster can be chosen", () => {
  const saved = new SavedRenders(new FakeStorage());
  saved.save(picture(), stored("one"));
  saved.save(picture(), stored("two"));
  expect(saved.chosen.value?.name).toBe("two");
  saved.choose(saved.list.value[0]?.id ?? -1);
  expect(saved.chosen.value?.name).toBe("one");
  saved.choose(0);
  expect(saved.chosen.value).toBeNull();
});

test("the oldest make room and give their memory back, as all do at the end", () => {
  const saved = new SavedRenders(new FakeStorage());
  const pictures = Array.from({ length: 10 }, picture);
  for (const [index, image] of pictures.entries()) saved.save(image, stored(`picture ${index}`));
  expect(saved.list.value.map(({ name }) => name)).toEqual(
    [2, 3, 4, 5, 6, 7, 8, 9].map((index) => `picture ${index}`),
  );
  expect(pictures.map((image) => vi.mocked(image.close).mock.calls.length)).toEqual([
    1, 1, 0, 0, 0, 0, 0, 0, 0, 0,
  ]);
  saved.clear();
  expect(saved.chosen.value).toBeNull();
  expect(pictures.every((image) => vi.mocked(image.close).mock.calls.length === 1)).toBe(true);
});

test("a session has its renders again, also what was saved before they were read", async () => {
  const storage = new FakeStorage();
  storage.sessions.set("a", [stored("old")]);
  const saved = new SavedRenders(storage);
  const entered = saved.enter("a");
  saved.save(picture(), stored("new"));
  await entered;
  expect(saved.list.value.map(({ name }) => name)).toEqual(["old", "new"]);
  await vi.waitFor(() => expect(storage.sessions.get("a")).toHaveLength(2));

  await saved.enter("b");
  expect(saved.list.value).toEqual([]);
  await saved.enter("a");
  expect(saved.list.value.map(({ name }) => name)).toEqual(["old", "new"]);
});
