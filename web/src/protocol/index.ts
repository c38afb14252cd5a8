/**
 * The protocol as the page uses it: the types generated from the server, and names for their parts.
 */
import type { ChatEntry, ServerMessage } from "./generated/messages";

export type * from "./generated/messages";

/** The protocol number this page speaks. */
export const PROTOCOL = 1;

export type WelcomeMessage = Extract<ServerMessage, { type: "welcome" }>;
export type ServerError = Extract<ServerMessage, { type: "error" }>;

/** An event of the session's log: `seq` is one higher than the one before it. */
export type SessionEvent = Exclude<Extract<ServerMessage, { seq: number }>, { type: "welcome" }>;

export type UserEntry = Extract<ChatEntry, { kind: "user" }>;
export type ModelEntry = Extract<ChatEntry, { kind: "model" }>;
export type ChangedEntry = Extract<ChatEntry, { kind: "changed" }>;
export type NoticeEntry = Extract<ChatEntry, { kind: "notice" }>;
