// A tiny MCP server that does what real ones do on bad days. No dependencies.
//
//   node tiny.mjs           speaks on its standard input and output
//   node tiny.mjs --odd     the same, with tools that no provider takes as they are
//   node tiny.mjs --http    streamable HTTP on a free port, which is printed
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import { createInterface } from "node:readline";

// One grey pixel.
const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==";
const NOTHING = { type: "object", properties: {} };

const TOOLS = [
  {
    name: "add",
    description: "Adds two numbers.",
    inputSchema: { type: "object", properties: { a: { type: "number" }, b: { type: "number" } } },
  },
  { name: "picture", inputSchema: { type: "object" }, annotations: { readOnlyHint: true } },
  { name: "fail", inputSchema: { type: "object" } },
  { name: "environment", inputSchema: NOTHING },
  { name: "die", inputSchema: NOTHING },
  { name: "more", inputSchema: NOTHING },
  { name: "fewer", inputSchema: NOTHING },
  { name: "big", inputSchema: NOTHING },
  { name: "endless", inputSchema: NOTHING },
  { name: "slow", inputSchema: NOTHING },
  { name: "until", inputSchema: { type: "object", properties: { path: { type: "string" } } } },
  { name: "steps", inputSchema: NOTHING },
  { name: "cancelled", inputSchema: NOTHING },
  { name: "forget", inputSchema: NOTHING },
];

const node = { type: "object", properties: { next: { $ref: "#/$defs/node" } } };
const ODD = [
  { name: "no_schema" },
  { name: "null_schema", inputSchema: null },
  { name: "text_schema", inputSchema: "any" },
  { name: "array", inputSchema: { type: "object", properties: { a: { type: "array" } } } },
  { name: "tuple", inputSchema: { type: "object", properties: { a: { items: [{ type: "string" }, true] } } } },
  { name: "one_of", inputSchema: { oneOf: [{ properties: { a: {} } }, { properties: { b: {} } }] } },
  { name: "endless", inputSchema: { $ref: "#/$defs/node", $defs: { node } } },
  { name: "list", inputSchema: { type: ["object", "null"], properties: { a: { type: ["string", "null"] } } } },
  { name: "$keys", inputSchema: { properties: { "$filter by": { type: "string" } }, required: ["$filter by"] } },
  { name: "dotted.name", inputSchema: {} },
  { name: "dotted name", inputSchema: {} },
  { name: `${"long".repeat(20)}a`, inputSchema: {} },
  { name: `${"long".repeat(20)}b`, inputSchema: {}, description: "\u202e\u0000".repeat(9_999) },
  { description: "no name" },
];

const odd = process.argv.includes("--odd");
let tools = odd ? ODD : [...TOOLS];
let cancelled = 0;
let telling;
const sessions = new Set();

const text = (text) => ({ content: [{ type: "text", text }] });
const changed = { jsonrpc: "2.0", method: "notifications/tools/list_changed" };

/** What is sent after a call: the result, and notifications. */
function call({ name, arguments: args = {}, _meta = {} }) {
  switch (name) {
    case "add":
      return [text(String((args.a ?? 0) + (args.b ?? 0)))];
    case "picture":
      return [{ content: [{ type: "image", mimeType: "image/png", data: PIXEL }] }];
    case "environment":
      return [text(Object.keys(process.env).sort().join(" "))];
    case "die":
      console.error("dying, as asked");
      return process.exit(7);
    case "more":
      tools = [...TOOLS, { name: "extra", inputSchema: NOTHING }];
      return [text("there is more"), changed];
    case "fewer":
      tools = [...TOOLS];
      return [text("there is less"), changed];
    case "big":
      return [text("five megabytes of words ".repeat(220_000))];
    case "endless":
      return endless();
    case "slow":
      return [];
    case "steps":
      return tell(_meta.progressToken);
    case "cancelled":
      return [text(String(cancelled))];
    case "forget":
      sessions.clear();
      return [text("forgotten")];
    case "$keys":
      return [text(JSON.stringify(args))];
    default:
      return [{ ...text("no such luck"), isError: true }];
  }
}

/** Tells its progress until it is cancelled, and has no result. */
function tell(progressToken) {
  let progress = 0;
  telling = setInterval(() => {
    progress += 1;
    const params = { progressToken, progress, total: 1_000_000, message: "reads the files" };
    process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/progress", params })}\n`);
  }, 20);
  return [];
}

/** Writes without a line's end, for ever. */
function endless() {
  const piece = "x".repeat(65_536);
  const write = () => {
    while (process.stdout.write(piece));
    process.stdout.once("drain", write);
  };
  process.stdout.write('{"jsonrpc":"2.0","id":');
  write();
  return [];
}

/** Answers when there is a file. */
function answerLate(id, path) {
  const timer = setInterval(() => {
    if (!existsSync(path)) return;
    clearInterval(timer);
    process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result: text("it is there") })}\n`);
  }, 20);
  return [];
}

/** The messages that answer one. */
function answer({ id, method, params }) {
  if (method === "notifications/cancelled") {
    cancelled += 1;
    clearInterval(telling);
  }
  if (id === undefined) return [];
  const result = (result) => ({ jsonrpc: "2.0", id, result });
  switch (method) {
    case "initialize": {
      const { protocolVersion } = params;
      const capabilities = { tools: { listChanged: true } };
      return [result({ protocolVersion, capabilities, serverInfo: { name: "tiny", version: "1" } })];
    }
    case "ping":
      return [result({})];
    case "tools/list":
      return [result({ tools })];
    case "tools/call": {
      if (params.name === "until") return answerLate(id, params.arguments.path);
      const [first, ...rest] = call(params);
      return first === undefined ? [] : [result(first), ...rest];
    }
    default:
      return [{ jsonrpc: "2.0", id, error: { code: -32601, message: "Method not found" } }];
  }
}

function serveHttp() {
  let count = 0;
  const server = createServer((request, response) => {
    const session = request.headers["mcp-session-id"];
    if (session !== undefined && !sessions.has(session)) return response.writeHead(404).end();
    if (request.method !== "POST") return response.writeHead(405).end();
    let body = "";
    request.on("data", (piece) => {
      body += piece;
    });
    request.on("end", () => {
      const message = JSON.parse(body);
      if (message.method === "initialize") {
        count += 1;
        sessions.add(`session-${count}`);
        response.setHeader("mcp-session-id", `session-${count}`);
      }
      const [first] = answer(message);
      if (first === undefined) return response.writeHead(202).end();
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(first));
    });
  });
  server.listen(0, "127.0.0.1", () => console.log(server.address().port));
}

if (process.argv.includes("--http")) {
  serveHttp();
} else {
  const lines = createInterface({ input: process.stdin });
  lines.on("line", (line) => {
    for (const message of answer(JSON.parse(line))) process.stdout.write(`${JSON.stringify(message)}\n`);
  });
  lines.on("close", () => process.exit(0));
}
