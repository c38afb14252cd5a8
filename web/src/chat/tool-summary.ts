import { encodeSrgb } from "../document/colour";
import { argumentId } from "./chat";
import type { ToolEntry } from "./entries";
import { nameOf } from "./things";

/** What tools do, in words; others go by their names. */
const TITLES: Record<string, string> = {
  create_shape: "Add",
  create_light: "Add light",
  add_object: "Add",
  update_shape: "Change",
  update_light: "Change light",
  remove_shape: "Remove",
  remove_light: "Remove light",
  set_environment_lighting: "Set environment",
  set_camera: "Set camera",
  set_animation: "Animate",
  edit_scene: "Change several things",
  get_scene_state: "Look at the scene",
  render_preview: "Look at the picture",
  check_scene: "Check the scene",
  find_objects: "Search the library",
  describe: "Look up",
  array: "Repeat",
  look_at: "Aim the camera",
  frame: "Frame",
  measure: "Measure",
  select_objects: "Find objects",
};

/** What a tool does, as a person would say it; tools of MCP servers keep their names. */
export function toolTitle(name: string): string {
  if (name.includes("__")) return name;
  const words = nameOf(name);
  return TITLES[name] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

/** What a call is about, in a few characters: a name, a kind of light, a place. */
export function toolSubject(entry: ToolEntry): string {
  const id = argumentId(entry);
  if (id !== null) return nameOf(id);
  const args = asObject(entry.args);
  if (Array.isArray(args?.ids)) return args.ids.map((each) => nameOf(String(each))).join(", ");
  if (typeof args?.object === "string") return args.object;
  if (typeof args?.task === "string") return args.task;
  if (typeof args?.type === "string") return args.type;
  if (Array.isArray(args?.center)) return `at ${args.center.map(shortNumber).join(", ")}`;
  return "";
}

/** Three decimals tell where something is; of small numbers three digits. */
function shortNumber(value: unknown): string {
  if (typeof value !== "number") return String(value);
  const isSmall = value !== 0 && Math.abs(value) < 0.01;
  return String(isSmall ? Number(value.toPrecision(3)) : Number(value.toFixed(3)));
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
