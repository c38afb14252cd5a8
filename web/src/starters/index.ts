import list from "./starters.json";

/** Requests to begin with, which every model understands, the built-in one too; a browser test says each. */
export const PROMPTS: readonly string[] = [
  "A red ball on a gray floor",
  "A glass sphere, a gold sphere and a green sphere",
  "A table with a red mug on it",
  "A lighthouse at sunset",
];

/** A scene that was made by talking to the built-in model. Scene and picture are made by `make starter-pictures`. */
export interface Starter {
  name: string;
  /** What was said, in order. */
  prompts: readonly string[];
  /** Where the scene file is. */
  scene: string;
  picture: string;
}

const SCENES = import.meta.glob<string>("./scenes/*.json", { query: "?url", import: "default", eager: true });
const PICTURES = import.meta.glob<string>("./scenes/*.jpg", {
  query: "?url",
  import: "default",
  eager: true,
});

export const STARTERS: readonly Starter[] = list.map(({ name, file, prompts }) => ({
  name,
  prompts,
  scene: SCENES[`./scenes/${file}.json`] ?? "",
  picture: PICTURES[`./scenes/${file}.jpg`] ?? "",
}));
