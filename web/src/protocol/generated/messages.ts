// Generated from crates/protocol by `make generate`. Do not edit: change the Rust types.

export type ClientMessage = { 
/**
 * Echoed on direct replies and on errors.
 */
request_id?: string | number, } & ({ "type": "user_message", 
/**
 * What is said.
 */
text: string, 
/**
 * Ids of the selected objects.
 */
selection?: Array<string>, 
/**
 * Pictures for the model.
 */
images?: Array<ImageAttachment>, 
/**
 * Says it in place of this earlier message: the scene goes back to what it was then, and the
 * conversation goes on from there in a new branch. The old branch is kept.
 */
replaces?: string, } | { "type": "select_branch", 
/**
 * From 0.
 */
branch: number, } | { "type": "cancel" } | { "type": "edit", 
/**
 * The calls, by the names of the tools.
 */
calls: Array<EditCall>, 
/**
 * The revision the edit was made for. When given, an edit of a thing that differs from what
 * it was then is refused with `stale`.
 */
base_revision?: number, } | { "type": "undo" } | { "type": "redo" } | { "type": "restore", 
/**
 * The revision to go back to.
 */
revision: number, } | { "type": "view" } & ViewRequest | { "type": "pick", 
/**
 * From 0 (left) to 1 (right).
 */
x: number, 
/**
 * From 0 (top) to 1 (bottom).
 */
y: number, } | { "type": "approve", 
/**
 * As in `approval_needed`.
 */
call_id: string, 
/**
 * Whether it may run.
 */
allow: boolean, 
/**
 * How long further calls of the same tool may run without being asked about; this call
 * alone without it. Counts only where `allow` is true.
 */
remember?: Remember, } | { "type": "select_model", 
/**
 * Its id in `welcome.models`.
 */
model: string, 
/**
 * How hard it is to think; the provider's default when left out.
 */
effort?: Effort, 
/**
 * Sampling temperature, 0 to 2; the provider's default when left out.
 */
temperature?: number, } | { "type": "ping" });

export type ClientRequest = { "type": "user_message", 
/**
 * What is said.
 */
text: string, 
/**
 * Ids of the selected objects.
 */
selection?: Array<string>, 
/**
 * Pictures for the model.
 */
images?: Array<ImageAttachment>, 
/**
 * Says it in place of this earlier message: the scene goes back to what it was then, and the
 * conversation goes on from there in a new branch. The old branch is kept.
 */
replaces?: string, } | { "type": "select_branch", 
/**
 * From 0.
 */
branch: number, } | { "type": "cancel" } | { "type": "edit", 
/**
 * The calls, by the names of the tools.
 */
calls: Array<EditCall>, 
/**
 * The revision the edit was made for. When given, an edit of a thing that differs from what
 * it was then is refused with `stale`.
 */
base_revision?: number, } | { "type": "undo" } | { "type": "redo" } | { "type": "restore", 
/**
 * The revision to go back to.
 */
revision: number, } | { "type": "view" } & ViewRequest | { "type": "pick", 
/**
 * From 0 (left) to 1 (right).
 */
x: number, 
/**
 * From 0 (top) to 1 (bottom).
 */
y: number, } | { "type": "approve", 
/**
 * As in `approval_needed`.
 */
call_id: string, 
/**
 * Whether it may run.
 */
allow: boolean, 
/**
 * How long further calls of the same tool may run without being asked about; this call
 * alone without it. Counts only where `allow` is true.
 */
remember?: Remember, } | { "type": "select_model", 
/**
 * Its id in `welcome.models`.
 */
model: string, 
/**
 * How hard it is to think; the provider's default when left out.
 */
effort?: Effort, 
/**
 * Sampling temperature, 0 to 2; the provider's default when left out.
 */
temperature?: number, } | { "type": "ping" };

export type Remember = "session" | "always";

export type ImageAttachment = { 
/**
 * `image/png`, `image/jpeg` or `image/webp`.
 */
mime_type: string, 
/**
 * The file in base64.
 */
data: string, };

export type EditCall = { 
/**
 * A tool that changes the scene.
 */
name: string, 
/**
 * Its arguments.
 */
args: unknown, };

export type ViewRequest = { 
/**
 * Width of previews in pixels.
 */
width?: number, 
/**
 * Height of previews in pixels.
 */
height?: number, 
/**
 * How far previews refine.
 */
quality?: Quality, 
/**
 * A private look at the scene, not an edit; null goes back to the scene's camera.
 */
camera?: CameraView | null, 
/**
 * Ids of shapes and lights that this client does not want to see for now; replaces the list
 * before. Nobody else's pictures change.
 */
hidden?: Array<string>, 
/**
 * Whether previews stop for now.
 */
paused?: boolean, };

export type CameraView = Record<string, unknown>;

export type Quality = "draft" | "preview" | "final";

export type ServerMessage = { "type": "welcome" } & Welcome | { "type": "user_message", 
/**
 * Number of this event.
 */
seq: number, 
/**
 * Unique in the session.
 */
message_id: string, 
/**
 * What was said.
 */
text: string, 
/**
 * The scene's revision when it was said: what `restore` goes back to.
 */
revision: number, 
/**
 * What the session is called from now on: the first message names it.
 */
session_name?: string, 
/**
 * Ids of the objects that were selected.
 */
selection?: Array<string>, 
/**
 * The pictures that came with it, in order; each is found at
 * `/api/sessions/{id}/messages/{message_id}/images/{index}`, counted from 0.
 */
images?: Array<ShownImage>, } | { "type": "turn_started", 
/**
 * Number of this event.
 */
seq: number, 
/**
 * From 1 in each run.
 */
turn: number, 
/**
 * The limit.
 */
max_turns: number, } | { "type": "text_delta", 
/**
 * Number of this event.
 */
seq: number, 
/**
 * The answer it belongs to.
 */
message_id: string, 
/**
 * The piece.
 */
text: string, 
/**
 * Whether it is a thought.
 */
thought: boolean, } | { "type": "text_discarded", 
/**
 * Number of this event.
 */
seq: number, 
/**
 * The answer.
 */
message_id: string, } | { "type": "tool_started", 
/**
 * Number of this event.
 */
seq: number, 
/**
 * Unique in the session.
 */
call_id: string, 
/**
 * The tool.
 */
name: string, 
/**
 * Its arguments.
 */
args: unknown, } | { "type": "tool_finished", 
/**
 * Number of this event.
 */
seq: number, 
/**
 * As in `tool_started`.
 */
call_id: string, 
/**
 * The tool.
 */
name: string, 
/**
 * Its answer.
 */
response: ToolResponse, 
/**
 * How long it took.
 */
duration_ms: number, } | { "type": "scene_changed", 
/**
 * Number of this event.
 */
seq: number, 
/**
 * The revision it led to.
 */
revision: number, 
/**
 * "model" or "user".
 */
by: string, 
/**
 * What differs from the revision before.
 */
changes: Array<SceneChange>, 
/**
 * Whether there is something to undo.
 */
can_undo: boolean, 
/**
 * Whether there is something to redo.
 */
can_redo: boolean, 
/**
 * Whether it is the scene of a branch that was gone to: not an edit, and no line of the chat.
 */
for_branch?: boolean, } | { "type": "run_finished", 
/**
 * Number of this event.
 */
seq: number, 
/**
 * Why.
 */
reason: RunFinishedReason, 
/**
 * Model calls made.
 */
turns: number, 
/**
 * What the user reads, where the answer does not say it.
 */
message?: string, 
/**
 * Tokens of the run.
 */
usage?: Usage, } | { "type": "approval_needed", 
/**
 * Number of this event.
 */
seq: number, 
/**
 * As in `tool_started`.
 */
call_id: string, 
/**
 * The tool.
 */
name: string, 
/**
 * Its arguments.
 */
args: unknown, } | { "type": "retrying", 
/**
 * Number of this event.
 */
seq: number, 
/**
 * Which retry, from 1.
 */
attempt: number, 
/**
 * The pause.
 */
delay_ms: number, 
/**
 * Why.
 */
reason: string, } | { "type": "error", 
/**
 * Echo of the message it answers.
 */
request_id?: string | number, 
/**
 * What kind of error.
 */
code: ErrorCode, 
/**
 * What is wrong and what to do.
 */
message: string, 
/**
 * Whether the same message may succeed later.
 */
retryable: boolean, } | { "type": "progress", 
/**
 * The turn of the run, from 1; calls of one answer share it.
 */
step: number, 
/**
 * What kind of step.
 */
action: ProgressAction, 
/**
 * The tool.
 */
target: string, } | { "type": "render_progress", 
/**
 * The revision being rendered.
 */
revision: number, 
/**
 * Samples per pixel so far.
 */
samples: number, 
/**
 * Samples per pixel at the end.
 */
target_samples: number, 
/**
 * Since the revision's first pass began.
 */
elapsed_ms: number, 
/**
 * Estimated time left.
 */
eta_ms: number, 
/**
 * Estimated relative error of a pixel, 0.02 = 2 %.
 */
noise: number, } | { "type": "pong", 
/**
 * Echo.
 */
request_id?: string | number, } | { "type": "unchanged", 
/**
 * Echo.
 */
request_id?: string | number, 
/**
 * The revision as it was.
 */
revision: number, } | { "type": "picked", 
/**
 * Echo.
 */
request_id?: string | number, 
/**
 * The object seen there.
 */
id: string | null, 
/**
 * Where, in world space.
 */
point: [number, number, number] | null, 
/**
 * The unit normal there, towards the camera.
 */
normal: [number, number, number] | null, } | { "type": "branch_selected", 
/**
 * Number of this event.
 */
seq: number, 
/**
 * The branch, from 0.
 */
branch: number, 
/**
 * How many branches there are.
 */
branches: number, 
/**
 * The chat of the branch so far.
 */
chat: Array<ChatEntry>, } | { "type": "session_named", 
/**
 * Number of this event.
 */
seq: number, 
/**
 * The name.
 */
name: string, } | { "type": "model_selected", 
/**
 * Number of this event.
 */
seq: number, 
/**
 * Its id.
 */
model: string, 
/**
 * How hard it is to think; the provider's default when left out.
 */
effort?: Effort, 
/**
 * Its sampling temperature; the provider's default when left out.
 */
temperature?: number, };

export type Welcome = { 
/**
 * The protocol number.
 */
protocol: number, 
/**
 * The session; what was asked for with a share token is the token.
 */
session_id: string, 
/**
 * The title of the session; empty until something is said in it.
 */
name: string, 
/**
 * What this client may do.
 */
access: Access, 
/**
 * Whether sessions outlive the server.
 */
durable: boolean, 
/**
 * The branch of the conversation, from 0.
 */
branch: number, 
/**
 * How many branches there are.
 */
branches: number, 
/**
 * Names the numbering of events.
 */
epoch: string, 
/**
 * The number after which the events that follow count on.
 */
seq: number, 
/**
 * Whether the events after the asked-for number follow; else this snapshot replaces all.
 */
resumed: boolean, 
/**
 * The scene's revision.
 */
revision: number, 
/**
 * The scene file.
 */
scene: Record<string, unknown>, 
/**
 * Whether there is something to undo.
 */
can_undo: boolean, 
/**
 * Whether there is something to redo.
 */
can_redo: boolean, 
/**
 * The chat so far.
 */
chat: Array<ChatEntry>, 
/**
 * Whether a run is going.
 */
running: boolean, 
/**
 * The model of the next run.
 */
model: string, 
/**
 * How hard it is to think; the provider's default when left out.
 */
effort?: Effort, 
/**
 * Its sampling temperature; the provider's default when left out.
 */
temperature?: number, 
/**
 * The models to choose from.
 */
models: Array<ModelInfo>, 
/**
 * What the session's models were asked for so far, in all branches.
 */
usage: Usage, 
/**
 * What the server accepts.
 */
limits: Limits, 
/**
 * Tool calls that wait for the user's `approve`.
 */
approvals: Array<ApprovalRequest>, };

export type Access = "edit" | "view";

export type Effort = "off" | "low" | "medium" | "high" | "max";

export type ModelPrices = { 
/**
 * Of requests.
 */
input: number, 
/**
 * Of answers.
 */
output: number, 
/**
 * Of requests, read from the provider's prompt cache; as `input` when left out.
 */
cached_input?: number, 
/**
 * Of requests, written to the provider's prompt cache; as `input` when left out.
 */
cache_write?: number, };

export type ModelInfo = { 
/**
 * What `select_model` takes.
 */
id: string, 
/**
 * Its display name.
 */
label: string, 
/**
 * A hint on it.
 */
note?: string, 
/**
 * Whether it sees pictures.
 */
sees_images: boolean, 
/**
 * Tokens of a request and its answer together; left out where there is no limit.
 */
context_window?: number, 
/**
 * Tokens of an answer; left out where there is no limit.
 */
output_limit?: number, 
/**
 * Who provides it, as the user reads it.
 */
provider?: string, 
/**
 * Whether it was found running on the server's machine.
 */
local?: boolean, 
/**
 * Whether it takes tools by function calling; else they are described in its text.
 */
native_tools?: boolean, 
/**
 * Whether it thinks before it answers.
 */
thinks?: boolean, 
/**
 * The levels of `effort` it knows; none where it takes no such setting.
 */
efforts?: Array<Effort>, 
/**
 * Whether it takes a `temperature`.
 */
takes_temperature?: boolean, 
/**
 * What it costs, where that is known.
 */
prices?: ModelPrices, };

export type ShownImage = { 
/**
 * `image/png`, `image/jpeg` or `image/webp`.
 */
mime_type: string, 
/**
 * Pixels.
 */
width: number, 
/**
 * Pixels.
 */
height: number, };

export type Limits = { 
/**
 * Model calls of a run.
 */
max_turns: number, 
/**
 * Bytes of a client's message.
 */
max_message_bytes: number, 
/**
 * Pictures of a message.
 */
max_images: number, 
/**
 * Pixels of the longer side of a picture.
 */
max_image_side: number, 
/**
 * Samples per pixel of a picture.
 */
max_samples: number, 
/**
 * Shapes of a scene.
 */
max_shapes: number, 
/**
 * Lights of a scene.
 */
max_lights: number, 
/**
 * Whether `approve` may carry `"remember": "always"`: on servers of one user.
 */
standing_approvals: boolean, };

export type ApprovalRequest = { 
/**
 * As in `tool_started`, which follows in any case.
 */
call_id: string, 
/**
 * The tool.
 */
name: string, 
/**
 * Its arguments.
 */
args: unknown, };

export type ToolResponse = { 
/**
 * Whether it did what was asked.
 */
success: boolean, 
/**
 * The whole object it touched.
 */
result?: unknown, 
/**
 * What a change has come to: bounds, contacts, overlaps, share of the screen.
 */
facts?: unknown, 
/**
 * What was wrong.
 */
error?: string, };

export type ChangeOperation = "create" | "update" | "remove";

export type ChangeKind = "shape" | "light" | "group" | "environment" | "camera";

export type SceneChange = { 
/**
 * What happened.
 */
op: ChangeOperation, 
/**
 * To what kind of thing.
 */
kind: ChangeKind, 
/**
 * Its id; null for environment and camera.
 */
id: string | null, 
/**
 * As it was.
 */
before: unknown, 
/**
 * As it is.
 */
after: unknown, 
/**
 * For a new object, and for one that moved among the others: where it stands in its list. Take
 * such objects out first, then put them in at their index, in the order of the changes.
 */
index?: number, };

export type ProgressAction = "tool_call";

export type RunFinishedReason = "completed" | "turn_limit" | "cancelled" | "error";

export type Usage = { 
/**
 * Tokens of the requests.
 */
input_tokens: number, 
/**
 * Tokens of the answers.
 */
output_tokens: number, 
/**
 * Those of the requests that the provider read from its prompt cache.
 */
cached_tokens?: number, 
/**
 * Tokens of the last request and its answer: how much of the model's window the conversation
 * takes.
 */
context_tokens?: number, 
/**
 * By the prices the server was started with, in their currency, else by those of the provider or its
 * maker, in US dollars; left out where none are known.
 */
cost?: number, };

export type ErrorCode = "bad_message" | "unknown_type" | "too_large" | "invalid_edit" | "stale" | "no_history" | "unknown_branch" | "read_only" | "not_saved" | "out_of_range" | "unknown_model" | "busy" | "internal";

export type PreviewHeader = { 
/**
 * Always "preview".
 */
type: "preview", 
/**
 * The revision shown.
 */
revision: number, 
/**
 * The pass, from 0; pass 0 is a coarse draft.
 */
pass: number, 
/**
 * Samples per pixel so far; 0 for the coarse draft.
 */
samples: number, 
/**
 * Samples per pixel at the end.
 */
target_samples: number, 
/**
 * Pixels.
 */
width: number, 
/**
 * Pixels.
 */
height: number, 
/**
 * Of the image that follows.
 */
mime_type: string, 
/**
 * Whether this is the last frame of the revision.
 */
final: boolean, 
/**
 * The `request_id` of the `view` message that it was made for; absent before the first, and for one
 * without an id. Tells a page that looks around which pictures are of where it looks now.
 */
view?: unknown, };

export type ChatEntry = { "kind": "user", 
/**
 * As in `user_message`.
 */
message_id: string, 
/**
 * What was said.
 */
text: string, 
/**
 * As in `user_message`.
 */
revision: number, 
/**
 * As in `user_message`.
 */
selection?: Array<string>, 
/**
 * As in `user_message`.
 */
images?: Array<ShownImage>, } | { "kind": "model", 
/**
 * As in `text_delta`.
 */
message_id: string, 
/**
 * The answer so far.
 */
text: string, 
/**
 * The thoughts so far.
 */
thought?: string, } | { "kind": "tool", 
/**
 * As in `tool_started`.
 */
call_id: string, 
/**
 * The tool.
 */
name: string, 
/**
 * Its arguments.
 */
args: unknown, 
/**
 * Its answer, once there is one.
 */
response?: ToolResponse, 
/**
 * How long it took.
 */
duration_ms?: number, } | { "kind": "changed", 
/**
 * The revision it led to.
 */
revision: number, 
/**
 * "model" or "user".
 */
by: string, 
/**
 * What differs.
 */
changes: Array<SceneChange>, } | { "kind": "notice", 
/**
 * The sentence.
 */
text: string, 
/**
 * Whether it tells of an error.
 */
is_error?: boolean, };
