import { type Signal, useSignal } from "@preact/signals";
import { movable, parentOf } from "../../document/tree/grouping";
import { moveBesideCalls, type Side } from "../../document/tree/order";
import type { TreeRow } from "../../document/tree/tree";
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

/** Where what is dragged would be put: into the group of this key, or beside the row. */
export interface DropTarget {
  key: string;
  where: "into" | Side;
}

/** Rows that are dragged into a group, before or after another row, or out of all groups. */
export function useRowDrag(selected: ReadonlySet<string>, select: (key: string) => void) {
  const { editor } = useStudio();
  const target: Signal<DropTarget | null> = useSignal(null);
  const dragged = useSignal<readonly string[]>([]);

  const kindOf = (key: string): TreeRow["kind"] => {
    const { shapes, lights } = editor.scene.value;
    if (shapes.some(({ id }) => id === key)) return "shape";
    return lights.some(({ id }) => id === key) ? "light" : "group";
  };
  /** Where a pointer on a row would put what is dragged: each kind has a list of its own. */
  const placeOn = (row: TreeRow, event: DragEvent): DropTarget => {
    const { top, height } = (event.currentTarget as HTMLElement).getBoundingClientRect();
    const part = (event.clientY - top) / height;
    const isOfKind = dragged.value.some((key) => key !== row.key && kindOf(key) === row.kind);
    if (row.kind === "group") {
      // Below an open group stands what is in it.
      if (isOfKind && part < 0.25) return { key: row.key, where: "before" };
      if (isOfKind && part > 0.75 && row.expanded !== true) return { key: row.key, where: "after" };
      return { key: row.key, where: "into" };
    }
    if (isOfKind) return { key: row.key, where: part < 0.5 ? "before" : "after" };
    return { key: parentOf(editor.scene.value, row.key) ?? TOP, where: "into" };
  };
  const groupOf = ({ key }: DropTarget) => (key === TOP ? null : key);
  const isPossible = (place: DropTarget): boolean => {
    const scene = editor.scene.value;
    if (place.where === "into") return movable(scene, dragged.value, groupOf(place)).length > 0;
    return moveBesideCalls(scene, dragged.value, place.key, place.where).length > 0;
  };
  const over = (event: DragEvent, place: DropTarget) => {
    if (!event.dataTransfer?.types.includes(DRAGGED_TYPE)) return;
    event.stopPropagation();
    const can = isPossible(place);
    const { key, where } = target.value ?? {};
    if (!can) target.value = null;
    else if (key !== place.key || where !== place.where) target.value = place;
    if (can) event.preventDefault();
  };
  const drop = (event: DragEvent, place: DropTarget) => {
    if (!event.dataTransfer?.types.includes(DRAGGED_TYPE)) return;
    event.preventDefault();
    event.stopPropagation();
    if (place.where === "into") editor.moveToGroup(dragged.value, groupOf(place));
    else editor.moveBeside(dragged.value, place.key, place.where);
    target.value = null;
  };
  const end = () => {
    target.value = null;
    dragged.value = [];
  };
  return {
    target,
    onTree: {
      onDragOver: (event: DragEvent) => over(event, { key: TOP, where: "into" }),
      onDrop: (event: DragEvent) => drop(event, { key: TOP, where: "into" }),
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
            onDragOver: (event) => over(event, placeOn(row, event)),
            onDrop: (event) => drop(event, placeOn(row, event)),
          },
  };
}
