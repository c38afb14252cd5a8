import type { SceneObject } from "../document/scene";
import type { Triple } from "../document/vector";

/** A ready-made object of the server's catalogue. */
export interface LibraryObject {
  /** Unique. */
  name: string;
  /** Its name and synonyms. */
  names: readonly string[];
  categories: readonly string[];
  /** Width, height and depth, in metres. */
  size: Triple;
  /** Whether the user saved it; such objects can be changed. */
  own?: boolean;
  /** Of an own one: what its author says of it. */
  note?: string;
  /** Of an own one: changes with it, and with its picture. */
  version?: string;
}

/** What the library holds. */
export interface LibraryContents {
  objects: readonly LibraryObject[];
  /** In the order they are offered. */
  categories: readonly string[];
  /** Changes with the pictures of the objects. */
  version?: string;
  /** Files of the user's own objects that could not be read. */
  problems?: readonly { file: string; message: string }[];
}

/** An object with its shapes, which stand on y = 0 around the origin and face +z. */
export interface LibraryObjectDetails extends LibraryObject {
  document: readonly SceneObject[];
}
