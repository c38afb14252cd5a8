import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { SessionsApi } from "../connection/api";
import { errorMessage } from "../connection/http";
import { saveFile } from "../files/files";
import type { LibraryObject } from "./objects";

/** What a user says of an object of their own. */
export interface ObjectAbout {
  name: string;
  /** Other words that it is found by. */
  words: readonly string[];
  /** Of the library's categories; empty for none. */
  category: string;
  note: string;
}

/** What the form asks about: what of the scene is to be saved, or which object is changed. */
export type ObjectForm = { kind: "save"; ids: readonly string[] } | { kind: "change"; object: LibraryObject };

/** What the objects need of the page around them. */
interface OwnObjectsHost {
  api: SessionsApi;
  sessionId(): string | null;
  /** True when the action succeeded, else the user reads why it did not. */
  attempt(failure: string, action: () => Promise<void>): Promise<boolean>;
}

/** Objects that the user saves from scenes and finds again in the library. */
export class OwnObjects {
  /** The form that is open, if one is. */
  readonly form: Signal<ObjectForm | null> = signal(null);
  readonly #changes = signal(0);
  readonly #shown = signal<{ name: string } | null>(null);

  constructor(private readonly host: OwnObjectsHost) {}

  /** Counts changes: what is listed has to be loaded anew. */
  get changes(): ReadonlySignal<number> {
    return this.#changes;
  }

  /** The object that came last: the library opens and shows it. */
  get shown(): ReadonlySignal<{ name: string } | null> {
    return this.#shown;
  }

  /**
   * Saves what the scene has under some ids; `front` is in degrees about the vertical, null for what it is turned by.
   * Null, or why it was not saved.
   */
  save(ids: readonly string[], about: ObjectAbout, front: number | null): Promise<string | null> {
    return problemOf(async () => {
      const session = this.host.sessionId();
      if (session === null) throw new Error("there is no session");
      const given = front === null ? {} : { front };
      this.#show(await this.host.api.library.saveObject({ session, ids, ...about, ...given }));
    });
  }

  /** Null, or why it was not changed. */
  change({ name }: LibraryObject, about: ObjectAbout): Promise<string | null> {
    return problemOf(async () => {
      await this.host.api.library.changeObject(name, about);
      this.#changes.value += 1;
    });
  }

  remove({ name }: LibraryObject): Promise<boolean> {
    return this.host.attempt(`${name} was not deleted`, async () => {
      await this.host.api.library.removeObject(name);
      this.#changes.value += 1;
    });
  }

  /** Hands an object to the user as a file. */
  download({ name }: LibraryObject): Promise<boolean> {
    return this.host.attempt(`${name} was not exported`, async () => {
      const { content, name: file } = await this.host.api.library.exportObject(name);
      saveFile(content, file);
    });
  }

  /** Takes in an exported object. */
  import(file: File): Promise<boolean> {
    return this.host.attempt(`${file.name} could not be imported`, async () => {
      this.#show(await this.host.api.library.importObject(file));
    });
  }

  #show({ name }: LibraryObject): void {
    this.#changes.value += 1;
    this.#shown.value = { name };
  }
}

/** What an action fails with; the form that began it says so. */
async function problemOf(action: () => Promise<void>): Promise<string | null> {
  try {
    await action();
    return null;
  } catch (error) {
    return errorMessage(error);
  }
}

/** The words of a field, which are separated by commas. */
export function wordsIn(text: string): string[] {
  return text
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
}

/** What to call something by default: "floor lamp" for `floor_lamp_2`. */
export function nameFor(ids: readonly string[]): string {
  const [id, ...others] = ids;
  if (id === undefined || others.length > 0) return "";
  return id
    .replace(/_\d+$/, "")
    .replaceAll(/[^\p{L}\p{N}'-]+/gu, " ")
    .trim()
    .slice(0, 60);
}
