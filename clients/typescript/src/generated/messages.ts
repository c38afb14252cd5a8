// Generated from crates/protocol. Do not edit: `make generate`.

export type ClientMessage = { 
/**
 * Echoed on direct replies and on errors.
 */
request_id?: string | number, } & ({ "type": "user_message", 
/**
 * The text.
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
 * Replaces this earlier message: the scene returns to its state of that time, and the conversation
 * continues in a new branch. The old branch is kept.
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
 * The revision the edit was made for. When given, an edit of an object that has changed since is
 * refused with `stale`.
 */
base_revision?: number, } | { "type": "set_bookmarks", 
/**
 * All of them, in order.
 */
bookmarks: Array<Bookmark>, } | { "type": "undo" } | { "type": "redo" } | { "type": "restore", 
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
 * How long the approval is valid for further calls of the same tool; without it, only for this
 * call. Ignored unless `allow` is true.
 */
remember?: Remember, } | { "type": "select_model", 
/**
 * Its id in `welcome.models`.
 */
model: string, 
/**
 * Its reasoning effort; the provider's default when left out.
 */
effort?: Effort, 
/**
 * Sampling temperature, 0 to 2; the provider's default when left out.
 */
temperature?: number, } | { "type": "start_goal" } & GoalRequest | { "type": "pause_goal" } | { "type": "resume_goal" } | { "type": "edit_goal" } & GoalEdit | { "type": "cancel_goal" } | { "type": "choose_variant" } & VariantChoice | { "type": "presence", 
/**
 * What the user wants to be called.
 */
name?: string, 
/**
 * Ids of the selected objects.
 */
selection?: Array<string>, } | { "type": "ping" });

export type ClientRequest = { "type": "user_message", 
/**
 * The text.
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
 * Replaces this earlier message: the scene returns to its state of that time, and the conversation
 * continues in a new branch. The old branch is kept.
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
 * The revision the edit was made for. When given, an edit of an object that has changed since is
 * refused with `stale`.
 */
base_revision?: number, } | { "type": "set_bookmarks", 
/**
 * All of them, in order.
 */
bookmarks: Array<Bookmark>, } | { "type": "undo" } | { "type": "redo" } | { "type": "restore", 
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
 * How long the approval is valid for further calls of the same tool; without it, only for this
 * call. Ignored unless `allow` is true.
 */
remember?: Remember, } | { "type": "select_model", 
/**
 * Its id in `welcome.models`.
 */
model: string, 
/**
 * Its reasoning effort; the provider's default when left out.
 */
effort?: Effort, 
/**
 * Sampling temperature, 0 to 2; the provider's default when left out.
 */
temperature?: number, } | { "type": "start_goal" } & GoalRequest | { "type": "pause_goal" } | { "type": "resume_goal" } | { "type": "edit_goal" } & GoalEdit | { "type": "cancel_goal" } | { "type": "choose_variant" } & VariantChoice | { "type": "presence", 
/**
 * What the user wants to be called.
 */
name?: string, 
/**
 * Ids of the selected objects.
 */
selection?: Array<string>, } | { "type": "ping" };

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
 * A private camera, not an edit; null returns to the scene's camera.
 */
camera?: CameraView | null, 
/**
 * Width over height of the shape that pictures are composed for: a narrower preview shows as much from side to
 * side as one of this shape, and more above and below. Without it, it shows less from side to side.
 */
fit_aspect?: number, 
/**
 * Ids of shapes and lights that this client hides; replaces the previous list. Pictures of other
 * clients do not change.
 */
hidden?: Array<string>, 
/**
 * The time of the animation, in seconds, at which the scene is shown; null returns to the scene at rest.
 */
at_time?: number | null, 
/**
 * Whether previews are paused.
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
 * The text.
 */
text: string, 
/**
 * The scene's revision when it was sent, for `restore`.
 */
revision: number, 
/**
 * The new name of the session: the first message names it.
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
 * The call of the sub-agent that called it, if one did.
 */
parent_call_id?: string, 
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
 * As in `tool_started`.
 */
parent_call_id?: string, 
/**
 * The tool.
 */
name: string, 
/**
 * Its answer.
 */
response: ToolResponse, 
/**
 * Its duration.
 */
duration_ms: number, } | { "type": "scene_changed", 
/**
 * Number of this event.
 */
seq: number, 
/**
 * The new revision.
 */
revision: number, 
/**
 * "model" or "user".
 */
by: string, 
/**
 * The differences from the revision before.
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
 * Whether the change comes from selecting a branch: it is not an edit, and the chat does not show it.
 */
for_branch?: boolean, 
/**
 * Whether it was undone or redone; left out for what is done for the first time.
 */
history?: HistoryStep, } | { "type": "run_finished", 
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
 * A message for the user, if the answer does not say it.
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
 * The error, and what to do.
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
 * The tool; after a colon what a long call does meanwhile.
 */
target: string, 
/**
 * The call that does something meanwhile.
 */
call_id?: string, 
/**
 * What it does.
 */
note?: string, } | { "type": "render_progress", 
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
noise: number, } | { "type": "presence", 
/**
 * The id of this client's own user.
 */
you: number, 
/**
 * The people, in the order they came; at most 32, this client's own user among them.
 */
people: Array<PresentPerson>, 
/**
 * How many more there are.
 */
more: number, } | { "type": "pong", 
/**
 * Echo.
 */
request_id?: string | number, } | { "type": "unchanged", 
/**
 * Echo.
 */
request_id?: string | number, 
/**
 * The unchanged revision.
 */
revision: number, } | { "type": "picked", 
/**
 * Echo.
 */
request_id?: string | number, 
/**
 * The visible object.
 */
id: string | null, 
/**
 * The point in world space.
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
 * The number of branches.
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
name: string, } | { "type": "bookmarks_changed", 
/**
 * Number of this event.
 */
seq: number, 
/**
 * All of them, in order.
 */
bookmarks: Array<Bookmark>, } | { "type": "model_selected", 
/**
 * Number of this event.
 */
seq: number, 
/**
 * Its id.
 */
model: string, 
/**
 * Its reasoning effort; the provider's default when left out.
 */
effort?: Effort, 
/**
 * Its sampling temperature; the provider's default when left out.
 */
temperature?: number, } | { "type": "goal_changed", 
/**
 * Number of this event.
 */
seq: number, 
/**
 * What.
 */
change: GoalChange, 
/**
 * What the chat shows of it as a notice, if anything.
 */
notice?: string, 
/**
 * The whole goal afterwards; it replaces the one that the client has.
 */
goal: Goal, };

export type Welcome = { 
/**
 * The protocol number.
 */
protocol: number, 
/**
 * The key of the session: its id, or the share token that the client used.
 */
session_id: string, 
/**
 * The title of the session; empty until something is said in it.
 */
name: string, 
/**
 * The access of this client.
 */
access: Access, 
/**
 * Whether sessions are stored on disk.
 */
durable: boolean, 
/**
 * The active branch, from 0.
 */
branch: number, 
/**
 * The number of branches.
 */
branches: number, 
/**
 * The epoch of the event numbers.
 */
epoch: string, 
/**
 * The number of the last event before the ones that follow.
 */
seq: number, 
/**
 * Whether the events after the requested number follow; else this snapshot replaces everything.
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
 * Whether a run is in progress.
 */
running: boolean, 
/**
 * The model of the next run.
 */
model: string, 
/**
 * Its reasoning effort; the provider's default when left out.
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
 * The token usage of the session so far, in all branches.
 */
usage: Usage, 
/**
 * The limits of the server.
 */
limits: Limits, 
/**
 * Tool calls that wait for the user's `approve`.
 */
approvals: Array<ApprovalRequest>, 
/**
 * The newest goal of the session, if one was ever set.
 */
goal?: Goal, 
/**
 * The bookmarks of the session, in order.
 */
bookmarks?: Array<Bookmark>, };

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
 * The id for `select_model`.
 */
id: string, 
/**
 * Its display name.
 */
label: string, 
/**
 * A short description.
 */
note?: string, 
/**
 * Whether it accepts pictures.
 */
sees_images: boolean, 
/**
 * The context window in tokens, request and answer together; left out if there is no limit.
 */
context_window?: number, 
/**
 * The limit of an answer in tokens; left out if there is no limit.
 */
output_limit?: number, 
/**
 * The display name of its provider.
 */
provider?: string, 
/**
 * Whether it was found running on the server's machine.
 */
local?: boolean, 
/**
 * Whether it supports function calling; else it calls tools by a text protocol.
 */
native_tools?: boolean, 
/**
 * Whether it thinks before it answers.
 */
thinks?: boolean, 
/**
 * The supported levels of `effort`; empty if it has no such setting.
 */
efforts?: Array<Effort>, 
/**
 * Whether it accepts a `temperature`.
 */
takes_temperature?: boolean, 
/**
 * Its prices, if known.
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
 * Whether the call succeeded.
 */
success: boolean, 
/**
 * The whole object it created or changed.
 */
result?: unknown, 
/**
 * Facts about the change: bounds, contacts, overlaps, share of the picture.
 */
facts?: unknown, 
/**
 * The error.
 */
error?: string, };

export type ChangeOperation = "create" | "update" | "remove";

export type Bookmark = { 
/**
 * The name, of 1 to 60 characters.
 */
name: string, 
/**
 * The camera, as in scene files.
 */
camera: Record<string, unknown>, };

export type HistoryStep = "undo" | "redo";

export type ChangeKind = "shape" | "light" | "group" | "environment" | "camera" | "animation";

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
 * Its id; null for environment, camera and animation.
 */
id: string | null, 
/**
 * The object before.
 */
before: unknown, 
/**
 * The object after.
 */
after: unknown, 
/**
 * The index in its list, for a new object and for one that moved within its list. To apply: remove
 * such objects first, then insert them at their index, in the order of the changes.
 */
index?: number, };

export type ProgressAction = "tool_call" | "delegate";

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
 * Request tokens that the provider read from its prompt cache.
 */
cached_tokens?: number, 
/**
 * Tokens of the last request and its answer: how much of the model's window the conversation
 * takes.
 */
context_tokens?: number, 
/**
 * The cost by the configured prices, in their currency, else by those of the provider or its maker, in
 * US dollars; left out if no price is known.
 */
cost?: number, };

export type ErrorCode = "bad_message" | "unknown_type" | "too_large" | "invalid_edit" | "stale" | "no_history" | "unknown_branch" | "read_only" | "not_saved" | "out_of_range" | "unknown_model" | "bad_goal" | "busy" | "internal";

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
 * The `request_id` of the `view` message that it was rendered for; absent before the first, and for one
 * without an id. A page whose camera moves can tell by it which frames are current.
 */
view?: unknown, };

export type PresentPerson = { 
/**
 * Unique in the session while the server runs.
 */
id: number, 
/**
 * What they call themselves; may be empty.
 */
name: string, 
/**
 * Whether they may edit.
 */
can_edit: boolean, 
/**
 * Ids of the objects they selected.
 */
selection: Array<string>, };

export type ChatEntry = { "kind": "user", 
/**
 * As in `user_message`.
 */
message_id: string, 
/**
 * The text.
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
 * As in `tool_started`.
 */
parent_call_id?: string, 
/**
 * The tool.
 */
name: string, 
/**
 * Its arguments.
 */
args: unknown, 
/**
 * Its result, once there is one.
 */
response?: ToolResponse, 
/**
 * Its duration.
 */
duration_ms?: number, } | { "kind": "changed", 
/**
 * The new revision.
 */
revision: number, 
/**
 * "model" or "user".
 */
by: string, 
/**
 * What differs; of many the first, of a large group some parts.
 */
changes: Array<SceneChange>, 
/**
 * How many more changes there are.
 */
left_out?: number, 
/**
 * As in `scene_changed`.
 */
history?: HistoryStep, } | { "kind": "notice", 
/**
 * The sentence.
 */
text: string, 
/**
 * Whether it is an error.
 */
is_error?: boolean, };

export type Goal = { 
/**
 * Unique in the session.
 */
id: string, 
/**
 * What the user wants.
 */
objective: string, 
/**
 * The workflow its plan comes from.
 */
workflow?: string, 
/**
 * Its status.
 */
status: GoalStatus, 
/**
 * What has to hold at the end, with the outcome of the newest check.
 */
criteria: Array<GoalCriterion>, 
/**
 * The tasks of the plan; none while there is no plan.
 */
tasks: Array<GoalTask>, 
/**
 * How much it may use.
 */
budget: GoalBudget, 
/**
 * What it has used.
 */
used: GoalUsage, 
/**
 * The question that waits for the user; the next `user_message` answers it.
 */
question?: GoalQuestion, 
/**
 * Why it ended or was paused, with what is unmet.
 */
reason?: string, 
/**
 * Whether the user may be asked.
 */
may_ask: boolean, 
/**
 * How its work is verified.
 */
verify: GoalVerify, 
/**
 * Its variants, if it is worked on several times.
 */
variants?: GoalVariants, };

export type GoalStatus = "planning" | "active" | "waiting_for_user" | "paused" | "completed" | "failed" | "blocked" | "out_of_budget" | "cancelled";

export type GoalCriterion = { 
/**
 * The sentence.
 */
text: string, 
/**
 * Who set it.
 */
source: GoalSource, 
/**
 * Whether it held when it was last checked; left out before the first check, and with `found` when nobody
 * could tell.
 */
met?: boolean, 
/**
 * What was found instead, if it did not hold, or why nobody could tell.
 */
found?: string, };

export type GoalSource = "user" | "model" | "workflow";

export type GoalVerify = "off" | "computed" | "pictures";

export type GoalVariants = { 
/**
 * How many are made.
 */
count: number, 
/**
 * The one that is worked on, or was last, from 1.
 */
current: number, 
/**
 * The one that was chosen.
 */
chosen?: number, 
/**
 * Those that ended, the best first: by completion, unmet criteria, likely mistakes.
 */
made: Array<GoalVariant>, };

export type GoalVariant = { 
/**
 * From 1.
 */
number: number, 
/**
 * Its branch of the conversation.
 */
branch: number, 
/**
 * The revision of the scene at its end.
 */
revision: number, 
/**
 * The model that made it; left out if it is that of the session.
 */
model?: string, 
/**
 * How it ended.
 */
status: GoalStatus, 
/**
 * Why, with what is unmet.
 */
reason?: string, 
/**
 * The criteria as they were checked.
 */
criteria: Array<GoalCriterion>, 
/**
 * Overlaps and floating objects in its scene.
 */
faults: number, 
/**
 * What it has used.
 */
used: GoalUsage, };

export type VariantChoice = { 
/**
 * Its number, from 1.
 */
variant: number, };

export type GoalTask = { 
/**
 * Unique in the plan.
 */
id: string, 
/**
 * What to do.
 */
description: string, 
/**
 * Ids of the tasks that have to be done before.
 */
depends_on: Array<string>, 
/**
 * Its status.
 */
status: GoalTaskStatus, 
/**
 * What has to hold when it is done.
 */
criteria: Array<GoalCriterion>, 
/**
 * What the model said of it when it was done.
 */
result?: string, 
/**
 * What went wrong in the newest attempt.
 */
error?: string, 
/**
 * Attempts so far, the present one included.
 */
attempts: number, };

export type GoalTaskStatus = "pending" | "in_progress" | "completed" | "failed" | "blocked" | "skipped";

export type GoalBudget = { 
/**
 * Model calls.
 */
turns?: number, 
/**
 * Tokens of requests and answers.
 */
tokens?: number, 
/**
 * Seconds of work.
 */
seconds?: number, 
/**
 * Tool calls.
 */
tool_calls?: number, };

export type GoalUsage = { 
/**
 * Model calls.
 */
turns: number, 
/**
 * Tokens of requests and answers.
 */
tokens: number, 
/**
 * Seconds of work; waiting and pauses do not count.
 */
seconds: number, 
/**
 * Tool calls.
 */
tool_calls: number, };

export type GoalQuestion = { 
/**
 * What is asked.
 */
text: string, 
/**
 * The task it is about.
 */
task?: string, };

export type GoalChange = { "kind": "set" } | { "kind": "plan_changed", 
/**
 * Why.
 */
why: string, } | { "kind": "task_started", 
/**
 * Its id.
 */
task: string, 
/**
 * From 1.
 */
attempt: number, } | { "kind": "task_finished", 
/**
 * Its id.
 */
task: string, } | { "kind": "task_failed", 
/**
 * Its id.
 */
task: string, 
/**
 * What went wrong.
 */
error: string, 
/**
 * What follows.
 */
next: string, } | { "kind": "task_interrupted", 
/**
 * Its id.
 */
task: string, } | { "kind": "criteria_checked", 
/**
 * How many hold.
 */
met: number, 
/**
 * Those that do not, with what was found.
 */
unmet: Array<string>, } | { "kind": "reflected", 
/**
 * Why.
 */
why: string, } | { "kind": "asked", 
/**
 * What.
 */
question: string, } | { "kind": "answered", 
/**
 * What.
 */
answer: string, } | { "kind": "paused", 
/**
 * Why, if not the user paused it.
 */
why?: string, } | { "kind": "resumed" } | { "kind": "edited" } | { "kind": "variant_finished", 
/**
 * From 1.
 */
number: number, 
/**
 * How.
 */
status: GoalStatus, 
/**
 * Why, with what is unmet.
 */
reason: string, } | { "kind": "variant_started", 
/**
 * From 1.
 */
number: number, } | { "kind": "variant_chosen", 
/**
 * From 1.
 */
number: number, } | { "kind": "finished", 
/**
 * How.
 */
status: GoalStatus, 
/**
 * Why, with what is unmet.
 */
reason: string, };

export type GoalRequest = { 
/**
 * What the user wants; may be left out with a workflow.
 */
objective?: string, 
/**
 * What has to hold at the end, in the language of `docs/evaluation.md`.
 */
criteria?: Array<string>, 
/**
 * The workflow to follow. Without it, one whose triggers fit the objective is taken.
 */
workflow?: string, 
/**
 * Values of the workflow's parameters.
 */
parameters?: { [key in string]: string }, 
/**
 * How much it may use; the server's usual budget when left out.
 */
budget?: GoalBudget, 
/**
 * Whether the user may be asked; true when left out.
 */
may_ask?: boolean, 
/**
 * How the work is verified; by pictures when left out.
 */
verify?: GoalVerify, 
/**
 * How many variants are made, 2 to 5; one way only when left out. The budget is that of each.
 */
variants?: number, 
/**
 * The models that make the variants, one after the other; that of the session when left out.
 */
models?: Array<string>, };

export type GoalEdit = { 
/**
 * Another objective.
 */
objective?: string, 
/**
 * All criteria anew.
 */
criteria?: Array<string>, 
/**
 * Another budget.
 */
budget?: GoalBudget, 
/**
 * The tasks anew; completed ones stay.
 */
tasks?: Array<GoalTaskRequest>, 
/**
 * Ids of tasks to leave out.
 */
skip?: Array<string>, };

export type GoalTaskRequest = { 
/**
 * Unique in the plan.
 */
id: string, 
/**
 * What to do.
 */
description: string, 
/**
 * Ids of the tasks that have to be done before.
 */
depends_on?: Array<string>, 
/**
 * What has to hold when it is done.
 */
criteria?: Array<string>, };
