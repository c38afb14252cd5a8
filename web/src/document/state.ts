import type { EditCall, SceneChange, ServerMessage, WelcomeMessage } from "../protocol";
import { unreachable } from "../unreachable";
import { additionIn } from "./additions";
import { applyCalls, changedKeys, renamingsIn, renamingsOf, targetsOf } from "./edits";
import { selectionAfterClick } from "./picking";
import { applyChanges, EMPTY_SCENE, groupIds, readScene, type SceneDocument, usedIds } from "./scene";
import { ANIMATION_KEY, CAMERA_KEY, ENVIRONMENT_KEY, selectedMembers } from "./subject";

/** An edit of this page that the server has not answered yet. */
export interface PendingEdit {
  requestId: string;
  calls: readonly EditCall[];
  /** The keys of what it touches, as far as this page foresees. */
  about: readonly string[];
  /** The field it was made in, where an error is shown. */
  field: string | null;
  /** Whether the line was lost since: then only the missed events tell whether it was made. */
  unconfirmed: boolean;
}

/** What was changed by others than this page's user. */
export interface Marks {
  keys: ReadonlySet<string>;
  serial: number;
  by: string;
  /** The color of the person; null for the model, and where it is not known who it was. */
  color: string | null;
}

const MODEL = "the model";

export interface DocumentState {
  /** As the server has it. */
  scene: SceneDocument;
  /** The revision from which on pictures show the scene's present camera. */
  cameraRevision: number;
  /** In the order they were sent. */
  pending: readonly PendingEdit[];
  /** What a drag would lead to; nobody but this page knows of it. */
  preview: readonly EditCall[];
  editError: { field: string; message: string } | null;
  /** Keys of subjects in the order they were selected; the last is the active one. */
  selection: readonly string[];
  /** Ids of things that are to be selected once they are all there. */
  pendingSelection: readonly string[];
  /** The newest click in the picture that was not answered yet. */
  picking: { requestId: string; extend: boolean; ignored: ReadonlySet<string> } | null;
  /** What the model changed last, or somebody else; `serial` counts the marks. */
  marks: Marks;
}

export const initialDocument: DocumentState = {
  scene: EMPTY_SCENE,
  cameraRevision: 0,
  pending: [],
  preview: [],
  editError: null,
  selection: [],
  pendingSelection: [],
  picking: null,
  marks: { keys: new Set(), serial: 0, by: MODEL, color: null },
};

export type DocumentEvent =
  | { type: "edit_sent"; requestId: string; calls: readonly EditCall[]; field: string | null }
  | { type: "edit_previewed"; calls: readonly EditCall[] }
  | { type: "edit_error_dismissed" }
  | { type: "selected"; keys: readonly string[] }
  | { type: "selection_requested"; ids: readonly string[] }
  /** `ignored` are ids that cannot be picked. */
  | { type: "pick_sent"; requestId: string; extend: boolean; ignored: ReadonlySet<string> }
  | { type: "marks_cleared"; serial: number };

export function reduceDocument(document: DocumentState, event: DocumentEvent): DocumentState {
  switch (event.type) {
    case "edit_sent": {
      const { requestId, calls, field } = event;
      const shown = shownScene({ ...document, preview: [] });
      const targets = calls.flatMap(targetsOf);
      // What is told of a group's change are the objects in it.
      const parts = selectedMembers(shown, targets).map(({ object }) => object.id);
      const about = [...targets, ...parts, ...changedKeys(shown, applyCalls(shown, calls))];
      const pending = [...document.pending, { requestId, calls, about, field, unconfirmed: false }];
      const selection = applyRenamings(document.selection, renamingsOf(calls));
      return pruneSelection({ ...document, pending, selection, preview: [], editError: null });
    }
    case "edit_previewed":
      return { ...document, preview: event.calls, editError: null };
    case "edit_error_dismissed":
      return document.editError === null ? document : { ...document, editError: null };
    case "selected":
      return pruneSelection({
        ...document,
        selection: event.keys,
        pendingSelection: [],
        editError: null,
        picking: null,
      });
    case "selection_requested":
      return selectArrived({ ...document, pendingSelection: event.ids });
    case "pick_sent":
      return {
        ...document,
        picking: { requestId: event.requestId, extend: event.extend, ignored: event.ignored },
      };
    case "marks_cleared":
      if (event.serial !== document.marks.serial) return document;
      return { ...document, marks: { ...document.marks, keys: new Set() } };
    default:
      return unreachable(event);
  }
}

/** The scene with everything this page has done or is about to do. */
export function shownScene({ scene, pending, preview }: DocumentState): SceneDocument {
  return applyCalls(scene, [...pending.map((edit) => edit.calls), preview].flat());
}

/** A fresh welcome replaces all; what is still there stays selected. */
export function applyWelcome(document: DocumentState, { scene, revision }: WelcomeMessage): DocumentState {
  const { selection } = document;
  return pruneSelection({ ...initialDocument, scene: readScene(scene), cameraRevision: revision, selection });
}

type SceneChanged = Extract<ServerMessage, { type: "scene_changed" }>;

export function applySceneChanged(
  document: DocumentState,
  { by, changes, revision }: SceneChanged,
): DocumentState {
  const keys = new Set(changes.filter((change) => change.op !== "remove").map(keyOf));
  const about = new Set(changes.map(keyOf));
  const { marks, pending: waiting, scene, selection } = document;
  const madeBy = (edit: PendingEdit) => additionIn(edit.calls, scene, changes);
  const answered = waiting.find((edit) => by === "user" && (isAbout(edit, about) || madeBy(edit) !== null));
  const added = answered === undefined ? null : madeBy(answered);
  // This page's own edits have updated the selection already, but for what the server gave its id.
  const kept =
    answered === undefined ? applyRenamings(selection, renamingsIn(changes, selection)) : selection;
  const next = pruneSelection({
    ...document,
    scene: applyChanges(scene, changes),
    cameraRevision: changes.some((change) => change.kind === "camera") ? revision : document.cameraRevision,
    pending: waiting.filter((edit) => edit !== answered),
    // What was refused is of before.
    editError: by === "user" ? null : document.editError,
    selection: added === null ? kept : [added],
    marks: by === "model" ? { keys, serial: marks.serial + 1, by: MODEL, color: null } : marks,
  });
  return selectArrived(next);
}

/** With what was awaited selected, where all of it is there. */
function selectArrived(document: DocumentState): DocumentState {
  const { pendingSelection, scene } = document;
  if (pendingSelection.length === 0) return document;
  const ids = usedIds(scene);
  if (!pendingSelection.every((id) => ids.has(id))) return document;
  const groups = groupIds(scene);
  const whole = pendingSelection.filter((id) => groups.has(id));
  return { ...document, pendingSelection: [], selection: whole.length > 0 ? whole : pendingSelection };
}

export function keyOf({ kind, id }: SceneChange): string {
  if (id !== null) return id;
  return kind === "camera" ? CAMERA_KEY : kind === "animation" ? ANIMATION_KEY : ENVIRONMENT_KEY;
}

/** Changes do not name the edit that made them: the oldest one about the same things is the one. */
function isAbout({ about }: PendingEdit, keys: ReadonlySet<string>): boolean {
  return about.some((key) => keys.has(key));
}

export function pendingEdit(document: DocumentState, requestId: unknown): PendingEdit | undefined {
  return document.pending.find((edit) => edit.requestId === requestId);
}

/** The edit was answered: it changed nothing. */
export function dropPendingEdit(document: DocumentState, requestId: unknown): DocumentState {
  return { ...document, pending: document.pending.filter((edit) => edit.requestId !== requestId) };
}

/** The edit is taken back, its selection too; its field tells why. */
export function applyEditRefusal(document: DocumentState, edit: PendingEdit, message: string): DocumentState {
  const back = new Map([...renamingsOf(edit.calls)].map(([before, after]) => [after, before]));
  const { field } = edit;
  return pruneSelection({
    ...dropPendingEdit(document, edit.requestId),
    selection: applyRenamings(document.selection, back),
    editError: field === null ? document.editError : { field, message: firstReason(message) },
  });
}

/** Of the reasons for each part of a group, which are alike, the first. */
function firstReason(message: string): string {
  const [first = message, ...others] = message.split(/; (?=edit \d+: )/);
  const reason = first.replace(/^edit \d+: /, "");
  return others.length === 0 ? reason : `${reason} (and ${others.length} more like this)`;
}

export function markEditsUnconfirmed(document: DocumentState): DocumentState {
  if (document.pending.length === 0) return document;
  const pending = document.pending.map((edit) => ({ ...edit, unconfirmed: true }));
  return { ...document, pending };
}

/** All missed events have come: edits they did not tell of were never made. */
export function dropUnconfirmedEdits(document: DocumentState): DocumentState {
  return pruneSelection({ ...document, pending: document.pending.filter((edit) => !edit.unconfirmed) });
}

export function applyPick(document: DocumentState, requestId: unknown, id: string | null): DocumentState {
  const { picking, selection } = document;
  if (picking === null || picking.requestId !== requestId) return document;
  const picked = id !== null && picking.ignored.has(id) ? null : id;
  const next = selectionAfterClick(shownScene(document), selection, picked, picking.extend);
  return pruneSelection({ ...document, picking: null, selection: next });
}

function applyRenamings(
  selection: readonly string[],
  renamings: ReadonlyMap<string, string>,
): readonly string[] {
  return renamings.size === 0 ? selection : selection.map((key) => renamings.get(key) ?? key);
}

/** Without the selected things that are gone. */
function pruneSelection(document: DocumentState): DocumentState {
  if (document.selection.length === 0) return document;
  const ids = usedIds(shownScene(document));
  const exists = (key: string) => ids.has(key) || key === CAMERA_KEY || key === ENVIRONMENT_KEY;
  const selection = document.selection.filter(exists);
  return selection.length === document.selection.length ? document : { ...document, selection };
}
