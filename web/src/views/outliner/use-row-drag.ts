import { type Signal, useSignal } from "@preact/signals";
import { movable, parentOf } from "../../document/grouping";
import type { TreeRow } from "../../document/tree";
import { useStudio } from "../../studio/studio";

/** Stands for the list itself: what is dropped there is in no group. */
export const TOP = "\ttop";
const DRAGGED_TYPE = "application/x-scene-llm-objects";

export interface RowDrag {
  onDragStart: (event: DragEvent) => void;
  onDragEnd: () => void;
  onDragOver: (event: DragEvent) => void;
  onDrop: (event: DragEvent) => void;
}

/** Rows that are dragged into a group, beside another row, or out of all groups. */
export function useRowDrag(selected: ReadonlySet<string>, select: (key: string) => void) {
  const { editor } = useStudio();
  /** The key of the row that would take what is dragged. */
  const target: Signal<string | null> = useSignal(null);
  const dragged = useSignal<readonly string[]>([]);

  /** The group that a row puts things into, and the row that shows it. */
  const placeOf = (row: TreeRow): { group: string | null; shown: string } => {
    if (row.kind === "group") return { group: row.key, shown: row.key };
    const group = parentOf(editor.scene.value, row.key);
    return { group, shown: group ?? TOP };
  };
  const over = (event: DragEvent, group: string | null, shown: string) => {
    if (!event.dataTransfer?.types.includes(DRAGGED_TYPE)) return;
    event.stopPropagation();
    const can = movable(editor.scene.value, dragged.value, group).length > 0;
    target.value = can ? shown : null;
    if (can) event.preventDefault();
  };
  const drop = (event: DragEvent, group: string | null) => {
    if (!event.dataTransfer?.types.includes(DRAGGED_TYPE)) return;
    event.preventDefault();
    event.stopPropagation();
    editor.moveToGroup(dragged.value, group);
    target.value = null;
  };
  const end = () => {
    target.value = null;
    dragged.value = [];
  };
  return {
    target,
    onTree: {
      onDragOver: (event: DragEvent) => over(event, null, TOP),
      onDrop: (event: DragEvent) => drop(event, null),
      onDragLeave: (event: DragEvent) => {
        const to = event.relatedTarget;
        if (!(to instanceof Node && (event.currentTarget as Node).contains(to))) target.value = null;
      },
    },
    onRow: (row: TreeRow): RowDrag | null =>
      row.kind === "camera" || row.kind === "environment" || !editor.editable.value
        ? null
        : {
            onDragStart: (event) => {
              if (!selected.has(row.key)) select(row.key);
              dragged.value = selected.has(row.key) ? [...selected] : [row.key];
              event.dataTransfer?.setData(DRAGGED_TYPE, dragged.value.join("\n"));
              if (event.dataTransfer !== null) event.dataTransfer.effectAllowed = "move";
            },
            onDragEnd: end,
            onDragOver: (event) => over(event, placeOf(row).group, placeOf(row).shown),
            onDrop: (event) => drop(event, placeOf(row).group),
          },
  };
}
