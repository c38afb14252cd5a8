import { Problem } from "./errors.js";
import type { Model, Scene, SessionSummary } from "./generated/api.js";
import type { SessionEvent } from "./link.js";
import { Session } from "./session.js";

/** A server. `token`: the operator's, where the server has one; a browser has it in a cookie instead. */
export class Client {
  readonly url: string;

  constructor(
    url = "http://127.0.0.1:8080",
    private readonly token?: string,
  ) {
    this.url = url.replace(/\/+$/, "");
  }

  /** A new session. */
  create(): Promise<Session> {
    return new Session(this, null).opened();
  }

  /** The session of an id or a share token. */
  open(key: string): Promise<Session> {
    return new Session(this, key).opened();
  }

  /** Any call of the HTTP API; the JSON of its answer. */
  async call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await this.#send(method, path, {}, body);
    const text = await answer.text();
    return (text === "" ? undefined : JSON.parse(text)) as T;
  }

  async picture(method: string, path: string, kind: string, body?: unknown): Promise<Uint8Array> {
    const answer = await this.#send(method, path, { accept: kind }, body);
    return new Uint8Array(await answer.arrayBuffer());
  }

  async #send(method: string, path: string, headers: Record<string, string>, body?: unknown): Promise<Response> {
    const sent: Record<string, string> = { ...headers, "content-type": "application/json" };
    if (this.token !== undefined) sent.authorization = `Bearer ${this.token}`;
    const answer = await fetch(this.url + path, { method, headers: sent, body: body && JSON.stringify(body) } as RequestInit);
    if (!answer.ok) throw await Problem.of(answer);
    return answer;
  }

  /** A picture of a scene file. */
  render(scene: Scene, settings: Record<string, unknown> = {}, kind = "image/png"): Promise<Uint8Array> {
    return this.picture("POST", "/api/render", kind, { scene, ...settings });
  }

  async sessions(): Promise<SessionSummary[]> {
    return (await this.call<{ sessions: SessionSummary[] }>("GET", "/api/sessions")).sessions;
  }

  async models(): Promise<Model[]> {
    return (await this.call<{ models: Model[] }>("GET", "/api/models")).models;
  }

  /** Events of the log after a number, and whether there are more. */
  events(session: string, after: number): Promise<{ events: SessionEvent[]; more: boolean }> {
    return this.call("GET", `/api/sessions/${session}/events?after=${after}`);
  }

  /** Why the server refuses a session for good; null if it does not. */
  async refusal(session: string | null): Promise<Problem | null> {
    try {
      if (session === null) await this.call("GET", "/api/models");
      else await this.call("GET", `/api/sessions/${session}`);
      return null;
    } catch (error) {
      return error instanceof Problem && [400, 401, 403, 404, 421].includes(error.status) ? error : null;
    }
  }

  /** Node 20 has no WebSocket of its own, and no other sends the token. */
  async connect(url: string): Promise<WebSocket> {
    if (typeof window !== "undefined") return new WebSocket(url);
    const { WebSocket: Socket } = await import("ws");
    const headers: Record<string, string> = this.token === undefined ? {} : { authorization: `Bearer ${this.token}` };
    return new Socket(url, { headers, maxPayload: 256 * 1024 * 1024 }) as unknown as WebSocket;
  }
}
