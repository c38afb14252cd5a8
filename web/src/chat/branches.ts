/** A branch of the conversation, as the server lists it. */
export interface BranchSummary {
  branch: number;
  /** The branch it left; null for the first. */
  parent: number | null;
  /** The first message that is its own. */
  first_message_id: string | null;
  /** The message of the parent that this one says in another way. */
  replaces: string | null;
}

/** A message that was said in several ways: which branches go on from it. */
export interface BranchSwitch {
  /** In the order they were said. */
  branches: readonly number[];
  /** Which of them is shown, as an index. */
  position: number;
}

/** Where the shown branch parts from others, by the id of its message there. */
export function switchesOf(summaries: readonly BranchSummary[], shown: number): Map<string, BranchSwitch> {
  const branches = new Map(summaries.map((summary) => [summary.branch, summary]));
  const forks = summaries.map((summary) => ({ ...summary, ...forkOf(summary, branches) }));
  const path = new Set([shown]);
  for (let at = shown; ; ) {
    const parent = forks.find(({ branch }) => branch === at)?.parent ?? null;
    if (parent === null || path.has(parent)) break;
    path.add(parent);
    at = parent;
  }
  const switches = new Map<string, BranchSwitch>();
  for (const { parent, replaces } of forks) {
    if (parent === null || replaces === null || !path.has(parent)) continue;
    const others = forks.filter((other) => other.parent === parent && other.replaces === replaces);
    const taken = others.find((other) => path.has(other.branch));
    const messageId = taken === undefined ? replaces : taken.first_message_id;
    if (messageId === null) continue;
    const ways = [parent, ...others.map((other) => other.branch)];
    switches.set(messageId, { branches: ways, position: ways.indexOf(taken?.branch ?? parent) });
  }
  return switches;
}

/**
 * Where a branch parts from an older one. To say the first message of a branch in yet another way is to part
 * where that branch did.
 */
function forkOf(
  { parent, replaces }: BranchSummary,
  branches: ReadonlyMap<number, BranchSummary>,
): Pick<BranchSummary, "parent" | "replaces"> {
  const older = parent === null ? undefined : branches.get(parent);
  const sameMessage = older !== undefined && older.parent !== null && replaces === older.first_message_id;
  return sameMessage ? forkOf(older, branches) : { parent, replaces };
}
