import { expect, test } from "vitest";
import { evaluate } from "../../src/document/expression";

test.each([
  ["1.5+0.25", 1.75],
  ["2 * (3 - 1)", 4],
  ["-2^2", null],
  ["1+2*3", 7],
  ["-(1+2)", -3],
  ["10/4/5", 0.5],
  ["8-3-2", 3],
  ["1 m + 30 cm", 1.3],
  ["1,5*2", 3],
  ["50%", 5],
  ["100% + 1", 11],
  ["+=0.5", 10.5],
  ["-= 50%", 5],
  ["*=2", 20],
  ["/=4", 2.5],
  ["0.1+0.2", 0.3],
  ["1/0", null],
  ["(1", null],
  ["1)", null],
  ["2+", null],
  ["1 2", null],
  ["", null],
  ["1 + apples", null],
])("'%s' from 10 m is %s", (text, value) => expect(evaluate(text, "m", 10)).toBe(value));

test("where there is no present value, nothing counts from it", () => {
  expect(["50%", "+=1", "1+1"].map((text) => evaluate(text, "", null))).toEqual([null, null, 2]);
  expect(evaluate("90 + 1 rad", "°", 0)).toBeCloseTo(147.2958, 4);
});
