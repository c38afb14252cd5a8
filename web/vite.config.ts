import { loadEnv } from "vite";
import { defineConfig } from "vitest/config";

export default defineConfig(({ mode }) => {
  /** Where `npm run dev` and `npm run preview` find the server. */
  const target = loadEnv(mode, ".", "SCENE_LLM_").SCENE_LLM_SERVER ?? "http://127.0.0.1:8080";
  // The Host header stays as the page sent it: the server wants it to equal the Origin.
  const proxy = { "/api": { target, changeOrigin: false }, "/ws": { target, changeOrigin: false, ws: true } };
  return {
    // Relative addresses: the page works under any path it is served from.
    base: "./",
    // The modern JSX transform is enough: no framework plugin is needed.
    oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
    build: {
      target: "es2022",
      // Everything is a file of its own, so that a strict content security policy holds.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
    },
    // The list of materials and the scenes to begin with are not of the page alone.
    server: { proxy, fs: { allow: [".", "../crates/scene/src/document/material", "../scenes"] } },
    preview: { proxy },
    // Far beyond what any test takes, also on a busy machine.
    test: { include: ["tests/**/*.test.{ts,mjs}"], testTimeout: 60_000 },
  };
});
