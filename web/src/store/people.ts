import type { PresentPerson } from "../protocol";

/** Who looks at the session. */
export interface People {
  /** The id of this page's user. */
  you: number;
  people: readonly PresentPerson[];
  /** How many are not listed. */
  more: number;
}

/** Colors that are told apart and seen on pictures. */
const COLORS = ["#ff9f6b", "#7ad8a4", "#d79bff", "#ffd166", "#6fd3ff", "#ff8fb3"] as const;

/** The color of a person, the same for all who look. */
export function colorOf({ id }: Pick<PresentPerson, "id">): string {
  return COLORS[id % COLORS.length] ?? COLORS[0];
}

export function nameOf({ name, id }: Pick<PresentPerson, "name" | "id">): string {
  return name === "" ? `Guest ${id}` : name;
}

/** The letters that stand for a name. */
export function initialsOf(person: Pick<PresentPerson, "name" | "id">): string {
  const words = nameOf(person).split(/\s+/).filter(Boolean);
  return words
    .slice(0, 2)
    .map((word) => [...word][0]?.toUpperCase() ?? "")
    .join("");
}

/** Everybody but this page's user. */
export function othersOf(people: People | null): readonly PresentPerson[] {
  return people === null ? [] : people.people.filter(({ id }) => id !== people.you);
}

/** Who has selected something. */
export function selectedBy(people: People | null, key: string): readonly PresentPerson[] {
  return othersOf(people).filter(({ selection }) => selection.includes(key));
}
