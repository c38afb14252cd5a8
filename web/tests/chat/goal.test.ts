import { describe, expect, test } from "vitest";
import {
  budgetShare,
  budgetText,
  canResume,
  criteriaIn,
  criterionText,
  GOAL_STATUS,
  isOver,
  limitIn,
  taskDepths,
  variantText,
  withTurns,
} from "../../src/chat/goal";
import type { GoalTask } from "../../src/protocol";

const task = (id: string, ...depends_on: string[]): GoalTask => ({
  id,
  description: id,
  depends_on,
  status: "pending",
  criteria: [],
  attempts: 0,
});
const USED = { turns: 4, tokens: 12_345, seconds: 75.4, tool_calls: 9 };

describe("a goal as people see it", () => {
  test("what is over cannot be paused, and what ended short can be gone on with", () => {
    for (const status of Object.keys(GOAL_STATUS) as (keyof typeof GOAL_STATUS)[]) {
      if (status === "completed" || status === "cancelled") expect(canResume({ status })).toBe(false);
      if (status === "active" || status === "planning") expect(isOver({ status })).toBe(false);
    }
    expect(isOver({ status: "completed" })).toBe(true);
    expect(isOver({ status: "waiting_for_user" })).toBe(false);
    expect(canResume({ status: "out_of_budget" })).toBe(true);
  });

  test("tasks stand behind what they wait for", () => {
    expect(
      taskDepths([task("walls"), task("desk", "walls"), task("lamp", "desk", "walls"), task("rug")]),
    ).toEqual([0, 1, 2, 0]);
  });

  test("a plan with a circle or a missing task is still drawn", () => {
    expect(taskDepths([task("a", "b"), task("b", "a")])).toHaveLength(2);
    expect(taskDepths([task("a", "nothing")])).toEqual([0]);
  });

  test("the tightest limit counts", () => {
    expect(budgetShare({ budget: { turns: 40, tokens: 20_000 }, used: USED })).toBeCloseTo(0.617, 2);
    expect(budgetShare({ budget: {}, used: USED })).toBeNull();
    expect(budgetShare({ budget: { turns: 2 }, used: USED })).toBe(1);
    expect(budgetText({ budget: { turns: 40, seconds: 600 }, used: USED })).toBe(
      "4 of 40 turns · 12k tokens · 1:15 min of 10:00 min",
    );
  });

  test("criteria are said in words", () => {
    const said: Record<string, string> = {
      "2+ ~desk": "At least 2 desks",
      "1+ ~sofa": "At least 1 sofa",
      "2+ ~laptop on ~desk": "At least 2 laptops on desk",
      "4 ~chair around ~table": "4 chairs around table",
      "1..3 ~vase|jar": "1 to 3 vase or jars",
      "no-overlap": "Nothing new overlaps",
      "red ~vase on id:old_table": "Red vase on old table",
      constructor: "Constructor",
    };
    for (const [criterion, words] of Object.entries(said)) expect(criterionText(criterion)).toBe(words);
  });

  test("criteria are lines, and limits are whole numbers", () => {
    expect(criteriaIn(" at least 4 chair \n\n no floating\n")).toEqual(["at least 4 chair", "no floating"]);
    expect([limitIn("40"), limitIn(" "), limitIn("0"), limitIn("1.5"), limitIn("many")]).toEqual([
      40,
      undefined,
      null,
      null,
      null,
    ]);
    expect(withTurns({ turns: 4, tokens: 9 }, undefined)).toEqual({ tokens: 9 });
    expect(withTurns({ tokens: 9 }, 5)).toEqual({ tokens: 9, turns: 5 });
  });

  test("a variant is told by its criteria and mistakes, a criterion about the picture by what is seen", () => {
    const criteria = [
      { text: "1 ~vase", source: "user" as const, met: true },
      { text: "lit", source: "user" as const, met: false },
    ];
    expect(variantText({ criteria, faults: 0 })).toBe("1 of 2 criteria, no likely mistakes");
    expect(variantText({ criteria, faults: 1, model: "gemini-3" })).toBe(
      "1 of 2 criteria, 1 likely mistake, by gemini-3",
    );
    expect(criterionText("picture: the vase is red")).toBe("Seen: the vase is red");
  });
});
