import type { EditCall } from "../../protocol";
import type { SceneDocument } from "../scene";
import { membersOf } from "../subject";
import { isTriple, subtract, type Triple } from "../vector";

/** How far calls move what they are about; null where they do something else. */
export function shiftOf(scene: SceneDocument, calls: readonly EditCall[]): Triple | null {
  for (const { name, args } of calls) {
    const { id, by, updates } = args as {
      id?: string;
      by?: unknown;
      updates?: { properties?: Record<string, unknown> };
    };
    if (name === "move" && isTriple(by)) return by;
    const object = membersOf(scene).find((member) => member.object.id === id)?.object;
    const shift = object && differenceOf(object.properties, updates?.properties ?? {});
    if (shift) return shift;
  }
  return null;
}

/** Of the first point that differs. */
function differenceOf(before: unknown, after: unknown): Triple | null {
  if (isTriple(before) && isTriple(after)) {
    const difference = subtract(after, before);
    return difference.some((way) => way !== 0) ? difference : null;
  }
  if (typeof before !== "object" || typeof after !== "object" || before === null || after === null)
    return null;
  for (const [name, value] of Object.entries(after)) {
    const found = differenceOf((before as Record<string, unknown>)[name], value);
    if (found !== null) return found;
  }
  return null;
}
