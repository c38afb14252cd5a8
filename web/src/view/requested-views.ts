import type { Properties } from "../document/scene";

/** What a `view` message asked to see. */
export interface RequestedView {
  /** Null for the scene's own camera. */
  camera: Properties | null;
  /** Ids of objects that were not to be shown. */
  hidden: ReadonlySet<string>;
  /** Of the animation, in seconds; null for the scene at rest. */
  time: number | null;
}

/** Pictures of older requests do not arrive any more. */
const MAX_REQUESTS = 64;

/** Pictures that nobody asked for show the scene as it is. */
const WHOLE_SCENE: RequestedView = { camera: null, hidden: new Set(), time: null };

/** What each `view` message asked for: pictures tell the message they answer. */
export class RequestedViews {
  readonly #byRequest = new Map<string, RequestedView>();

  add(requestId: string, view: RequestedView): void {
    this.#byRequest.set(requestId, view);
    const [oldest] = this.#byRequest.keys();
    if (this.#byRequest.size > MAX_REQUESTS && oldest !== undefined) this.#byRequest.delete(oldest);
  }

  /** What a picture shows; undefined when nobody knows. */
  get(view: unknown): RequestedView | undefined {
    return typeof view === "string" ? this.#byRequest.get(view) : WHOLE_SCENE;
  }

  /** Another session's pictures follow. */
  clear(): void {
    this.#byRequest.clear();
  }
}
