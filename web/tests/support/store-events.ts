import type { ServerMessage, SessionEvent, WelcomeMessage } from "../../src/protocol";
import { initialState, type StudioEvent, type StudioState } from "../../src/store/state";
import { reduce } from "../../src/store/store";

/** Events and states that tests of the reducer play with. */
export const NOW_MS = 1_000_000;

export const WELCOME: WelcomeMessage = {
  type: "welcome",
  protocol: 1,
  session_id: "s1",
  epoch: "e1",
  seq: 0,
  resumed: false,
  revision: 3,
  scene: {},
  name: "",
  access: "edit",
  durable: true,
  branch: 0,
  branches: 1,
  chat: [],
  running: false,
  model: "offline",
  models: [{ id: "offline", label: "Offline", sees_images: false }],
  can_undo: false,
  can_redo: false,
  limits: {
    max_turns: 10,
    max_message_bytes: 4_194_304,
    max_images: 8,
    max_image_side: 4096,
    max_samples: 4096,
    max_shapes: 1000,
    max_lights: 100,
    standing_approvals: true,
  },
  approvals: [],
  usage: { input_tokens: 0, output_tokens: 0 },
};

export type Unnumbered<T> = T extends unknown ? Omit<T, "seq"> : never;

export const said = (message: ServerMessage): StudioEvent => ({
  type: "message",
  message,
  receivedAtMs: NOW_MS,
});
export const play = (state: StudioState, ...events: StudioEvent[]): StudioState =>
  events.reduce(reduce, state);
export const entered = (welcome: Partial<WelcomeMessage> = {}): StudioState =>
  reduce(initialState, said({ ...WELCOME, ...welcome }));

/** The log's next events, numbered from the state's place on. */
export function log(state: StudioState, ...events: Unnumbered<SessionEvent>[]): StudioState {
  const start = state.session?.seq ?? 0;
  return play(
    state,
    ...events.map((event, index) => said({ ...event, seq: start + index + 1 } as SessionEvent)),
  );
}

export const USER = { type: "user_message", message_id: "u1", text: "a red ball", revision: 0 } as const;
export const TOOL = {
  type: "tool_started",
  call_id: "c1",
  name: "create_shape",
  args: { id: "ball" },
} as const;
export const TOOL_OK = {
  type: "tool_finished",
  call_id: "c1",
  name: "create_shape",
  response: { success: true, result: { id: "ball" } },
  duration_ms: 7,
} as const;
export const BALL = { op: "create", kind: "shape", id: "ball", before: null, after: {} } as const;
export const CHANGED = {
  type: "scene_changed",
  revision: 4,
  by: "model",
  changes: [BALL],
  can_undo: true,
  can_redo: false,
} satisfies Unnumbered<SessionEvent>;
export const delta = (text: string, thought = false) =>
  ({ type: "text_delta", message_id: "m1", text, thought }) as const;
export const finished = (rest: Partial<Extract<SessionEvent, { type: "run_finished" }>> = {}) =>
  ({ type: "run_finished", reason: "completed", turns: 1, ...rest }) as const;
