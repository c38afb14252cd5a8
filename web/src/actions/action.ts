import type { Panels } from "../panels";
import type { Studio } from "../studio/studio";
import type { Shortcut } from "./keys";

export const SECTIONS = ["Conversation", "Edit", "Add", "View", "Files", "Sessions", "Help"] as const;
export type Section = (typeof SECTIONS)[number];

/** Something a user can do: found in the command palette, done by its keys. */
export interface Action {
  /** Unique. */
  id: string;
  section: Section;
  label: string;
  /** More words that it is found by. */
  keywords?: string;
  /** The first is the one that is shown. */
  keys?: readonly Shortcut[];
  /** Whether its keys do it even where a text is being typed. */
  whileTyping?: boolean;
  /** Its keys are the field's own in one that is empty, too. */
  outsideFields?: boolean;
  /** Why it cannot be done now. */
  unavailable?: string | undefined;
  run: () => void;
}

/** What actions act on. */
export interface Workbench {
  studio: Studio;
  panels: Panels;
}
