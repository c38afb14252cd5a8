import { type SceneDocument, type SceneObject, STAGE } from "../document/scene";
import { nameOf } from "./things";

/** Something to say next. */
export interface FollowUp {
  label: string;
  /** What the message says. */
  text: string;
  /** Words the model left out: they are put into the field, to be said otherwise. */
  isRest: boolean;
}

/** More would be a menu. */
const MAX_FOLLOW_UPS = 3;

const COLORS = ["blue", "yellow", "green", "orange", "red"];

/** How answers tell what they did not do, first the built-in model's own words. */
const LEFT_OUT = [
  /\bI (?:left out|did not understand|do not understand|found no|cannot make|cannot do) “([^”]{2,80})”/i,
];

const FUNCTION_WORDS = new Set(
  (
    "a about all also an and are as at be but by for from had has have in into is it its just like of on onto or " +
    "please so some than that the their them then there these they this those to too with within without"
  ).split(" "),
);

/** Function words alone are nothing to say in another way. */
function saysSomething(text: string): boolean {
  return inWords(text)
    .trim()
    .split(" ")
    .some((word) => !FUNCTION_WORDS.has(word));
}

/**
 * What could be said after an answer, from the scene alone: what was left out of the request, then changes of the
 * thing that it names first, its surroundings and the light. Every model understands these words.
 */
export function followUps(scene: SceneDocument, answer: string): FollowUp[] {
  const rest = LEFT_OUT.flatMap((pattern) => pattern.exec(answer)?.[1] ?? []).find(saysSomething);
  const found: FollowUp[] =
    rest === undefined ? [] : [{ label: `Rephrase “${rest}”`, text: rest, isRest: true }];
  const say = (text: string) => found.push({ label: text, text, isRest: false });
  const subject = subjectOf(scene, answer);
  if (subject === null) return found;
  const name = shortName(scene, subject.name);
  const color = COLORS.find((word) => !name.split(" ").includes(word)) ?? "blue";
  // Colors of its own make a group what it is.
  if (subject.part !== null && !isGlass(subject.part)) say(`Make the ${name} ${color}`);
  else say(`Make the ${name} a bit bigger`);
  if (!isDusky(scene)) say("Make it evening");
  say(`Put a ${isInside(scene) ? "plant" : "tree"} next to the ${name}`);
  return found.slice(0, MAX_FOLLOW_UPS);
}

/** "the star" of the only one, whatever its number. */
function shortName(scene: SceneDocument, id: string): string {
  const bare = id.replace(/_\d+$/, "");
  const others = [...thingsIn(scene)].filter(({ name }) => name.replace(/_\d+$/, "") === bare);
  return nameOf(others.length === 1 ? bare : id);
}

interface Thing {
  name: string;
  /** The shape, where it is by itself. */
  part: SceneObject | null;
}

/** What the answer names first; of things that it does not name, what was made last. */
function subjectOf(scene: SceneDocument, answer: string): Thing | null {
  const said = inWords(answer);
  let subject: Thing | null = null;
  let first = Infinity;
  for (const thing of thingsIn(scene)) {
    const at = said.indexOf(inWords(thing.name));
    const place = at < 0 ? Number.MAX_SAFE_INTEGER : at;
    if (place < first) [subject, first] = [thing, place];
  }
  return subject;
}

/** The words, each between blanks. */
function inWords(text: string): string {
  return ` ${text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()} `;
}

/** Shapes by themselves and outermost groups, what was made last first; no grounds. */
function* thingsIn(scene: SceneDocument): Generator<Thing> {
  const parents = new Map(scene.groups.map(({ id, parent }) => [id, parent]));
  const told = new Set<string>();
  for (const shape of [...scene.shapes].reverse()) {
    const { id, group } = shape;
    if (group === STAGE || GROUNDS.test(id)) continue;
    if (group === undefined) {
      yield { name: id, part: shape };
      continue;
    }
    const seen = new Set<string>();
    let whole = group;
    for (let next = parents.get(whole); next && !seen.has(next); next = parents.get(whole)) {
      seen.add(whole);
      whole = next;
    }
    if (told.has(whole)) continue;
    told.add(whole);
    yield { name: whole, part: null };
  }
}

/** Whether the scene is a room: walls that are no part of a thing. */
function isInside({ shapes }: SceneDocument): boolean {
  return shapes.some(({ id, group }) => group === undefined && /(^|_)(wall|ceiling)(_|$)/.test(id));
}

const GROUNDS = /(^|_)(floor|ground|wall|ceiling|lawn|sky|water|sea|backdrop)(_|$)/;

function isGlass({ properties }: SceneObject): boolean {
  const { material } = properties as { material?: unknown };
  return material === "glass" || (material as { type?: unknown } | undefined)?.type === "dielectric";
}

/** Whether the sky is as dark as in the evening, or no simple one. */
function isDusky({ environment }: SceneDocument): boolean {
  const { type, top_color } = environment;
  if (type !== "gradient" && type !== "uniform") return true;
  return Array.isArray(top_color) && top_color.every((channel) => Number(channel) < 0.26);
}
