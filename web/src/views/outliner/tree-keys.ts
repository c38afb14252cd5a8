import type { TreeRow } from "../../document/tree/tree";

interface TreeActions {
  select(key: string, extend: boolean): void;
  setExpanded(row: TreeRow, expanded: boolean): void;
  rename(key: string): void;
  selectAll(): void;
  /** Opens all groups. */
  expandAll(): void;
  /** Whether a key does something anywhere on the page. */
  isCommand(event: KeyboardEvent): boolean;
}

/** Does what a key means in a tree (ARIA Authoring Practices, tree view); false when it means nothing. */
export function treeKey(
  event: KeyboardEvent,
  rows: readonly TreeRow[],
  active: number,
  actions: TreeActions,
): boolean {
  const { key, shiftKey } = event;
  const row = rows[active];
  if (event.ctrlKey || event.metaKey) {
    if (key.toLowerCase() !== "a") return false;
    actions.selectAll();
    return true;
  }
  if (event.altKey) return false;
  const to = (index: number) => {
    const target = rows[Math.min(rows.length - 1, Math.max(0, index))];
    if (target !== undefined) actions.select(target.key, shiftKey);
  };
  switch (key) {
    case "ArrowDown":
      to(active + 1);
      break;
    case "ArrowUp":
      to(active === -1 ? rows.length - 1 : active - 1);
      break;
    case "Home":
      to(0);
      break;
    case "End":
      to(rows.length - 1);
      break;
    case "ArrowRight":
      if (row?.expanded === false) actions.setExpanded(row, true);
      else if (row?.expanded) to(active + 1);
      break;
    case "ArrowLeft":
      if (row?.expanded) actions.setExpanded(row, false);
      else if (row?.parent != null) to(rows.findIndex((each) => each.key === row.parent));
      break;
    case "*":
      actions.expandAll();
      break;
    case "F2":
    case "Enter":
      if (row !== undefined) actions.rename(row.key);
      break;
    default:
      // A key does the same wherever the focus is: only letters that are no commands lead to a name.
      if (key.length !== 1 || key === " " || actions.isCommand(event)) return false;
      return jump(key, rows, active, to);
  }
  return true;
}

/** Goes to the next row whose name begins with the letter. */
function jump(
  letter: string,
  rows: readonly TreeRow[],
  active: number,
  to: (index: number) => void,
): boolean {
  const begins = (row: TreeRow) => row.label.toLowerCase().startsWith(letter.toLowerCase());
  const after = rows.findIndex((row, index) => index > active && begins(row));
  const index = after === -1 ? rows.findIndex(begins) : after;
  if (index !== -1) to(index);
  return index !== -1;
}
