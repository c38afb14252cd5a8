import type { ModelInfo, Usage } from "../protocol";

/** What a session used once a run has been added to it. */
export function usageWith(session: Usage, run: Usage): Usage {
  const context = run.context_tokens ?? session.context_tokens;
  const cost =
    session.cost === undefined && run.cost === undefined ? undefined : (session.cost ?? 0) + (run.cost ?? 0);
  const cached = (session.cached_tokens ?? 0) + (run.cached_tokens ?? 0);
  return {
    input_tokens: session.input_tokens + run.input_tokens,
    output_tokens: session.output_tokens + run.output_tokens,
    ...(cached > 0 && { cached_tokens: cached }),
    ...(context !== undefined && { context_tokens: context }),
    ...(cost !== undefined && { cost }),
  };
}

/** The share of the model's window that the conversation takes, 0..1; null where one of them is not known. */
export function contextShare({ context_tokens }: Usage, model: ModelInfo | undefined): number | null {
  const window = model?.context_window;
  if (context_tokens === undefined || window === undefined || window === 0) return null;
  return Math.min(1, context_tokens / window);
}

/** A count of tokens in few letters: `950`, `12.4k`, `1.2M`. */
export function tokens(count: number): string {
  if (count < 1000) return String(count);
  const [value, unit] = count < 999_950 ? [count / 1000, "k"] : [count / 1_000_000, "M"];
  return `${value < 99.95 ? value.toFixed(1) : Math.round(value)}${unit}`;
}

/** A cost with at least two digits that say something: `0.0042`, `0.35`, `12.80`. */
export function costText(cost: number): string {
  if (cost === 0) return "0.00";
  if (cost < 1e-6) return "<0.000001";
  const digits = Math.max(2, 1 - Math.floor(Math.log10(cost)));
  return cost.toFixed(Math.min(6, digits));
}

/** A share as percents, without pretending to know more: `<1 %`, `7 %`, `100 %`. */
export function percent(share: number): string {
  return share > 0 && share < 0.01 ? "<1 %" : `${Math.round(share * 100)} %`;
}
