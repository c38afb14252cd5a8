import type { Properties } from "../document/scene";

/** Pictures of older requests do not arrive any more. */
const MAX_REQUESTS = 64;

/** Which camera each `view` message asked for: pictures tell the message they answer. */
export class RequestedCameras {
  readonly #byRequest = new Map<string, Properties | null>();

  /** `camera` is null for the scene's own camera. */
  add(requestId: string, camera: Properties | null): void {
    this.#byRequest.set(requestId, camera);
    const [oldest] = this.#byRequest.keys();
    if (this.#byRequest.size > MAX_REQUESTS && oldest !== undefined) this.#byRequest.delete(oldest);
  }

  /** The camera that a picture shows; undefined when nobody knows. Pictures nobody asked for show the scene's. */
  get(view: unknown): Properties | null | undefined {
    return typeof view === "string" ? this.#byRequest.get(view) : null;
  }

  /** Another session's pictures follow. */
  clear(): void {
    this.#byRequest.clear();
  }
}
