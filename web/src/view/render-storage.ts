/** A picture as it is stored. */
export interface StoredRender {
  name: string;
  content: Blob;
  /** In pixels. */
  width: number;
  height: number;
}

interface StoredSession {
  session: string;
  /** When it was last written, in milliseconds. */
  writtenMs: number;
  renders: readonly StoredRender[];
}

const DATABASE = "scene-llm";
const STORE = "saved-renders";
/** The renders of the sessions that were written last are kept, up to these. */
const MAX_SESSIONS = 12;
const MAX_BYTES = 256 << 20;

/** The saved renders of sessions, in this browser. It may have no storage, or refuse: then they last as long as the page. */
export class RenderStorage {
  #opened: Promise<IDBDatabase> | null = null;

  async load(session: string): Promise<readonly StoredRender[]> {
    try {
      const stored = await this.#request<StoredSession | undefined>("readonly", (store) =>
        store.get(session),
      );
      return Promise.all((stored?.renders ?? []).map(withSize));
    } catch {
      return [];
    }
  }

  async write(session: string, renders: readonly StoredRender[]): Promise<void> {
    try {
      const entry: StoredSession = { session, writtenMs: Date.now(), renders };
      await this.#request("readwrite", (store) => store.put(entry));
      await this.#dropOldest();
    } catch {
      // See above.
    }
  }

  async #dropOldest(): Promise<void> {
    const all = await this.#request<StoredSession[]>("readonly", (store) => store.getAll());
    let bytes = 0;
    for (const [index, { session, renders }] of all.sort((a, b) => b.writtenMs - a.writtenMs).entries()) {
      bytes += renders.reduce((sum, { content }) => sum + content.size, 0);
      if (index > 0 && (index >= MAX_SESSIONS || bytes > MAX_BYTES))
        await this.#request("readwrite", (store) => store.delete(session));
    }
  }

  async #request<Result>(
    mode: IDBTransactionMode,
    make: (store: IDBObjectStore) => IDBRequest,
  ): Promise<Result> {
    this.#opened ??= openDatabase();
    const database = await this.#opened;
    return new Promise((resolve, reject) => {
      const request = make(database.transaction(STORE, mode).objectStore(STORE));
      request.onsuccess = () => resolve(request.result as Result);
      request.onerror = () => reject(request.error);
    });
  }
}

/** Those that an earlier version wrote have no size. */
async function withSize(render: StoredRender): Promise<StoredRender> {
  if (render.width > 0 && render.height > 0) return render;
  const { width, height } = await createImageBitmap(render.content);
  return { ...render, width, height };
}

function openDatabase(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: "session" });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
