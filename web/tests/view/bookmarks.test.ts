import { type Signal, signal } from "@preact/signals";
import { expect, test } from "vitest";
import type { Bookmark, ClientMessage, ServerMessage } from "../../src/protocol";
import { initialState, type StudioEvent, type StudioState } from "../../src/store/state";
import { reduce } from "../../src/store/store";
import { Bookmarks } from "../../src/view/bookmarks";

const at = (x: number) => ({ center: [x, 0, 0], look_at: [0, 0, 0] });

/** The bookmarks of a session whose server keeps what it is sent. */
function session(bookmarks: Bookmark[] = []) {
  const state: Signal<StudioState> = signal({
    ...initialState,
    session: { id: "s", epoch: "e", seq: 0 },
    connection: { phase: "open" },
    bookmarks,
  });
  let last = 0;
  let unanswered: ServerMessage[] = [];
  const dispatch = (event: StudioEvent) => {
    state.value = reduce(state.value, event);
  };
  const send = (message: ClientMessage) => {
    if (message.type !== "set_bookmarks") return false;
    last += 1;
    unanswered.push({ type: "bookmarks_changed", seq: last, bookmarks: message.bookmarks });
    return true;
  };
  const nextRequestId = () => `r${last + 1}`;
  const answer = () => {
    for (const message of unanswered) dispatch({ type: "message", message, receivedAtMs: 0 });
    unanswered = [];
  };
  return { state, dispatch, answer, bookmarks: new Bookmarks({ state, send, nextRequestId, dispatch }) };
}

test("one goes on from bookmark to bookmark, round and round, and begins at an end", () => {
  const { bookmarks } = session();
  expect(bookmarks.beside(null, 1)).toBeNull();
  const cameras = [1, 2, 3].map(at);
  for (const camera of cameras) bookmarks.add(camera);
  const [first, second, third] = cameras;
  expect(bookmarks.beside(null, 1)?.camera).toBe(first);
  expect(bookmarks.beside(null, -1)?.camera).toBe(third);
  expect(bookmarks.beside(first ?? null, 1)?.camera).toBe(second);
  expect(bookmarks.beside(third ?? null, 1)?.camera).toBe(first);
  expect(bookmarks.beside(first ?? null, -1)?.camera).toBe(third);
});

test("they are named, renamed and removed in the session", () => {
  const { bookmarks, state, answer } = session([{ name: "View 2", camera: at(1) }]);
  const names = () => bookmarks.list.value.map(({ name }) => name);
  bookmarks.add(at(2));
  // At once: the next change counts from there, whenever the server answers.
  expect(names()).toEqual(["View 2", "View 3"]);
  bookmarks.rename(1, " From above ");
  bookmarks.rename(0, "  ");
  bookmarks.remove(0);
  answer();
  expect(names()).toEqual(["From above"]);
  expect(state.value.bookmarks.map(({ name }) => name)).toEqual(["From above"]);
  expect(state.value.bookmarksSent).toBeNull();
});

test("what the server refuses is taken back and told", () => {
  const { bookmarks, state, dispatch } = session([{ name: "View 1", camera: at(1) }]);
  bookmarks.add(at(2));
  const error = { type: "error", code: "bad_message", message: "too many", retryable: false } as const;
  dispatch({ type: "message", message: { ...error, request_id: "r1" }, receivedAtMs: 0 });
  expect(bookmarks.list.value.map(({ name }) => name)).toEqual(["View 1"]);
  expect(state.value.toasts.map(({ text }) => text)).toEqual(["too many"]);
});

test("what this browser kept for a session goes to the session, once", () => {
  const { bookmarks, state, answer } = session([{ name: "There", camera: at(1) }]);
  const kept = [{ name: "Mine", camera: at(3) }, { name: "broken" }];
  const storage = new Map([["scene-llm.bookmarks.s", JSON.stringify(kept)]]);
  const store = {
    getItem: (key: string) => storage.get(key) ?? null,
    removeItem: (key: string) => void storage.delete(key),
  };
  bookmarks.adopt(store);
  bookmarks.adopt(store);
  answer();
  expect(state.value.bookmarks.map(({ name }) => name)).toEqual(["There", "Mine"]);
  expect(storage.size).toBe(0);

  state.value = { ...state.value, access: "view" };
  storage.set("scene-llm.bookmarks.s", JSON.stringify(kept));
  bookmarks.adopt(store);
  expect(storage.size).toBe(1);
});
