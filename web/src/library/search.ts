import type { LibraryObject } from "./objects";

/** Stands for the user's own objects where a category is chosen; no category is called so. */
export const OWN_OBJECTS = "my objects";

/**
 * The objects of a category (null for all) that fit a query, the best first: those whose name begins with it, then those
 * with a word of their name, a synonym, a category. Where nothing fits, what is one or two letters off.
 */
export function searchObjects(
  objects: readonly LibraryObject[],
  query: string,
  category: string | null,
): readonly LibraryObject[] {
  const isOffered = (object: LibraryObject) =>
    category === OWN_OBJECTS ? object.own === true : object.categories.includes(category ?? "");
  const offered = category === null ? objects : objects.filter(isOffered);
  const words = wordsOf(query);
  if (words.length === 0) return offered;
  const found = ranked(offered, (object) => rankOf(object, words));
  if (found.length > 0) return found;
  return ranked(offered, ({ names }) => Math.min(...names.map((name) => typingErrors(name, words))));
}

function ranked(
  objects: readonly LibraryObject[],
  rank: (object: LibraryObject) => number,
): readonly LibraryObject[] {
  return objects
    .map((object) => ({ object, rank: rank(object) }))
    .filter((each) => Number.isFinite(each.rank))
    .sort((a, b) => a.rank - b.rank)
    .map(({ object }) => object);
}

/** What fits, from the best to the least; infinite where nothing does. */
function rankOf({ name, names, categories }: LibraryObject, words: readonly string[]): number {
  const rank = [
    begins(name, words),
    fits(name, words),
    names.some((synonym) => fits(synonym, words)),
    fits([...names, ...categories].join(" "), words),
  ].indexOf(true);
  return rank === -1 ? Number.POSITIVE_INFINITY : rank;
}

/** Whether a text begins with the words, however they are parted: "arm chair" begins "armchair". */
function begins(text: string, words: readonly string[]): boolean {
  const letters = wordsOf(text).join("");
  return unparted(words).some((query) => letters.startsWith(query));
}

/** Whether each of the words begins one of the text, or all together begin it. */
function fits(text: string, words: readonly string[]): boolean {
  const own = wordsOf(text);
  const isWordOf = (word: string) =>
    singularForms(word).some((form) => own.some((each) => each.startsWith(form)));
  return words.every(isWordOf) || begins(text, words);
}

/** The words of a text in lower case, without accents. */
function wordsOf(text: string): readonly string[] {
  const plain = text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
  return plain.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
}

/** The words without the spaces between them, with the last as it is and in the singular. */
function unparted(words: readonly string[]): readonly string[] {
  const start = words.slice(0, -1).join("");
  return singularForms(words.at(-1) ?? "").map((last) => start + last);
}

/** Endings of plurals, and what they may stand for. */
const PLURALS: readonly (readonly [RegExp, string])[] = [
  [/s$/, ""],
  [/es$/, ""],
  [/ies$/, "y"],
  [/ves$/, "f"],
];

/** A word and what it may be the plural of. */
function singularForms(word: string): readonly string[] {
  // "Glass" and "bus" are no plurals.
  const isPlural = word.length > 3 && !word.endsWith("ss");
  const endings = isPlural ? PLURALS.filter(([ending]) => ending.test(word)) : [];
  return [word, ...endings.map(([ending, singular]) => word.replace(ending, singular))];
}

/** How many letters the words differ from a name; infinite where that is too many to be a typing error. */
function typingErrors(name: string, words: readonly string[]): number {
  const own = wordsOf(name);
  const distances = unparted(words).flatMap((query) => {
    const allowed = query.length < 4 ? 0 : query.length < 8 ? 1 : 2;
    return [own.join(""), ...own]
      .map((each) => editDistance(each, query))
      .filter((errors) => errors <= allowed);
  });
  return Math.min(...distances);
}

/** The least number of letters to add, leave out, change or swap with the next (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let [beforeLast, last]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const [left, above, corner] = [row[j - 1], last[j], last[j - 1]] as [number, number, number];
      let least = Math.min(left + 1, above + 1, corner + (a[i - 1] === b[j - 1] ? 0 : 1));
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwapped) least = Math.min(least, (beforeLast[j - 2] ?? 0) + 1);
      row.push(least);
    }
    [beforeLast, last] = [last, row];
  }
  return last[b.length] ?? 0;
}
