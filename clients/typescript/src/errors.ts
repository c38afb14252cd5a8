/** An answer of the HTTP API that is an error (RFC 9457). */
export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly detail: string,
    readonly violations: string[] = [],
  ) {
    super(`${status}: ${detail}`);
  }

  static async of(answer: Response): Promise<Problem> {
    const text = await answer.text();
    try {
      const body = JSON.parse(text) as { detail: string; violations?: string[] };
      return new Problem(answer.status, body.detail, body.violations);
    } catch {
      return new Problem(answer.status, text.slice(0, 500) || answer.statusText);
    }
  }
}

/** The session refused a request, and nothing changed. */
export class Refused extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly retryable: boolean,
  ) {
    super(message);
  }
}

/**
 * The connection broke before a request was acknowledged: the server may or may not have carried it out. The events
 * that follow, or the scene, tell.
 */
export class ConnectionLost extends Error {}
