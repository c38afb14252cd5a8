import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { SessionsApi } from "../../src/connection/api";

const api = new SessionsApi(new URL("http://host/under/"));
const server = vi.fn<typeof fetch>();
const answer = (status: number, document?: unknown) =>
  server.mockImplementation(
    async () => new Response(document === undefined ? null : JSON.stringify(document), { status }),
  );
const asked = () => server.mock.calls.map(([url, init]) => `${init?.method ?? "GET"} ${url}`);

beforeEach(() => vi.stubGlobal("fetch", server));
afterEach(() => {
  vi.unstubAllGlobals();
  server.mockReset();
});

describe("sessions over HTTP", () => {
  test("are asked for below the page's own address, with ids and words escaped", async () => {
    answer(200, { sessions: [] });
    await api.list("");
    await api.list(" a&b ");
    answer(204);
    await api.remove("a/b");
    await api.revokeShare("s", "t/u");
    expect(asked()).toEqual([
      "GET http://host/under/api/sessions",
      "GET http://host/under/api/sessions?q=a%26b",
      "DELETE http://host/under/api/sessions/a%2Fb",
      "DELETE http://host/under/api/sessions/s/shares/t%2Fu",
    ]);
  });

  test("a refusal says what the server said", async () => {
    answer(403, { detail: "only its owner may" });
    await expect(api.shares("s")).rejects.toThrow("only its owner may");
    server.mockResolvedValue(new Response("<html>", { status: 502 }));
    await expect(api.shares("s")).rejects.toThrow("the server answered 502");
  });

  test("a server that is not there is no unknown session", async () => {
    server.mockRejectedValue(new TypeError("failed"));
    expect(await api.isUnknown("s")).toBe(false);
    await expect(api.list("")).rejects.toThrow("the server cannot be reached");
    answer(404);
    expect(await api.isUnknown("s")).toBe(true);
  });
});
