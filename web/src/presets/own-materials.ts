import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Properties } from "../document/scene";

/** A material that the user has saved. */
export interface OwnMaterial {
  name: string;
  material: Properties;
}

const KEY = "scene-llm.materials";

/** The materials that the user has saved in this browser, for all sessions. */
export class OwnMaterials {
  readonly #list: Signal<readonly OwnMaterial[]>;

  constructor(private readonly storage: () => Pick<Storage, "getItem" | "setItem">) {
    this.#list = signal(this.#read());
  }

  get list(): ReadonlySignal<readonly OwnMaterial[]> {
    return this.#list;
  }

  /** One of the same name is replaced. */
  save(name: string, material: Properties): void {
    const others = this.#list.value.filter((each) => each.name !== name);
    this.#write([...others, { name, material }]);
  }

  remove(name: string): void {
    this.#write(this.#list.value.filter((each) => each.name !== name));
  }

  #write(list: readonly OwnMaterial[]): void {
    this.#list.value = list;
    try {
      this.storage().setItem(KEY, JSON.stringify(list));
    } catch {
      // They last as long as the page.
    }
  }

  #read(): readonly OwnMaterial[] {
    try {
      const list: unknown = JSON.parse(this.storage().getItem(KEY) ?? "[]");
      return Array.isArray(list) ? list.filter(isOwnMaterial) : [];
    } catch {
      return [];
    }
  }
}

function isOwnMaterial(value: unknown): value is OwnMaterial {
  if (typeof value !== "object" || value === null) return false;
  const { name, material } = value as Partial<OwnMaterial>;
  return typeof name === "string" && typeof material?.type === "string";
}
