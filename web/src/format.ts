import type { RenderState } from "./store/state";

/** A wait as minutes and seconds, `0:12`; a long one in words, `1 h 50 min`. */
export function clock(durationMs: number): string {
  const seconds = Math.max(0, Math.ceil(durationMs / 1000));
  if (seconds >= 3600) {
    const minutes = Math.ceil(seconds / 60);
    const rest = minutes % 60;
    return rest === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${rest} min`;
  }
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** How long a call took: `8 ms`, `1.2 s`, `1:05`. */
export function shortDuration(durationMs: number): string {
  if (durationMs < 1) return "<1 ms";
  if (durationMs < 1000) return `${Math.round(durationMs)} ms`;
  return durationMs < 60_000 ? `${(durationMs / 1000).toFixed(1)} s` : clock(durationMs);
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const MONTH_MS = 30 * DAY_MS;

/** How long ago something was: `just now`, `5 min ago`, `3 h ago`, `yesterday`, `12 days ago`, `2026-03-01`. */
export function relativeTime(thenMs: number, nowMs: number): string {
  const age = nowMs - thenMs;
  if (age < MINUTE_MS) return "just now";
  if (age < HOUR_MS) return `${Math.floor(age / MINUTE_MS)} min ago`;
  if (age < DAY_MS) return `${Math.floor(age / HOUR_MS)} h ago`;
  if (age < 2 * DAY_MS) return "yesterday";
  if (age < MONTH_MS) return `${Math.floor(age / DAY_MS)} days ago`;
  return new Date(thenMs).toISOString().slice(0, 10);
}

/** The parts of the render strip's line: `64/256 spp`, `0:12 left`, `noise 2.1 %`. */
export function renderFacts(render: RenderState, paused: boolean): string[] {
  const done = render.samples >= render.targetSamples;
  const facts = [done ? `${render.samples} spp` : `${render.samples}/${render.targetSamples} spp`];
  if (done) facts.unshift("Done");
  else if (paused) facts.unshift("Paused");
  // Before the first sample nothing is known of how long it takes.
  else if (render.etaMs !== null && render.samples > 0) facts.push(`${clock(render.etaMs)} left`);
  if (render.noise !== null && render.samples > 0) facts.push(`noise ${(render.noise * 100).toFixed(1)} %`);
  return facts;
}

/** Indented JSON with lists of plain values, such as points and colours, on one line. */
export function compactJson(value: unknown, indent = ""): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    if (value.every((item) => typeof item !== "object" || item === null)) {
      return `[${value.map((item) => JSON.stringify(item)).join(", ")}]`;
    }
    return `[\n${value.map((item) => inner + compactJson(item, inner)).join(",\n")}\n${indent}]`;
  }
  const fields = Object.entries(value).map(
    ([name, field]) => `${inner}${JSON.stringify(name)}: ${compactJson(field, inner)}`,
  );
  return fields.length === 0 ? "{}" : `{\n${fields.join(",\n")}\n${indent}}`;
}
