import { defineConfig } from "vite";

/** The script of the web pages that scenes are downloaded as: one classic script that holds all it needs. */
export default defineConfig({
  publicDir: false,
  build: {
    target: "es2022",
    // The page was built before, beside it.
    emptyOutDir: false,
    lib: {
      entry: "src/web-page/viewer/main.ts",
      formats: ["iife"],
      name: "sceneViewer",
      fileName: () => "viewer.js",
    },
  },
});
