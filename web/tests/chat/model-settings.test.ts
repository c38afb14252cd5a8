import { describe, expect, test } from "vitest";
import { byProvider, capabilitiesOf, pickSettings, supportedSettings } from "../../src/chat/model-settings";
import type { KeyStatus } from "../../src/connection/server-api";
import type { ModelInfo } from "../../src/protocol";
import { statusText } from "../../src/views/models/KeyForm";
import { outcomeText } from "../../src/views/models/use-api-keys";

const MODEL: ModelInfo = {
  id: "openai/m",
  label: "m",
  sees_images: true,
  provider: "OpenAI",
  context_window: 128_000,
  native_tools: true,
  thinks: true,
  efforts: ["low", "high"],
  takes_temperature: false,
  prices: { input: 2, output: 10 },
};

describe("settings of a model", () => {
  test("only what a model takes goes along to it", () => {
    expect(supportedSettings(MODEL, { effort: "high", temperature: 0.5 })).toEqual({ effort: "high" });
    expect(supportedSettings(MODEL, { effort: "max" })).toEqual({});
    expect(supportedSettings({ ...MODEL, takes_temperature: true }, { temperature: 0 })).toEqual({
      temperature: 0,
    });
    expect(supportedSettings(undefined, { effort: "high" })).toEqual({});
  });

  test("are told apart from other fields, and left out where there are none", () => {
    const event = { model: "m", seq: 1, effort: "low" as const };
    expect(pickSettings(event)).toEqual({ effort: "low" });
    expect(pickSettings({})).toEqual({});
  });
});

test("what a model can do is said in plain words", () => {
  expect(capabilitiesOf(MODEL)).toEqual([
    "From OpenAI",
    "Reads up to 128k tokens",
    "Accepts images",
    "Reasoning",
    "$2 for a million tokens in, $10 out",
  ]);
  const plain: ModelInfo = { id: "x", label: "x", sees_images: false, native_tools: false };
  expect(capabilitiesOf(plain)).toEqual(["No image input", "Tool calls as text"]);
});

test("models stand under their providers, those of nobody last", () => {
  const offline: ModelInfo = { id: "offline", label: "Offline", sees_images: false };
  const other = { ...MODEL, id: "b/m", provider: "B" };
  const again = { ...MODEL, id: "openai/n" };
  const groups = byProvider([offline, MODEL, other, again]);
  expect(groups.map(({ provider, models }) => [provider, models.map(({ id }) => id)])).toEqual([
    ["OpenAI", ["openai/m", "openai/n"]],
    ["B", ["b/m"]],
    ["", ["offline"]],
  ]);
});

test("the test of a key is told in plain words", () => {
  expect(outcomeText("Groq", { models: 1, problem: null })).toBe("The key works: Groq offers 1 model.");
  expect(outcomeText("Groq", { models: null, problem: "It did not answer." })).toContain(
    "could not be reached",
  );
  const status: KeyStatus = {
    provider: "groq",
    label: "Groq",
    key_page: "https://groq.example",
    set: true,
    from_page: true,
    saved: false,
    ending: "1234",
  };
  expect(statusText(status)).toBe("set, ends with …1234, until the server stops");
  expect(statusText({ ...status, saved: true, ending: null })).toBe("set, saved on the server");
  expect(statusText({ ...status, from_page: false })).toBe("set in the server's environment");
});
