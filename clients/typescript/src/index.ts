export { Client } from "./client.js";
export { ConnectionLost, Problem, Refused } from "./errors.js";
export type * as Api from "./generated/api.js";
export type * from "./generated/messages.js";
export type { Preview, SessionEvent } from "./link.js";
export { type Run, Session } from "./session.js";
