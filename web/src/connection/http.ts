/** What a request takes beside method, address and body. */
interface RequestOptions {
  /** More headers. */
  wanted?: Record<string, string>;
  signal?: AbortSignal;
}

/** Requests to the server that the page came from. A refused one is an `Error` with the server's message. */
export class Http {
  /** `base` is the address the page was served from. */
  constructor(private readonly base: URL) {}

  url(rest: string): URL {
    return new URL(`api/${rest}`, this.base);
  }

  /** The answer's document; its form is the server's promise. */
  async json<Answer>(method: string, address: URL, body?: string | Blob): Promise<Answer> {
    const response = await this.request(method, address, body);
    return response.status === 204 ? (undefined as Answer) : ((await response.json()) as Answer);
  }

  async request(
    method: string,
    address: URL,
    body?: string | Blob,
    { wanted = {}, signal }: RequestOptions = {},
  ): Promise<Response> {
    const headers: Record<string, string> =
      typeof body === "string" ? { ...wanted, "content-type": "application/json" } : wanted;
    let response: Response;
    try {
      response = await fetch(address, {
        method,
        headers,
        ...(signal && { signal }),
        ...(body !== undefined && { body }),
      });
    } catch (error) {
      if (signal?.aborted) throw error;
      throw new Error("the server cannot be reached");
    }
    if (!response.ok) throw new Error(await problemDetail(response));
    return response;
  }
}

/** What the server calls a file that it sends. */
export function fileNameOf({ headers }: Response): string | undefined {
  return /filename="([^"]+)"/.exec(headers.get("content-disposition") ?? "")?.[1];
}

/** The message of an error. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The `detail` of a problem document, else the status. */
async function problemDetail(response: Response): Promise<string> {
  try {
    const problem: unknown = await response.json();
    if (typeof problem === "object" && problem !== null && "detail" in problem) return String(problem.detail);
  } catch {
    // Not every error carries a document.
  }
  return `the server answered ${response.status}`;
}
