import type { SceneDocument, SceneObject } from "../document/scene";
import { nameOf, STAGE } from "./things";

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

/**
 * What could be said after an answer, from the scene alone: what was left out of the request, then changes of the
 * thing that is newest in it, its surroundings and the light. Every model understands these words.
 */
export function followUps(scene: SceneDocument, answer: string): FollowUp[] {
  const rest = LEFT_OUT.map((pattern) => pattern.exec(answer)?.[1]).find((words) => words !== undefined);
  const found: FollowUp[] =
    rest === undefined ? [] : [{ label: `Left out: “${rest}”`, text: rest, isRest: true }];
  const say = (text: string) => found.push({ label: text, text, isRest: false });
  const newest = newestThing(scene);
  if (newest === null) return found;
  const name = nameOf(newest.name);
  const color = COLORS.find((word) => !name.split(" ").includes(word)) ?? "blue";
  // Colors of its own make a group what it is.
  if (newest.part !== null && !isGlass(newest.part)) say(`Make the ${name} ${color}`);
  else say(`Make the ${name} a bit bigger`);
  if (!isDusky(scene)) say("Make it evening");
  say(`Put a tree next to the ${name}`);
  return found.slice(0, MAX_FOLLOW_UPS);
}

/** What was made last and is no ground: a shape by itself, or the group that it is in. */
function newestThing(scene: SceneDocument): { name: string; part: SceneObject | null } | null {
  const parents = new Map(scene.groups.map(({ id, parent }) => [id, parent]));
  for (const shape of [...scene.shapes].reverse()) {
    const { id, group } = shape;
    if (group === STAGE || GROUNDS.test(id)) continue;
    if (group === undefined) return { name: id, part: shape };
    const seen = new Set<string>();
    let whole = group;
    for (let next = parents.get(whole); next && !seen.has(next); next = parents.get(whole)) {
      seen.add(whole);
      whole = next;
    }
    return { name: whole, part: null };
  }
  return null;
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
