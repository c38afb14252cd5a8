import type { Goal, GoalBudget, GoalStatus, GoalTask, GoalVariant } from "../protocol";

/** What people read of a status, and what kind it is. */
export interface StatusText {
  label: string;
  kind: "working" | "waiting" | "done" | "failed" | "ended";
}

export const GOAL_STATUS: Readonly<Record<GoalStatus, StatusText>> = {
  planning: { label: "Planning", kind: "working" },
  active: { label: "Working", kind: "working" },
  waiting_for_user: { label: "Needs your answer", kind: "waiting" },
  paused: { label: "Paused", kind: "waiting" },
  completed: { label: "Done", kind: "done" },
  failed: { label: "Not reached", kind: "failed" },
  blocked: { label: "Blocked", kind: "failed" },
  out_of_budget: { label: "Budget used up", kind: "failed" },
  cancelled: { label: "Stopped", kind: "ended" },
};

/** Whether nothing more happens by itself. */
export function isOver({ status }: Pick<Goal, "status">): boolean {
  const { kind } = GOAL_STATUS[status];
  return kind === "done" || kind === "failed" || kind === "ended";
}

/** Whether it can be gone on with: it is paused, or ended short of completion. */
export function canResume({ status }: Pick<Goal, "status">): boolean {
  return status === "paused" || status === "failed" || status === "blocked" || status === "out_of_budget";
}

/** How many tasks each one stands behind: as far as it is indented. A dependency that is not in the plan counts for nothing. */
export function taskDepths(tasks: readonly GoalTask[]): readonly number[] {
  const known = new Map(tasks.map((task) => [task.id, task]));
  const depths = new Map<string, number>();
  const depthOf = (task: GoalTask, above: ReadonlySet<string>): number => {
    const found = depths.get(task.id);
    if (found !== undefined) return found;
    const before = task.depends_on
      .filter((id) => !above.has(id))
      .map((id) => known.get(id))
      .filter((each) => each !== undefined);
    const within = new Set(above).add(task.id);
    const depth = before.length === 0 ? 0 : 1 + Math.max(...before.map((each) => depthOf(each, within)));
    depths.set(task.id, depth);
    return depth;
  };
  return tasks.map((task) => depthOf(task, new Set([task.id])));
}

/** What of the budget is used most, from 0 to 1; null without a limit. */
export function budgetShare({ budget, used }: Pick<Goal, "budget" | "used">): number | null {
  const shares = (["turns", "tokens", "seconds", "tool_calls"] as const).flatMap((name) => {
    const limit = budget[name];
    return limit === undefined ? [] : [limit === 0 ? 1 : used[name] / limit];
  });
  return shares.length === 0 ? null : Math.min(1, Math.max(...shares));
}

/** "4 of 40 turns · 12k tokens · 35 s". */
export function budgetText({ budget, used }: Pick<Goal, "budget" | "used">): string {
  const of = (amount: string, limit: string | undefined) =>
    limit === undefined ? amount : `${amount} of ${limit}`;
  const parts = [`${of(String(used.turns), budget.turns?.toString())} turns`];
  if (used.tokens > 0 || budget.tokens !== undefined) {
    parts.push(
      `${of(thousands(used.tokens), budget.tokens === undefined ? undefined : thousands(budget.tokens))} tokens`,
    );
  }
  parts.push(of(time(used.seconds), budget.seconds === undefined ? undefined : time(budget.seconds)));
  return parts.join(" · ");
}

function thousands(count: number): string {
  return count < 1_000 ? String(count) : `${Math.round(count / 1_000)}k`;
}

function time(seconds: number): string {
  const whole = Math.round(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")} min`;
}

/** "9 of 9 criteria, no likely mistakes, by gemini-3". */
export function variantText({
  criteria,
  faults,
  model,
}: Pick<GoalVariant, "criteria" | "faults" | "model">): string {
  const met = criteria.filter((criterion) => criterion.met === true).length;
  const mistakes =
    faults === 0 ? "no likely mistakes" : faults === 1 ? "1 likely mistake" : `${faults} likely mistakes`;
  const by = model === undefined ? "" : `, by ${model}`;
  return `${met} of ${criteria.length} criteria, ${mistakes}${by}`;
}

/** Criteria that are one word, as people say them. */
const WHOLE: Readonly<Record<string, string>> = {
  "no-overlap": "Nothing new overlaps",
  "nothing-floating": "Nothing new floats",
  "all-in-view": "Everything is in the picture",
  lit: "The scene is lit",
  check_scene: "The scene check finds nothing",
};

/** A criterion of the language of expectations as people say it: `2+ ~desk` is "At least 2 desks". */
export function criterionText(text: string): string {
  const seen = /^picture:\s*(.*)$/s.exec(text.trim());
  if (seen !== null) return `Seen: ${seen[1] ?? ""}`;
  const whole = Object.hasOwn(WHOLE, text.trim()) ? WHOLE[text.trim()] : undefined;
  if (whole !== undefined) return whole;
  const [, from, to, plus, rest = ""] = /^(\d+)(?:\.\.(\d+)|(\+))?\s+(.*)$/.exec(text.trim()) ?? [];
  const words = (from === undefined ? text.trim() : rest)
    .replaceAll(/[~]/g, "")
    .replaceAll(/\bid:/g, "")
    .replaceAll("|", " or ")
    .replaceAll(/[_-]/g, " ");
  if (from === undefined) return sentence(words);
  const count = to !== undefined ? `${from} to ${to}` : plus === "+" ? `at least ${from}` : from;
  return sentence(`${count} ${from === "1" && to === undefined ? words : pluralFirst(words)}`);
}

/** The noun before the first relation in the plural. */
function pluralFirst(words: string): string {
  const at = words.search(
    / (on|under|above|below|left of|right of|in front of|behind|next to|near|inside|touching|around|facing|is|in view)\b/,
  );
  const [noun, rest] = at < 0 ? [words, ""] : [words.slice(0, at), words.slice(at)];
  return `${/(s|x|ch|sh)$/.test(noun) ? `${noun}es` : `${noun}s`}${rest}`;
}

function sentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The criteria that are written in a field, one a line. */
export function criteriaIn(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** A whole number of at least 1 as a limit; nothing for none, null for what is no such number. */
export function limitIn(text: string): number | undefined | null {
  if (text.trim() === "") return undefined;
  const limit = Number(text.trim());
  return Number.isSafeInteger(limit) && limit >= 1 ? limit : null;
}

/** A budget with another number of turns. */
export function withTurns(budget: GoalBudget, turns: number | undefined): GoalBudget {
  const { turns: _, ...rest } = budget;
  return turns === undefined ? rest : { ...rest, turns };
}
