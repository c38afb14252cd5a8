import { describe, expect, test } from "vitest";
import {
  decodeSrgb,
  encodeSrgb,
  fromHex,
  joinEmission,
  splitEmission,
  toHex,
} from "../../src/document/colour";
import { formatNumber, parseNumber, scrubStep, shortNumber, stepped } from "../../src/document/numbers";

describe("colours", () => {
  test("every byte survives the way to linear and back", () => {
    for (let byte = 0; byte < 256; byte += 1) expect(encodeSrgb(decodeSrgb(byte))).toBe(byte);
    for (const hex of ["#000000", "#ffffff", "#123456", "#fedcba", "#0a0b0c"])
      expect(toHex(fromHex(hex))).toBe(hex);
  });

  test("known values of the standard", () => {
    // Middle grey: half of the light is #bcbcbc, and #808080 is 21.6 % of it.
    expect(toHex([0.5, 0.5, 0.5])).toBe("#bcbcbc");
    expect(decodeSrgb(128)).toBeCloseTo(0.21586, 5);
    expect(decodeSrgb(10)).toBeCloseTo(10 / 255 / 12.92, 12);
    expect(toHex([-1, 0, 7])).toBe("#0000ff");
  });

  test("light is a colour times a strength", () => {
    expect(splitEmission([8, 4, 2])).toEqual({ colour: [1, 0.5, 0.25], strength: 8 });
    expect(joinEmission([1, 0.5, 0.25], 8)).toEqual([8, 4, 2]);
    expect(joinEmission([0.5, 0.25, 0], 10), "only the ratio counts").toEqual([10, 5, 0]);
    expect(splitEmission([0, 0, 0])).toEqual({ colour: [1, 1, 1], strength: 0 });
  });
});

describe("numbers", () => {
  test.each([
    [0, "0"],
    [-0, "0"],
    [0.1 + 0.2, "0.3"],
    [1 / 3, "0.33333"],
    [0.00012345678, "0.0001235"],
    [1e-7, "0.0000001"],
    [16.07142857, "16.0714"],
    [-1234.56789, "-1234.57"],
    [1_234_567.8, "1234568"],
    [1_000_000, "1000000"],
    [-2.5, "-2.5"],
  ])("%d reads %s", (value, text) => expect(formatNumber(value)).toBe(text));

  test.each([
    ["1.5", "m", 1.5],
    [" 1,5 ", "m", 1.5],
    ["30 cm", "m", 0.3],
    ["5MM", "m", 0.005],
    [".5", "", 0.5],
    ["1e3", "m", 1000],
    ["3 W/sr", "W/sr", 3],
    ["90°", "°", 90],
    ["1 rad", "°", 57.2957795131],
    ["90°", "m", null],
    ["3 apples", "", null],
    ["", "m", null],
    ["1.2.3", "m", null],
    ["Infinity", "m", null],
  ] as const)("'%s' in %s is %s", (text, unit, value) => expect(parseNumber(text, unit)).toBe(value));

  test("dragging goes in steps that fit the number, and stays in the range", () => {
    expect(scrubStep(1.5, "m", {})).toBe(0.01);
    expect(scrubStep(150, "m", {})).toBe(1);
    expect(scrubStep(0, "m", {})).toBe(0.001);
    expect(scrubStep(0.5, "", { min: 0, max: 1 })).toBe(0.005);
    expect(stepped(1.234, 3, 0.01, {})).toBe(1.26);
    expect(stepped(0.1, 2, 0.1, {})).toBe(0.3);
    expect(stepped(0.5, -500, 0.01, { min: 0 })).toBe(0);
    expect(stepped(0.5, 500, 0.01, { max: 1 })).toBe(1);
    const count = { min: 3, whole: true };
    expect(stepped(6, 10, scrubStep(6, "", count), count), "an arrow key").toBe(7);
    expect(stepped(6, -44, scrubStep(6, "", count), count)).toBe(3);
  });
});

test("a narrow field shows few characters of a number, never an exponent, and never nothing of a small one", () => {
  const shown = [0, 1.5, -0.77634, 12.3456, -123.456, 12345.6, 0.00031, -0.0004].map(shortNumber);
  expect(shown).toEqual(["0", "1.5", "-0.776", "12.35", "-123.5", "12346", "0.0003", "-0.0004"]);
});
