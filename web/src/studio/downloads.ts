import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { SceneFormat } from "../connection/api";
import { COMPOSED_ASPECT } from "../document/camera";
import { downloadName, saveFile, sessionFileName } from "../files/files";
import { loadPart } from "../loading";
import type { ModelFormat } from "../raster/objects/model-export";
import type { RasterView } from "../raster/raster-view";
import type { WebPageSource } from "../web-page/collect";
import type { SessionStore } from "./session-store";

/** What of the scene is shown, and how. */
interface ShownScene extends Pick<WebPageSource, "scene" | "hidden" | "camera" | "bookmarks"> {
  /** The traced picture of that, where a good one is there. */
  picture: Blob | null;
  /** Width over height. */
  aspect: number;
}

/** The longer side of the picture of a web page in pixels, and its samples, of which it gets as many as there is time for. */
const PAGE_PICTURE_PX = 1600;
const PAGE_PICTURE_SAMPLES = 256;
const PAGE_PICTURE_SECONDS = 12;

/** Files that the user takes out of the shown session. */
export class Downloads {
  /** What is done for the web page that is being made; null while there is none. */
  readonly webPageStep: Signal<string | null> = signal(null);
  #abort = new AbortController();

  constructor(
    private readonly store: SessionStore,
    private readonly rasterView: ReadonlySignal<RasterView | null>,
    private readonly shown: () => ShownScene,
  ) {}

  /** The scene file. */
  sceneFile(): Promise<void> {
    return this.#file("scene", this.#name("json"));
  }

  /** The session with its history. */
  session(): Promise<void> {
    return this.#file("export", sessionFileName(this.store.state.value.name));
  }

  /** The scene in a format of other programs; tells what that format has no place for. */
  async scene(format: SceneFormat): Promise<void> {
    const { api, sessionId } = this.store;
    if (sessionId === null) return;
    await this.store.attempt(`The scene could not be exported as ${format.toUpperCase()}`, async () => {
      const { content, name, notes } = await api.exportScene(sessionId, format);
      // Several files come as one archive.
      const file = this.#name(name.endsWith(".zip") ? `${format}.zip` : format);
      saveFile(content, file);
      if (notes.length > 0) this.store.showNote(`${file} was downloaded. ${notes.map(sentence).join(" ")}`);
    });
  }

  /** What the raster view draws. */
  async model(format: ModelFormat): Promise<void> {
    await this.store.attempt(`The scene could not be exported as ${format.toUpperCase()}`, async () => {
      const rasterView = this.rasterView.value;
      if (rasterView === null) throw new Error("the raster view has not loaded yet");
      saveFile(await rasterView.exportModel(format), this.#name(format));
    });
  }

  /** One file that shows the scene by itself, wherever it is opened; one at a time. */
  async webPage(): Promise<void> {
    const { api, sessionId, workName } = this.store;
    if (sessionId === null || this.webPageStep.value !== null) return;
    this.webPageStep.value = "Beginning";
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    const { scene, hidden, camera, bookmarks, picture, aspect } = this.shown();
    const render = () =>
      api.renderPicture(
        sessionId,
        { ...(camera !== null && { camera }), hidden: [...hidden], fit_aspect: COMPOSED_ASPECT },
        "jpeg",
        {
          width: Math.round(PAGE_PICTURE_PX * Math.min(1, aspect)),
          height: Math.round(PAGE_PICTURE_PX / Math.max(1, aspect)),
          samples: PAGE_PICTURE_SAMPLES,
          time_limit: PAGE_PICTURE_SECONDS,
          denoise: "builtin",
        },
        signal,
      );
    await this.store.attempt("The web page could not be made", async () => {
      try {
        const rasterView = this.rasterView.value;
        if (rasterView === null) throw new Error("the raster view has not loaded yet: try again");
        const { makeWebPage } = await loadPart(() => import("../web-page/collect"), signal);
        const source: WebPageSource = {
          title: workName || "Scene",
          ...{ scene, hidden, camera, bookmarks },
          serverMeshes: rasterView.serverMeshKeys(scene.shapes),
        };
        const server = {
          picture: async () => picture ?? (await render()),
          mesh: (shape: string) => api.shapeMesh(sessionId, shape),
          asset: (asset: string) => api.asset(asset),
          moments: () => api.moments(sessionId),
          script: () => api.viewerScript(),
        };
        const page = await makeWebPage(source, server, (step) => {
          signal.throwIfAborted();
          this.webPageStep.value = step;
        });
        signal.throwIfAborted();
        const name = this.#name("html");
        saveFile(page, name);
        this.store.showNote(
          `${name} was saved (${megabytes(page.size)} MB). A double click opens it, also offline.`,
        );
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    });
    this.webPageStep.value = null;
  }

  /** Ends the making of a web page; nothing is saved. */
  cancelWebPage(): void {
    this.#abort.abort();
  }

  async #file(path: "scene" | "export", name: string): Promise<void> {
    const { api, sessionId } = this.store;
    if (sessionId === null) return;
    await this.store.attempt(`${name} could not be downloaded`, async () => {
      saveFile(await api.file(sessionId, path), name);
    });
  }

  #name(ending: string): string {
    return downloadName(this.store.workName, ending);
  }
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
}
