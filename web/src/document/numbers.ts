/** What a number measures; shown behind it. */
export type Unit = "m" | "°" | "W/sr" | "W/m²" | "W/(sr m²)" | "";

/** A number as fields show it: at most five decimals and six digits, four digits for small ones; never with an exponent. */
export function formatNumber(value: number): string {
  const size = Math.abs(value);
  if (size === 0) return "0";
  if (size < 1e-3) return withDecimals(value, 3 - Math.floor(Math.log10(size)));
  return withDecimals(value, Math.max(0, 5 - Math.max(0, Math.floor(Math.log10(size)))));
}

function withDecimals(value: number, decimals: number): string {
  const text = value.toFixed(Math.min(20, decimals));
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

/** A number as narrow fields show it while nobody types: at most seven characters where it is no speck. */
export function shortNumber(value: number): string {
  const size = Math.abs(value);
  if (size > 0 && size < 5e-4) return withDecimals(value, -Math.floor(Math.log10(size)));
  return String(Number(value.toFixed(size < 10 ? 3 : size < 100 ? 2 : size < 1000 ? 1 : 0)));
}

/** Factors of the units that may be typed behind a number. */
const FACTORS: Record<string, readonly [Unit, number]> = {
  km: ["m", 1000],
  m: ["m", 1],
  cm: ["m", 0.01],
  mm: ["m", 0.001],
  "°": ["°", 1],
  deg: ["°", 1],
  rad: ["°", 180 / Math.PI],
};

/** Reads what a user typed into a field of `unit`: `1.5`, `1,5`, `30 cm`, `90 deg`; null when it is no such number. */
export function parseNumber(text: string, unit: Unit): number | null {
  const parts = /^\s*([+-]?(?:\d+[.,]?\d*|[.,]\d+)(?:e[+-]?\d+)?)\s*(.*?)\s*$/i.exec(text);
  if (parts?.[1] === undefined) return null;
  const number = Number(parts[1].replace(",", "."));
  const suffix = parts[2] ?? "";
  if (suffix === "" || suffix === unit) return number;
  const [measures, factor] = FACTORS[suffix.toLowerCase()] ?? [];
  return measures === unit && factor !== undefined ? Number((number * factor).toPrecision(12)) : null;
}

/** Range of a number field; the server has the last word. */
export interface Range {
  min?: number;
  max?: number;
  /** Whether it counts something. */
  whole?: boolean;
}

/** How much a number changes by one pixel of dragging, and by ten an arrow key. */
export function scrubStep(value: number, unit: Unit, { min, max, whole }: Range): number {
  if (whole) return 0.1;
  if (min === 0 && max === 1) return 0.005;
  if (unit === "°") return 0.5;
  // A hundredth of the number's magnitude, so that grains and mountains are as easy to set.
  return 10 ** (Math.floor(Math.log10(Math.max(Math.abs(value), 0.1))) - 2);
}

/** The value some steps on, within the range, without the digits that floating point leaves behind. */
export function stepped(value: number, steps: number, step: number, { min, max, whole }: Range): number {
  const moved = Number((value + steps * step).toPrecision(10));
  const grid = whole ? 1 : step;
  const onGrid = Number((Math.round(moved / grid) * grid).toPrecision(10));
  return Math.min(max ?? Infinity, Math.max(min ?? -Infinity, onGrid));
}
