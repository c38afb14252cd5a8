import type { LibraryContents, LibraryObject, LibraryObjectDetails } from "../library/objects";
import { fileNameOf, type Http } from "./http";

/** What is saved as an object, and what is said of it. */
export interface ObjectRequest {
  session: string;
  /** Shapes, lights and groups. */
  ids: readonly string[];
  name: string;
  words: readonly string[];
  category: string;
  note: string;
  /** Degrees about the vertical. */
  front?: number;
}

/** The objects of the server's catalogue, and those of the user's own. */
export class LibraryApi {
  constructor(private readonly http: Http) {}

  /** The ready-made objects of the server's catalogue. */
  async objects(): Promise<LibraryContents> {
    const response = await this.http.request("GET", this.http.url("objects"));
    return (await response.json()) as LibraryContents;
  }

  /** One of them, with its shapes. */
  async object(name: string): Promise<LibraryObjectDetails> {
    const response = await this.http.request("GET", this.#objectUrl(name));
    return (await response.json()) as LibraryObjectDetails;
  }

  /** Saves what a scene has under some ids as an object of the user's own. */
  async saveObject(request: ObjectRequest): Promise<LibraryObject> {
    const url = this.http.url("objects");
    return (await (await this.http.request("POST", url, JSON.stringify(request))).json()) as LibraryObject;
  }

  /** Gives an object of the user's own another name, other words, another category or note. */
  async changeObject(name: string, change: Partial<ObjectRequest>): Promise<LibraryObject> {
    const response = await this.http.request("PATCH", this.#objectUrl(name), JSON.stringify(change));
    return (await response.json()) as LibraryObject;
  }

  async removeObject(name: string): Promise<void> {
    await this.http.request("DELETE", this.#objectUrl(name));
  }

  /** An object of the user's own as a file. */
  async exportObject(name: string): Promise<{ content: Blob; name: string }> {
    const response = await this.http.request("GET", this.#objectUrl(name, "/export"));
    return { content: await response.blob(), name: fileNameOf(response) ?? `${name}.object.json` };
  }

  /** The object that an exported file becomes. */
  async importObject(file: Blob): Promise<LibraryObject> {
    const response = await this.http.request("POST", this.http.url("objects/import"), file);
    return (await response.json()) as LibraryObject;
  }

  /** Where the picture of one of them is; another `version` may look different. */
  objectPictureUrl(name: string, version: string | undefined): string {
    const url = this.#objectUrl(name, "/picture");
    if (version !== undefined) url.searchParams.set("v", version);
    return url.href;
  }

  #objectUrl(name: string, rest = ""): URL {
    return this.http.url(`objects/${encodeURIComponent(name)}${rest}`);
  }
}
