import { batch, computed, effect, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { errorMessage } from "../connection/http";
import { addedObject } from "../document/additions";
import { usedIds } from "../document/scene";
import type { Triple } from "../document/vector";
import type { Studio } from "../studio/studio";
import type { Ghost } from "../view/ghost";
import { BARE_GROUND, type Surfaces } from "../view/surfaces";
import type { LibraryContents, LibraryObject, LibraryObjectDetails } from "./objects";
import { PictureQueue } from "./picture-queue";
import { isSeen, placeInView, turnTowardsCamera } from "./placement";
import { OWN_OBJECTS, searchObjects } from "./search";

/** When pictures have not come after so long, the server is making them. */
const YIELD_AFTER_MS = 300;

/** What is dragged from the library. */
export interface DraggedObject {
  object: LibraryObject;
  /** Where the pointer is, in CSS pixels of the page. */
  pointer: { x: number; y: number };
  /** Whether the view shows it where it would stand. */
  isShown: boolean;
}

/** The ready-made objects that the server has: looking for them and adding them. */
export class Library {
  readonly query: Signal<string> = signal("");
  /** The one that is shown; null for all. */
  readonly category: Signal<string | null> = signal(null);
  readonly contents: Signal<LibraryContents | null> = signal(null);
  /** Why it could not be loaded. */
  readonly failure: Signal<string | null> = signal(null);
  readonly found: ReadonlySignal<readonly LibraryObject[]>;
  /** The names of objects that the server is adding. */
  readonly adding: ReadonlySignal<ReadonlySet<string>>;
  readonly dragged: Signal<DraggedObject | null> = signal(null);
  /** What has been added last, for screen readers. */
  readonly announcement: Signal<string> = signal("");
  readonly pictures = new PictureQueue();
  /** How often the contents were asked for. */
  #asked = 0;
  readonly #details = new Map<string, LibraryObjectDetails | Promise<void>>();

  constructor(readonly studio: Studio) {
    this.found = computed(() =>
      searchObjects(this.contents.value?.objects ?? [], this.query.value, this.category.value),
    );
    this.adding = computed(() => {
      const calls = studio.editor.document.value.pending.flatMap((edit) => edit.calls);
      return new Set(calls.map(addedObject).filter((name) => name !== null));
    });
    // As long as the page: the library is made once.
    effect(() => {
      if (studio.ownObjects.changes.value > 0) void this.#reload();
    });
    let timer: ReturnType<typeof setTimeout> | undefined;
    effect(() => {
      const isBusy = this.pictures.isBusy.value;
      clearTimeout(timer);
      // Those that the browser has are there at once.
      timer = setTimeout(() => studio.traced.setYielding(isBusy), isBusy ? YIELD_AFTER_MS : 0);
    });
    effect(() => {
      if (studio.ownObjects.shown.value === null) return;
      batch(() => {
        this.category.value = OWN_OBJECTS;
        this.query.value = "";
      });
    });
  }

  /** Loads what the library holds, unless it is there. */
  async load(): Promise<void> {
    if (this.contents.value !== null) return;
    this.failure.value = null;
    await this.#ask();
  }

  /** The user's own objects have changed. */
  async #reload(): Promise<void> {
    this.#details.clear();
    if (this.#asked > 0) await this.#ask();
  }

  /** Only the newest answer counts: an older one may come later, and does not have the newest change. */
  async #ask(): Promise<void> {
    this.#asked += 1;
    const asked = this.#asked;
    try {
      const contents = await this.studio.api.library.objects();
      if (asked === this.#asked) this.contents.value = contents;
    } catch (error) {
      // What was loaded before stays; the next change asks again.
      const isMissing = asked === this.#asked && this.contents.value === null;
      if (isMissing) this.failure.value = errorMessage(error);
    }
  }

  pictureUrl({ name, version }: LibraryObject): string {
    return this.studio.api.library.objectPictureUrl(name, version ?? this.contents.value?.version);
  }

  /** What rays find in the scene as this page shows it. */
  get surfaces(): Surfaces {
    return this.studio.view.rasterView.value?.surfaces ?? BARE_GROUND;
  }

  /** An object where it would stand: its box until its shapes are loaded. */
  ghostOf({ name, size }: LibraryObject, place: Triple, turn: number): Ghost {
    const details = this.#details.get(name);
    const shapes = details !== undefined && "document" in details ? details.document : null;
    return { shapes, size, place, turn };
  }

  /** Loads the shapes of an object, unless they are there. */
  async loadShapes(name: string): Promise<void> {
    const known = this.#details.get(name);
    if (known !== undefined) return known instanceof Promise ? known : undefined;
    const loading = this.studio.api.library.object(name).then(
      (details) => void this.#details.set(name, details),
      // Its box stands for it; the next time it is asked for again.
      () => void this.#details.delete(name),
    );
    this.#details.set(name, loading);
    return loading;
  }

  /** Adds an object where one looks, and selects it. */
  add(object: LibraryObject): void {
    void this.#addInView(object);
  }

  /** Where it cannot be seen from here, this page's view goes to show it. */
  async #addInView(object: LibraryObject): Promise<void> {
    const { editor, viewport } = this.studio;
    const turn = turnTowardsCamera(editor.cameraView);
    const standing = { size: object.size, turn };
    const place = placeInView(this.surfaces, editor.cameraView, standing);
    const added = await this.addAt(object, place, turn);
    if (added !== null && !isSeen(this.surfaces, editor.cameraView, standing, place))
      viewport.lookAt([added]);
  }

  /** Adds an object at a place, and shows it there until the server has answered: what it is then; null where it is not. */
  async addAt(object: LibraryObject, place: Triple, turn: number): Promise<string | null> {
    const { editor, view } = this.studio;
    const before = usedIds(editor.scene.value);
    const ghost = this.ghostOf(object, place, turn);
    view.ghost.value = editor.addObject(object.name, place, turn) ? ghost : null;
    if (view.ghost.value === null) return null;
    this.announcement.value = `Adding ${object.name}…`;
    await editor.whenSettled();
    if (view.ghost.value === ghost) view.ghost.value = null;
    const selected = editor.selection.value.at(-1);
    const isAdded = selected !== undefined && !before.has(selected);
    this.announcement.value = isAdded ? `Added ${object.name}` : "";
    return isAdded ? selected : null;
  }
}
