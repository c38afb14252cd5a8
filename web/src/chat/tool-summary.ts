import { encodeSrgb } from "../document/colour";
import { argumentId } from "./chat";
import type { ToolEntry } from "./entries";

/** What a call is about, in a few characters: an id, a kind of light, a place. */
export function toolSubject(entry: ToolEntry): string {
  const id = argumentId(entry);
  if (id !== null) return id;
  const args = asObject(entry.args);
  if (Array.isArray(args?.ids)) return args.ids.join(", ");
  if (typeof args?.type === "string") return args.type;
  if (Array.isArray(args?.center)) return `at ${args.center.join(", ")}`;
  return "";
}

/** The colour a call gives its object as a CSS colour, where it names one. */
export function toolColour(entry: ToolEntry): string | null {
  const args = asObject(entry.args);
  const properties = asObject(args?.properties) ?? asObject(asObject(args?.updates)?.properties);
  const linear = asObject(properties?.material)?.albedo;
  if (!Array.isArray(linear) || linear.length !== 3) return null;
  const bytes = linear.map((channel) => (typeof channel === "number" ? encodeSrgb(channel) : 0));
  return `rgb(${bytes.join(" ")})`;
}

function asObject(value: unknown): Record<string, unknown> | null {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? (value as Record<string, unknown>) : null;
}
