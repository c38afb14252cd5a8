import { computed, effect, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { ClientMessage, EditCall } from "../protocol";
import type { StudioState } from "../store/state";
import { additionCall, stageCalls } from "./additions";
import { focusDistance } from "./camera";
import { copiedText, pasteCalls } from "./clipboard";
import { creationCall } from "./creation";
import { duplicateCalls } from "./duplicates";
import { applyCalls } from "./edits";
import type { Box, CameraView } from "./placement";
import { groupIds, type SceneDocument, usedIds } from "./scene";
import { type DocumentEvent, type DocumentState, shownScene } from "./state";
import {
  CAMERA_KEY,
  groupsInside,
  type Member,
  namedSelection,
  propertyCalls,
  type Subject,
  selectedMembers,
  subjectOf,
  updateCall,
} from "./subject";
import { aimCalls, canAim } from "./transform/aim";
import {
  type Axis,
  alignCall,
  type BoxEdge,
  boxAround,
  distributeCall,
  dropCall,
  middleOf,
} from "./transform/arrange";
import { groupCalls, moveToGroupCalls, outermost, renameGroupCalls, ungroupCalls } from "./tree/grouping";
import { groupPlaceCalls, moveBesideCalls, type Side, stepCalls } from "./tree/order";
import type { Triple } from "./vector";

/** What the editor needs of the page around it. */
interface EditorHost {
  state: ReadonlySignal<StudioState>;
  /** Ids of objects that this page does not show. */
  hidden: Signal<ReadonlySet<string>>;
  /** Ids of objects that pointers do not pick or move on this page. */
  locked: Signal<ReadonlySet<string>>;
  /** Through which this page looks. */
  cameraView(): CameraView;
  /** Tells where a new thing of a size stands on a table that is selected or looked at; null where there is none. */
  tablePlacer(): Promise<(size: Triple) => Triple | null>;
  dispatch(event: DocumentEvent | { type: "toast"; text: string }): void;
  /** Sends with the id; false when there is no connection. */
  send(message: ClientMessage): boolean;
  nextRequestId(): string;
}

/** Everything a user does to the document by hand. Each edit is one undo step. */
export class Editor {
  readonly document: ReadonlySignal<DocumentState>;
  /** The scene with what is on its way: what panels show. */
  readonly scene: ReadonlySignal<SceneDocument>;
  readonly selection: ReadonlySignal<readonly string[]>;
  /** What the pointer is on, in the chat or in the outliner. */
  readonly hovered: Signal<string | null> = signal(null);
  /** Ids of objects that this page does not show: no edit, nobody else sees them go. */
  readonly hidden: Signal<ReadonlySet<string>>;
  /** Ids of objects that pointers do not pick or move on this page. */
  readonly locked: Signal<ReadonlySet<string>>;
  readonly editable: ReadonlySignal<boolean>;
  readonly #host: EditorHost;

  constructor(host: EditorHost) {
    this.#host = host;
    this.hidden = host.hidden;
    this.locked = host.locked;
    const { state } = host;
    this.document = computed(() => state.value.document);
    this.scene = computed(() => shownScene(this.document.value));
    this.selection = computed(() => this.document.value.selection);
    this.editable = computed(() => state.value.access === "edit" && state.value.connection.phase === "open");
  }

  select(keys: readonly string[]): void {
    this.#host.dispatch({ type: "selected", keys });
  }

  /** Waits until the server has the scene as this page shows it: all edits are answered and no drag is under way. */
  whenSettled(): Promise<void> {
    return this.#once(({ pending, preview }) => pending.length + preview.length === 0);
  }

  #once(holds: (document: DocumentState) => boolean): Promise<void> {
    return new Promise((resolve) => {
      const stop = effect(() => {
        if (!holds(this.document.value)) return;
        resolve();
        // Not from within itself: it may not have begun yet.
        queueMicrotask(() => stop());
      });
    });
  }

  /** Selects things as soon as this page has heard of all of them: groups instead of what is in them. */
  selectOnceLoaded(ids: readonly string[]): void {
    this.#host.dispatch({ type: "selection_requested", ids });
  }

  /** Selects what the picture shows at a point, (0, 0) its top left and (1, 1) its bottom right corner. */
  pick(x: number, y: number, extend: boolean): void {
    const requestId = this.#host.nextRequestId();
    if (this.#host.send({ type: "pick", x, y, request_id: requestId })) {
      this.#host.dispatch({ type: "pick_sent", requestId, extend, ignored: this.locked.value });
    }
  }

  /** Waits until it is known what the newest click in the picture was on. */
  whenPicked(): Promise<void> {
    return this.#once(({ picking }) => picking === null);
  }

  /** Gives a property another value; see `propertyCalls` for the path. */
  setProperty(subject: Subject, path: readonly string[], value: unknown): void {
    this.edit(propertyCalls(subject, path, value), fieldKey(subject.key, path));
  }

  /** Shows what the value would lead to, on this page alone; undefined shows the scene again. */
  previewProperty(subject: Subject, path: readonly string[], value: unknown): void {
    this.preview(value === undefined ? [] : propertyCalls(subject, path, value));
  }

  /** Shows what calls would lead to, on this page alone; none shows the scene again. */
  preview(calls: readonly EditCall[]): void {
    this.#host.dispatch({ type: "edit_previewed", calls });
  }

  canRename(key: string): boolean {
    const subject = this.#subject(key);
    return this.editable.value && subject !== null && isRenamable(subject);
  }

  clearMarks(serial: number): void {
    this.#host.dispatch({ type: "marks_cleared", serial });
  }

  dismissEditError(): void {
    this.#host.dispatch({ type: "edit_error_dismissed" });
  }

  /** Makes all calls or none, as one undo step; `field` is where an error is shown. */
  edit(calls: readonly EditCall[], field: string | null = null): boolean {
    const { dispatch, nextRequestId, send } = this.#host;
    if (calls.length === 0) return false;
    const requestId = nextRequestId();
    if (!send({ type: "edit", calls: [...calls], request_id: requestId })) {
      dispatch({ type: "edit_previewed", calls: [] });
      dispatch({ type: "toast", text: "Not connected: the scene cannot be changed now." });
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
      if (this.edit(renameGroupCalls(this.scene.value, key, id), fieldKey(key, ["id"]))) this.select([id]);
    }
  }

  /** Makes a group of what is selected, where the first of it stands in the list, and selects it. */
  groupSelected(): void {
    const made = groupCalls(this.scene.value, this.selection.value);
    if (made === null) return;
    const placed = groupPlaceCalls(applyCalls(this.scene.value, made.calls), made.id);
    if (this.edit([...made.calls, ...placed])) this.select([made.id]);
  }

  /** Dissolves the selected groups, and selects what was in them. */
  ungroupSelected(): void {
    const freed = ungroupCalls(this.scene.value, this.selection.value);
    if (freed !== null && this.edit(freed.calls)) this.select(freed.members);
  }

  /** Puts objects and groups into a group, or with null into none. */
  moveToGroup(keys: readonly string[], group: string | null): void {
    this.edit(moveToGroupCalls(this.scene.value, keys, group));
  }

  /** Puts objects and groups beside another one, in its group and, of its kind, before or after it. */
  moveBeside(keys: readonly string[], beside: string, side: Side): void {
    this.edit(moveBesideCalls(this.scene.value, keys, beside, side));
  }

  /** Moves what is selected up or down by one in the list. */
  moveInList(step: -1 | 1): void {
    this.edit(stepCalls(this.scene.value, this.selection.value, step));
  }

  /** Gives what is selected the material of a shape; whether there was one to give. */
  takeMaterialOf(id: string): boolean {
    const source = this.scene.value.shapes.find((shape) => shape.id === id);
    const material = source?.properties.material;
    if (material === undefined) return false;
    return this.edit(
      this.#selected()
        .filter(({ kind, object }) => kind === "shape" && object.id !== id)
        .map((member) => updateCall(member, { properties: { material } })),
    );
  }

  /** Whether a group is selected. */
  hasGroupSelected(): boolean {
    const groups = groupIds(this.scene.value);
    return this.selection.value.some((key) => groups.has(key));
  }

  /** What is arranged: selected groups as one thing each, without what is in them. */
  arrangedIds(): string[] {
    return outermost(this.scene.value, this.selectedIds());
  }

  dropToFloor(): void {
    const ids = this.arrangedIds();
    if (ids.length > 0) this.edit([dropCall(ids)]);
  }

  /** Turns the selected lights to a point. */
  aimAt(point: Triple): void {
    this.edit(aimCalls(this.#selected(), point));
  }

  /** Lets the scene's camera be sharp as far away as a point is. */
  focusOn(point: Triple): void {
    const camera = this.#subject(CAMERA_KEY);
    const distance = focusDistance(this.scene.value.camera, point);
    const text = "That point is behind the scene's camera: click one in front of it.";
    if (distance === null) this.#host.dispatch({ type: "toast", text });
    else if (camera !== null) this.setProperty(camera, ["focus_distance"], distance);
  }

  /** Whether lights are selected, and things that they can be turned to. */
  canAimAtSelected(): boolean {
    const members = this.#selected();
    return members.some(canAim) && members.some((member) => member.kind === "shape");
  }

  /** Turns the selected lights to the middle of the selected shapes; `drawnBox` as for `boxAround`. */
  aimAtSelected(drawnBox: (ids: readonly string[]) => Box | null): void {
    const box = boxAround(
      this.#selected().filter(({ kind }) => kind === "shape"),
      drawnBox,
    );
    if (box !== null) this.aimAt(middleOf(box));
  }

  align(axis: Axis, edge: BoxEdge): void {
    const ids = this.arrangedIds();
    if (ids.length > 1) this.edit([alignCall(ids, axis, edge)]);
  }

  distribute(axis: Axis): void {
    const ids = this.arrangedIds();
    if (ids.length > 2) this.edit([distributeCall(ids, axis)]);
  }

  /** Hides objects, or shows them again, on this page alone; a group stands for what is in it. */
  setHidden(keys: readonly string[], hidden: boolean): void {
    this.hidden.value = this.#marked(this.hidden.value, keys, hidden);
  }

  /** Locks objects on this page, or frees them; a group stands for what is in it. */
  setLocked(keys: readonly string[], locked: boolean): void {
    this.locked.value = this.#marked(this.locked.value, keys, locked);
  }

  /** A set of ids with the objects that keys stand for, or without them. */
  #marked(ids: ReadonlySet<string>, keys: readonly string[], put: boolean): ReadonlySet<string> {
    const next = new Set(ids);
    for (const { object } of selectedMembers(this.scene.value, keys)) {
      if (put) next.add(object.id);
      else next.delete(object.id);
    }
    return next;
  }

  showAll(): void {
    if (this.hidden.value.size > 0) this.hidden.value = new Set();
  }

  /** Puts objects into a group; an empty name takes them out of theirs. */
  group(members: readonly Member[], group: string, field: string): void {
    this.edit(
      members.map((member) => updateCall(member, { group: group === "" ? null : group })),
      field,
    );
  }

  /** Through which this page looks at the scene. */
  get cameraView(): CameraView {
    return this.#host.cameraView();
  }

  /** Adds an object with sensible defaults in front of the camera, and selects it. */
  async create(kind: string): Promise<void> {
    const onTable = await this.#host.tablePlacer();
    const call = creationCall(this.scene.value, kind, this.cameraView, onTable);
    this.#editAndSelect([call], stageCalls(this.scene.value, call));
  }

  /**
   * Adds an object of the library, the middle of its underside at a point, turned about the vertical in degrees. It is
   * selected once it is there; false when nothing was sent.
   */
  addObject(object: string, at: Triple, turn: number): boolean {
    const call = additionCall(object, at, turn);
    return this.edit([call, ...stageCalls(this.scene.value, call)]);
  }

  /** Adds ground, lights and a camera where there are none, or takes away what nobody changed of them. */
  setStage(on: boolean): void {
    this.edit([{ name: "stage", args: { on } }]);
  }

  duplicateSelected(): void {
    const scene = this.scene.value;
    const groups = this.selection.value.filter((key) => this.#subject(key)?.kind === "group");
    const whole = new Set(groups.flatMap((group) => [...groupsInside(scene, group)]));
    this.#editAndSelect(duplicateCalls(scene, this.#selected(), whole, this.#host.cameraView()));
  }

  /** What is selected as a text for the clipboard; null for nothing. */
  copySelected(): string | null {
    return copiedText(this.scene.value, this.selection.value);
  }

  /** Makes objects that were copied here or in another session, and selects them; false for any other text. */
  paste(text: string): boolean {
    const pasted = this.editable.value ? pasteCalls(this.scene.value, text) : null;
    if (pasted === null || !this.edit(pasted.calls)) return false;
    this.select(pasted.keys);
    return true;
  }

  removeSelected(): void {
    this.edit(
      this.#selected().map(({ kind, object }) => ({ name: `remove_${kind}`, args: { id: object.id } })),
    );
  }

  /** The selected objects and groups: camera and environment have no ids. */
  selectedIds(): string[] {
    const ids = usedIds(this.scene.value);
    return this.selection.value.filter((key) => ids.has(key));
  }

  /** The ids that a message names as selected. */
  namedIds(): string[] {
    return namedSelection(this.scene.value, this.selection.value);
  }

  /** Makes new objects and selects them, new groups instead of what is in them. */
  #editAndSelect(calls: readonly EditCall[], more: readonly EditCall[] = []): void {
    const before = usedIds(this.scene.value);
    if (!this.edit([...calls, ...more])) return;
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

/** An empty group has nothing that could carry another name. */
export function isRenamable(subject: Subject): boolean {
  return (
    subject.kind === "shape" ||
    subject.kind === "light" ||
    (subject.kind === "group" && subject.members.length > 0)
  );
}
