import type { ModelInfo } from "../protocol";
import type { Http } from "./http";

/** A provider that a key can be entered for. */
export interface KeyStatus {
  provider: string;
  label: string;
  /** The page where keys are issued. */
  key_page: string;
  set: boolean;
  /** A key of the server's own start can only be changed there. */
  from_page: boolean;
  saved: boolean;
  /** The key's last letters, of a long one. */
  ending: string | null;
}

export interface KeyList {
  providers: readonly KeyStatus[];
  /** Whether there is a place to save keys. */
  can_remember: boolean;
}

/** What the test of a key came to. */
export interface KeyTest {
  /** How many models it may use; null where the provider could not be asked. */
  models: number | null;
  problem: string | null;
  saved: boolean;
  /** The model of new sessions now. */
  default: string;
}

/** A plan with parameters, which a goal can follow. */
export interface Workflow {
  name: string;
  /** What it does, in a sentence. */
  description: string;
  parameters: Record<string, WorkflowParameter>;
}

export interface WorkflowParameter {
  description: string;
  type: "text" | "integer" | "number" | "choice";
  default: string;
  min?: number;
  max?: number;
  /** Of a choice. */
  values?: readonly string[];
}

/** What the server has whatever session is shown: models, keys of their providers, workflows. */
export class ServerApi {
  constructor(private readonly http: Http) {}

  async workflows(): Promise<Workflow[]> {
    const response = await this.http.request("GET", this.http.url("workflows"));
    return ((await response.json()) as { workflows: Workflow[] }).workflows;
  }

  /** The models to choose from, after a look for those that run on the server's machine. */
  async models(): Promise<readonly ModelInfo[]> {
    const response = await this.http.request("GET", this.http.url("models?refresh=true"));
    return ((await response.json()) as { models: ModelInfo[] }).models;
  }

  /** Which providers have a key; refused where the server takes none from the page. */
  async keys(): Promise<KeyList> {
    return (await (await this.http.request("GET", this.http.url("keys"))).json()) as KeyList;
  }

  /** Gives the server a key; refused when the provider refuses it. */
  async setKey(provider: string, key: string, remember: boolean): Promise<KeyTest> {
    const body = JSON.stringify({ key, remember });
    return (await (await this.http.request("PUT", this.#keyUrl(provider), body)).json()) as KeyTest;
  }

  async removeKey(provider: string): Promise<void> {
    await this.http.request("DELETE", this.#keyUrl(provider));
  }

  #keyUrl(provider: string): URL {
    return this.http.url(`keys/${encodeURIComponent(provider)}`);
  }
}
