import { parseNumber, type Unit } from "./numbers";

/**
 * Computes what a user typed into a number field: `1.5+0.25`, `2*(3-1)`, `1 m + 30 cm`, `50%` of the present value, and
 * `+=`, `-=`, `*=`, `/=`, which go on from it. Null for anything else, and where the result is no number.
 */
export function evaluate(text: string, unit: Unit, present: number | null): number | null {
  const step = /^\s*([-+*/])=(.*)$/s.exec(text);
  const by = new Expression(step?.[2] ?? text, unit, present).value();
  const value = step === null || by === null ? by : present === null ? null : apply(step[1], present, by);
  return value !== null && Number.isFinite(value) ? Number(value.toPrecision(12)) : null;
}

function apply(operator: string | undefined, left: number, right: number): number {
  switch (operator) {
    case "+":
      return left + right;
    case "-":
      return left - right;
    case "*":
      return left * right;
    default:
      return left / right;
  }
}

/** A number with a percent sign or a unit behind it. */
const OPERAND = /^(?:\d+[.,]?\d*|[.,]\d+)(?:e[+-]?\d+)?\s*(?:%|°|[a-z]+)?/i;

/** Reads sums of products of numbers and brackets, from left to right. */
class Expression {
  #rest: string;

  constructor(
    text: string,
    private readonly unit: Unit,
    private readonly present: number | null,
  ) {
    this.#rest = text.trim();
  }

  value(): number | null {
    const value = this.#chain("+-", () => this.#product());
    return this.#rest === "" ? value : null;
  }

  #product(): number | null {
    return this.#chain("*/", () => this.#factor());
  }

  /** Operands with operators of one rank between them. */
  #chain(operators: string, operand: () => number | null): number | null {
    let left = operand();
    while (left !== null && this.#rest !== "" && operators.includes(this.#rest.charAt(0))) {
      const operator = this.#take(1);
      const right = operand();
      left = right === null ? null : apply(operator, left, right);
    }
    return left;
  }

  #factor(): number | null {
    const first = this.#rest.charAt(0);
    if (first === "-" || first === "+") {
      this.#take(1);
      const value = this.#factor();
      return value === null || first === "+" ? value : -value;
    }
    if (first !== "(") return this.#operand();
    this.#take(1);
    const value = this.#chain("+-", () => this.#product());
    if (!this.#rest.startsWith(")")) return null;
    this.#take(1);
    return value;
  }

  #operand(): number | null {
    const [text] = OPERAND.exec(this.#rest) ?? [];
    if (text === undefined) return null;
    this.#take(text.length);
    if (!text.endsWith("%")) return parseNumber(text, this.unit);
    const share = parseNumber(text.slice(0, -1), "");
    return share === null || this.present === null ? null : (share / 100) * this.present;
  }

  #take(length: number): string {
    const taken = this.#rest.slice(0, length);
    this.#rest = this.#rest.slice(length).trimStart();
    return taken;
  }
}
