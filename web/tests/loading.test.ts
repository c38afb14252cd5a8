import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { loadPart } from "../src/loading";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Fails so many times, then gives "the part". */
function failing(times: number) {
  return vi.fn(() => (times-- > 0 ? Promise.reject(new Error("cut")) : Promise.resolve("the part")));
}

test("what fails is tried again", async () => {
  const load = failing(3);
  const part = loadPart(load);
  await vi.runAllTimersAsync();
  expect(await part).toBe("the part");
  expect(load).toHaveBeenCalledTimes(4);
});

test("what fails for long is given up with its error", async () => {
  const load = failing(100);
  const part = expect(loadPart(load)).rejects.toThrow("cut");
  await vi.runAllTimersAsync();
  await part;
  expect(load).toHaveBeenCalledTimes(6);
});

test("what is no longer wanted is not tried again", async () => {
  const load = failing(100);
  const wanted = new AbortController();
  const part = expect(loadPart(load, wanted.signal)).rejects.toThrow();
  await vi.advanceTimersByTimeAsync(100);
  wanted.abort();
  await part;
  await vi.runAllTimersAsync();
  expect(load).toHaveBeenCalledTimes(1);
});
