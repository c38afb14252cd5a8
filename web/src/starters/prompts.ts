/** Requests to begin with, which every model understands, the built-in one too; a browser test says each. */
export const PROMPTS: readonly string[] = [
  "A red ball on a gray floor",
  "A glass sphere, a gold sphere and a green sphere",
  "A table with a red mug on it",
  "A lighthouse at sunset",
];

/** A scene that was made by talking: what was said, in order. */
export interface Talk {
  name: string;
  /** The picture of an object of the library that is in it. */
  object: string;
  prompts: readonly string[];
}

/** Scenes to have made before one's eyes. */
export const TALKS: readonly Talk[] = [
  {
    name: "Castle in the evening",
    object: "castle",
    prompts: ["A castle", "Make it evening", "Put a tree next to the castle"],
  },
  { name: "Cat on a sofa", object: "cat", prompts: ["A cat on a sofa", "Make the sofa blue"] },
  { name: "Three trees", object: "tree", prompts: ["Add three trees in a row", "Make the ground green"] },
  { name: "Living room", object: "armchair", prompts: ["Make a cozy living room"] },
];
