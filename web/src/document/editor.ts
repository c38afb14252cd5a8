import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { ClientMessage, EditCall } from "../protocol";
import type { StudioState } from "../store";
import { copiesOf } from "./copies";
import { creationCall, type NewObject } from "./creation";
import { type SceneDocument, usedIds } from "./scene";
import { type DocumentEvent, type DocumentState, shownScene } from "./state";
import {
  groupsInside,
  type Member,
  propertyCall,
  type Subject,
  selectedMembers,
  subjectOf,
  updateCall,
} from "./subject";

/** The most ids a message may name as selected. */
const MOST_SELECTED = 100;

/** What the editor needs of the page around it. */
interface Surroundings {
  state: ReadonlySignal<StudioState>;
  dispatch(event: DocumentEvent | { type: "fault"; text: string }): void;
  /** Sends with the id; false when there is no connection. */
  send(message: ClientMessage): boolean;
  nextRequestId(): string;
}

/** Everything a person does to the document by hand. Each edit is one undo step. */
export class Editor {
  readonly document: ReadonlySignal<DocumentState>;
  /** The scene with what is on its way: what panels show. */
  readonly scene: ReadonlySignal<SceneDocument>;
  readonly selection: ReadonlySignal<readonly string[]>;
  /** What the pointer is on, in the chat or in the outliner. */
  readonly hovered: Signal<string | null> = signal(null);
  readonly editable: ReadonlySignal<boolean>;
  readonly #surroundings: Surroundings;

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings;
    const { state } = surroundings;
    this.document = computed(() => state.value.document);
    this.scene = computed(() => shownScene(this.document.value));
    this.selection = computed(() => this.document.value.selection);
    this.editable = computed(() => state.value.access === "edit" && state.value.connection.phase === "open");
  }

  select(keys: readonly string[]): void {
    this.#surroundings.dispatch({ type: "selected", keys });
  }

  /** Selects what the picture shows at a point, (0, 0) its top left and (1, 1) its bottom right corner. */
  pick(x: number, y: number, extend: boolean): void {
    const requestId = this.#surroundings.nextRequestId();
    if (this.#surroundings.send({ type: "pick", x, y, request_id: requestId })) {
      this.#surroundings.dispatch({ type: "pick_sent", requestId, extend });
    }
  }

  /** Gives a property another value; see `propertyCall` for the path. */
  setProperty(subject: Subject, path: readonly string[], value: unknown): void {
    const call = propertyCall(subject, path, value);
    if (call !== null) this.edit([call], fieldKey(subject.key, path));
  }

  /** Shows what the value would lead to, on this page alone; undefined shows the scene again. */
  previewProperty(subject: Subject, path: readonly string[], value: unknown): void {
    const call = value === undefined ? null : propertyCall(subject, path, value);
    this.preview(call === null ? [] : [call]);
  }

  /** Shows what calls would lead to, on this page alone; none shows the scene again. */
  preview(calls: readonly EditCall[]): void {
    this.#surroundings.dispatch({ type: "edit_previewed", calls });
  }

  canRename(key: string): boolean {
    const subject = this.#subject(key);
    return this.editable.value && subject !== null && isRenamable(subject);
  }

  marksFaded(serial: number): void {
    this.#surroundings.dispatch({ type: "marks_faded", serial });
  }

  refusalSeen(): void {
    this.#surroundings.dispatch({ type: "refusal_seen" });
  }

  /** Makes all calls or none, as one undo step; `field` is where a refusal is told. */
  edit(calls: readonly EditCall[], field: string | null = null): boolean {
    const { dispatch, nextRequestId, send } = this.#surroundings;
    if (calls.length === 0) return false;
    const requestId = nextRequestId();
    if (!send({ type: "edit", calls: [...calls], request_id: requestId })) {
      dispatch({ type: "edit_previewed", calls: [] });
      dispatch({ type: "fault", text: "Not connected: the scene cannot be changed now." });
      return false;
    }
    dispatch({ type: "edit_sent", requestId, calls, field });
    return true;
  }

  /** Gives a thing another name; a group's name is that of its members. */
  rename(key: string, id: string): void {
    const subject = this.#subject(key);
    if (subject === null || id === key || !isRenamable(subject)) return;
    if (subject.kind === "shape" || subject.kind === "light") {
      this.edit([updateCall(subject, { id })], fieldKey(key, ["id"]));
    } else if (subject.kind === "group") {
      const direct = subject.members.filter(({ object }) => object.group === key);
      if (this.edit(direct.map((member) => updateCall(member, { group: id })))) this.select([id]);
    }
  }

  /** Puts objects into a group; an empty name takes them out of theirs. */
  group(members: readonly Member[], group: string, field: string): void {
    this.edit(
      members.map((member) => updateCall(member, { group: group === "" ? null : group })),
      field,
    );
  }

  /** Adds an object with sensible defaults in front of the camera, and selects it. */
  create(type: NewObject): void {
    const call = creationCall(this.scene.value, type);
    this.#editAndSelect([call]);
  }

  duplicateSelected(): void {
    const scene = this.scene.value;
    const groups = this.selection.value.filter((key) => this.#subject(key)?.kind === "group");
    const whole = new Set(groups.flatMap((group) => [...groupsInside(scene, group)]));
    this.#editAndSelect(copiesOf(scene, this.#selected(), whole));
  }

  removeSelected(): void {
    this.edit(
      this.#selected().map(({ kind, object }) => ({ name: `remove_${kind}`, args: { id: object.id } })),
    );
  }

  /** Ids to send with a message: camera and environment have none. */
  selectedIds(): string[] {
    const ids = usedIds(this.scene.value);
    return this.selection.value.filter((key) => ids.has(key)).slice(-MOST_SELECTED);
  }

  /** Makes new objects and selects them, new groups instead of what is in them. */
  #editAndSelect(calls: readonly EditCall[]): void {
    const before = usedIds(this.scene.value);
    if (!this.edit(calls)) return;
    const made = calls.map(({ args }) => args as { id: string; group?: string });
    const keys = made.map(({ id, group }) => (group !== undefined && !before.has(group) ? group : id));
    this.select([...new Set(keys)]);
  }

  #selected(): Member[] {
    return selectedMembers(this.scene.value, this.selection.value);
  }

  #subject(key: string): Subject | null {
    return subjectOf(this.scene.value, key);
  }
}

/** Names a field of a thing. */
export function fieldKey(key: string, path: readonly string[]): string {
  return [key, ...path].join("\t");
}

/** There is no tool for groups that are listed. */
export function isRenamable(subject: Subject): boolean {
  return (
    subject.kind === "shape" || subject.kind === "light" || (subject.kind === "group" && !subject.listed)
  );
}
