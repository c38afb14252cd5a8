import type { ChatEntry, SceneChange } from "../protocol";

/** A call with what it did to the scene, the revision that led to, and what it says it does while it runs. */
export type ToolEntry = Extract<ChatEntry, { kind: "tool" }> & {
  note?: string;
  changes?: readonly SceneChange[];
  left_out?: number;
  revision?: number;
};
export type ShownEntry = Exclude<ChatEntry, { kind: "tool" }> | ToolEntry;

/** The chat as a list of entries. It never changes in place. */
export type Chat = readonly ShownEntry[];
