import { signal } from "@preact/signals";
import { expect, test, vi } from "vitest";
import type { Animation } from "../../src/document/motion/animation";
import { type Moments, mix } from "../../src/document/motion/moments";
import type { SceneDocument } from "../../src/document/scene";
import { Playback } from "../../src/view/playback";
import { SCENE, sphere } from "../support/fake-scene";

const ANIMATION: Animation = {
  duration: 2,
  fps: 10,
  loops: true,
  tracks: [
    {
      target: "a",
      property: "position",
      keys: [
        { time: 0, value: [0, 0, 0] },
        { time: 2, value: [4, 0, 0] },
      ],
    },
  ],
};
const STILL: SceneDocument = { ...SCENE, animation: ANIMATION };

const moved = (x: number) => {
  const ball = sphere("a", 1);
  return { ...ball, properties: { ...ball.properties, center: [x, 0, 0] } };
};
const change = (x: number) =>
  ({ op: "update", kind: "shape", id: "a", before: moved(0), after: moved(x) }) as const;
/** What moves to 4 metres in two seconds; the first moment has no changes. */
const MOMENTS: Moments = {
  revision: 7,
  duration: 2,
  moments: [
    { time: 0, changes: [] },
    {
      time: 1,
      changes: [change(2), { op: "remove", kind: "shape", id: "b", before: sphere("b", 2), after: null }],
    },
    { time: 2, changes: [change(4)] },
  ],
};

function player(loops = true) {
  const scene = signal<SceneDocument>({ ...STILL, animation: { ...ANIMATION, loops } });
  const revision = signal<number | null>(7);
  const load = vi.fn(async (): Promise<Moments | null> => ({ ...MOMENTS, revision: revision.value ?? 0 }));
  let waiting: ((nowMs: number) => void)[] = [];
  const playback = new Playback({ scene, revision, load, nextFrame: (callback) => waiting.push(callback) });
  playback.start();
  const frame = (nowMs: number) => {
    const now = waiting;
    waiting = [];
    for (const callback of now) callback(nowMs);
    return now.length;
  };
  const x = () => {
    const ball = playback.scene.value.shapes.find(({ id }) => id === "a");
    return (ball?.properties.center as number[] | undefined)?.[0];
  };
  return { playback, scene, revision, load, frame, x };
}

test("at rest the scene is as it is, and nothing is asked for", () => {
  const { playback, scene, load } = player();
  expect(playback.scene.value).toBe(scene.value);
  expect(load).not.toHaveBeenCalled();
});

test("at a time things stand between two moments; what is hidden is so from its moment on", async () => {
  const { playback, x } = player();
  playback.seek(0.5);
  await vi.waitFor(() => expect(x()).toBe(1));
  const ids = () => playback.scene.value.shapes.map(({ id }) => id);
  expect(ids()).toEqual(["a", "b", "c"]);
  playback.seek(1.5);
  expect(x()).toBe(3);
  expect(ids()).toEqual(["a", "c"]);
  expect(playback.heldTime.value).toBe(1.5);
  expect(playback.stop()).toBe(true);
  expect(x()).toBe(0);
  expect(playback.heldTime.value).toBeNull();
  expect(playback.stop()).toBe(false);
});

test("it plays by the clock, and begins again at the end", () => {
  const { playback, frame } = player();
  playback.seek(1.8);
  playback.play();
  frame(5000);
  frame(5100);
  expect(playback.time.value).toBeCloseTo(1.9);
  frame(5250);
  expect(playback.time.value).toBeCloseTo(0.05);
  expect(playback.heldTime.value).toBeNull();
});

test("without a loop it holds at the end, and plays again from the beginning", () => {
  const { playback, frame } = player(false);
  playback.seek(1.9);
  playback.play();
  frame(0);
  frame(200);
  expect([playback.time.value, playback.playing.value]).toEqual([2, false]);
  playback.toggle();
  expect([playback.time.value, playback.playing.value]).toEqual([0, true]);
});

test("played twice at once it still waits for one frame", () => {
  const { playback, frame } = player();
  playback.play();
  playback.pause();
  playback.play();
  frame(0);
  expect(frame(16)).toBe(1);
});

test("when the scene changes while it is shown, how it moves is asked again", async () => {
  const { playback, revision, load } = player();
  playback.seek(1);
  await vi.waitFor(() => expect(load).toHaveBeenCalledTimes(1));
  revision.value = 8;
  await vi.waitFor(() => expect(load).toHaveBeenCalledTimes(2));
  playback.stop();
  revision.value = 9;
  expect(load).toHaveBeenCalledTimes(2);
});

test("what the server does not animate yet is not asked for", async () => {
  const { playback, revision, load } = player();
  revision.value = null;
  playback.seek(1);
  expect(load).not.toHaveBeenCalled();
  revision.value = 8;
  await vi.waitFor(() => expect(load).toHaveBeenCalledTimes(1));
});

test("what comes for a session that was left is not shown", async () => {
  const { playback, x } = player();
  playback.seek(1);
  playback.reset();
  await Promise.resolve();
  playback.time.value = 1;
  expect(x()).toBe(0);
});

test("when nothing is animated any more it is at rest", () => {
  const { playback, scene } = player();
  playback.play();
  scene.value = SCENE;
  expect([playback.playing.value, playback.time.value]).toEqual([false, 0]);
});

test("values of another form do not mix", () => {
  expect(mix({ a: [0, 4], b: "x" }, { a: [2, 8], b: "y" }, 0.5)).toEqual({ a: [1, 6], b: "x" });
  expect(mix([1], [1, 2], 0.5)).toEqual([1]);
  expect(mix(null, 3, 0.5)).toBeNull();
});
