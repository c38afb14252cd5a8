import { expect, test } from "vitest";
import { applyCalls } from "../../src/document/edits";
import { type Animation, animationAfter, type Track } from "../../src/document/motion/animation";
import { shiftOf } from "../../src/document/motion/drags";
import {
  durationCall,
  frameTime,
  removeKeyCall,
  tracksCall,
  withKey,
  withKeyMoved,
} from "../../src/document/motion/keys";
import { valueAt } from "../../src/document/motion/value-at";
import { applyChanges, readScene } from "../../src/document/scene";
import { SCENE } from "../support/fake-scene";

const HOP: Track = {
  target: "a",
  property: "position",
  keys: [
    { time: 0, value: [0, 0, 0], easing: "ease_out" },
    { time: 1, value: [0, 2, 0], easing: "ease_in" },
    { time: 2, value: [0, 0, 0] },
  ],
};
const ANIMATION: Animation = { duration: 2, fps: 24, loops: true, tracks: [HOP] };
const ANIMATED = { ...SCENE, animation: ANIMATION };

test("the scene has its animation, and follows its changes", () => {
  const { animation } = readScene({ animation: ANIMATION });
  expect(animation).toEqual(ANIMATION);
  const about = { kind: "animation", id: null } as const;
  const slower = { ...ANIMATION, duration: 4 };
  const changed = applyChanges(ANIMATED, [{ op: "update", ...about, before: ANIMATION, after: slower }]);
  expect(changed.animation).toBe(slower);
  const removed = applyChanges(changed, [{ op: "remove", ...about, before: slower, after: null }]);
  expect(removed.animation).toBeNull();
  expect(applyChanges(ANIMATED, []).animation).toBe(ANIMATION);
});

test("what set_animation leads to is shown before the server answers", () => {
  const turned = applyCalls(SCENE, [{ name: "set_animation", args: { turntable: true } }]).animation;
  expect(turned?.duration).toBe(6);
  expect(turned?.tracks[0]).toMatchObject({ target: "camera", property: "orbit" });
  const spin: Track = { target: "b", property: "rotation", keys: [{ time: 3, value: [0, 90, 0] }] };
  const longer = animationAfter(ANIMATION, { tracks: [spin] });
  expect(longer?.duration).toBe(3);
  expect(longer?.tracks.map(({ target }) => target)).toEqual(["a", "b"]);
  expect(animationAfter(longer, { remove: ["b rotation"] })?.tracks).toEqual([HOP]);
  expect(animationAfter(ANIMATION, { remove: ["a position"] })).toBeNull();
  expect(animationAfter(ANIMATION, { loops: false })).toEqual({ ...ANIMATION, loops: false });
});

test("another duration stretches the keys, or leaves them where they are", () => {
  const after = (stretch: boolean) => {
    const call = durationCall(ANIMATION, 4, stretch);
    const animation = applyCalls(ANIMATED, [call]).animation;
    return [animation?.duration, animation?.tracks[0]?.keys.map(({ time }) => time)];
  };
  expect(after(true)).toEqual([4, [0, 2, 4]]);
  expect(after(false)).toEqual([4, [0, 1, 2]]);
});

test("keys stay in order, and one takes the place of another at its time", () => {
  const early = withKey(HOP, { time: 0.5, value: [0, 1, 0] });
  expect(early.keys.map(({ time }) => time)).toEqual([0, 0.5, 1, 2]);
  const higher = withKey(HOP, { time: 1, value: [0, 3, 0] });
  expect(higher.keys[1]).toEqual({ time: 1, value: [0, 3, 0], easing: "ease_in" });
  expect(withKeyMoved(HOP, 1, 1.5)?.keys.map(({ time }) => time)).toEqual([0, 1.5, 2]);
  expect(withKeyMoved(HOP, 1, 2)).toBeNull();
  expect(withKeyMoved(HOP, 1, 1)).toBeNull();
});

test("with its last key a track goes", () => {
  const single: Track = { ...HOP, keys: HOP.keys.slice(0, 1) };
  expect(removeKeyCall(single, 0)).toEqual({ name: "set_animation", args: { remove: ["a position"] } });
  expect(removeKeyCall(HOP, 1)).toEqual(
    tracksCall([{ ...HOP, keys: HOP.keys.filter(({ time }) => time !== 1) }]),
  );
});

test("times are those of frames", () => {
  expect(frameTime(ANIMATION, 0.99, 2)).toBe(1);
  expect(frameTime({ ...ANIMATION, fps: 10 }, 0.44, 2)).toBe(0.4);
  expect(frameTime(ANIMATION, 9, 2)).toBe(2);
  expect(frameTime(ANIMATION, -1, 2)).toBe(0);
});

test("values between keys follow their easing", () => {
  expect(valueAt(HOP, -1)).toEqual([0, 0, 0]);
  expect(valueAt(HOP, 0.5)).toEqual([0, 1.5, 0]);
  expect(valueAt(HOP, 1.5)).toEqual([0, 1.5, 0]);
  expect(valueAt(HOP, 9)).toEqual([0, 0, 0]);
  const through = (easing: "step" | "smooth", values: number[]) => ({
    keys: values.map((value, time) => ({ time, value, easing })),
  });
  expect(valueAt(through("step", [1, 5]), 0.9)).toBe(1);
  // A smooth way through what is straight is straight; at a turn it is level.
  expect(valueAt(through("smooth", [0, 1, 2, 3]), 1.25)).toBeCloseTo(1.25);
  expect(valueAt(through("smooth", [0, 1, 0]), 0.5)).toBeCloseTo(0.5);
  // As the server has it: it begins with half of the slope to the second key.
  expect(valueAt(through("smooth", [0, 1, 4, 9]), 0.5)).toBeCloseTo(0.375);
  expect(
    valueAt(
      {
        keys: [
          { time: 0, value: "ball" },
          { time: 1, value: "box" },
        ],
      },
      0.9,
    ),
  ).toBe("ball");
});

test("a drag tells how far it moves something", () => {
  const moved = { id: "a", updates: { properties: { center: [1, 0, -2] } } };
  expect(shiftOf(SCENE, [{ name: "update_shape", args: moved }])).toEqual([1, 0, -2]);
  expect(shiftOf(SCENE, [{ name: "move", args: { ids: ["a"], by: [0, 1, 0] } }])).toEqual([0, 1, 0]);
  const grown = { id: "a", updates: { properties: { radius: 3 } } };
  expect(shiftOf(SCENE, [{ name: "update_shape", args: grown }])).toBeNull();
});
