/** What a request takes beside method, address and body. */
interface RequestOptions {
  /** More headers. */
  wanted?: Record<string, string>;
  signal?: AbortSignal;
}

const UNREACHABLE = "the server cannot be reached";

/** Requests to the server that the page came from. A refused one is an `Error` with the server's message. */
export class Http {
  /** `base` is the address the page was served from. */
  constructor(private readonly base: URL) {}

  url(rest: string): URL {
    return new URL(`api/${rest}`, this.base);
  }

  /** A file of the page. */
  pageFile(name: string): URL {
    return new URL(name, this.base);
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
      throw new Error(UNREACHABLE);
    }
    if (!response.ok) throw new Error(await problemDetail(response));
    return response;
  }
}

/** How much of a file has gone, 0 to 1; null once the server has all of it and reads it. */
export type UploadProgress = (share: number | null) => void;

/** Sends a file and tells how much of it has gone, which `fetch` does not; the document of the answer. */
export function uploadJson<Answer>(address: URL, body: Blob, onProgress: UploadProgress): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", address);
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.upload.onload = () => onProgress(null);
    request.onerror = () => reject(new Error(UNREACHABLE));
    request.onload = () => {
      const response = new Response(request.responseText, { status: request.status });
      if (response.ok) resolve(response.json());
      else void problemDetail(response).then((detail) => reject(new Error(detail)));
    };
    request.send(body);
  });
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
