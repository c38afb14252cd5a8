import type { EditCall } from "../../protocol";
import { type Member, updateCall } from "../subject";
import { changedProperties, eulerAngles, type Transform } from "./transform";

/** One call for each thing that moves; those whose type this page does not know are left to the server's own tools. */
export function transformCalls(members: readonly Member[], transform: Transform): EditCall[] {
  return members.flatMap((member) => {
    const properties = changedProperties(member.object, transform);
    if (properties === null) return toolCalls(member.object.id, transform);
    return Object.keys(properties).length === 0 ? [] : [updateCall(member, { properties })];
  });
}

function toolCalls(id: string, { pivot, axes, factor, translation }: Transform): EditCall[] {
  const ids = [id];
  const calls: EditCall[] = [];
  const turn = eulerAngles(axes);
  if (factor !== 1) calls.push({ name: "scale", args: { ids, by: factor, anchor: "center" } });
  if (turn.some((angle) => angle !== 0)) calls.push({ name: "rotate", args: { ids, by: turn, pivot } });
  if (translation.some((way) => way !== 0)) calls.push({ name: "move", args: { ids, by: translation } });
  return calls;
}
