import { once } from "node:events";
import { createServer } from "node:http";

/**
 * A model service in the form of the Gemini API that says what the test wants when the test wants it: so a
 * run can be held in the middle of an answer without a timer.
 */
export class ScriptedGemini {
  /** Whether it tells its models, and which keys it takes. */
  listsModels = false;
  #asked = [];
  #waiting = [];
  #service = createServer((request, response) => void this.#serve(request, response));

  static async start() {
    const gemini = new ScriptedGemini();
    gemini.#service.listen(0, "127.0.0.1");
    await once(gemini.#service, "listening");
    return gemini;
  }

  /** What the server needs in its environment to ask this model. */
  get variables() {
    const { port } = this.#service.address();
    return { GEMINI_API_KEY: "not-a-key", GEMINI_BASE_URL: `http://127.0.0.1:${port}` };
  }

  /** The next request for an answer, in order. */
  nextRequest() {
    const asked = this.#asked.shift();
    return asked !== undefined
      ? Promise.resolve(asked)
      : new Promise((resolve) => {
          this.#waiting.push(resolve);
        });
  }

  stop() {
    this.#service.closeAllConnections();
    this.#service.close();
  }

  /** Lists one model to whoever has another key than this. */
  static REFUSED_KEY = "a-key-that-is-refused-1234";

  #list(request, response) {
    const isRefused = request.headers["x-goog-api-key"] === ScriptedGemini.REFUSED_KEY;
    const model = {
      name: "models/gemini-3.5-flash",
      displayName: "Gemini 3.5 Flash",
      supportedGenerationMethods: ["generateContent"],
    };
    const error = { code: 401, message: "API key not valid.", status: "UNAUTHENTICATED" };
    response.writeHead(isRefused ? 401 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(isRefused ? { error } : { models: [model] }));
  }

  async #serve(request, response) {
    if (this.listsModels && request.method === "GET") return this.#list(request, response);
    if (request.method !== "POST" || !request.url.includes(":streamGenerateContent")) {
      response.writeHead(404).end();
      return;
    }
    const chunks = await request.toArray();
    const answer = new Answer(JSON.parse(Buffer.concat(chunks).toString()), response);
    const waiting = this.#waiting.shift();
    if (waiting === undefined) this.#asked.push(answer);
    else waiting(answer);
  }
}

/** One request and the answer that streams back. */
class Answer {
  #response;
  /** Resolves when the other side has hung up. */
  dropped;

  constructor(request, response) {
    this.request = request;
    this.#response = response;
    this.dropped = once(response, "close");
  }

  /** An error instead of an answer. */
  fail(status, message) {
    this.#response.writeHead(status, { "content-type": "application/json" });
    this.#response.end(JSON.stringify({ error: { code: status, message, status: "FAILED" } }));
  }

  say(text) {
    this.#send({ parts: [{ text }] });
  }

  think(text) {
    this.#send({ parts: [{ text, thought: true }] });
  }

  call(name, args) {
    this.#send({ parts: [{ functionCall: { name, args }, thoughtSignature: "c2lnbmVk" }] });
  }

  /** The end of the answer; `usage` as `usageMetadata` has it. */
  end(usage) {
    this.#send({ parts: [{ text: "" }] }, "STOP", usage);
    this.#response.end();
  }

  #send(content, finishReason, usageMetadata) {
    if (!this.#response.headersSent) this.#response.writeHead(200, { "content-type": "text/event-stream" });
    const candidate = { index: 0, content: { role: "model", ...content }, finishReason };
    this.#response.write(`data: ${JSON.stringify({ candidates: [candidate], usageMetadata })}\r\n\r\n`);
  }
}
