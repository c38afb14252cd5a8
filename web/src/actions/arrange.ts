import { AXES, type Axis, type BoxEdge, EDGES_OF_BOXES } from "../document/transform/arrange";
import type { Studio } from "../studio/studio";
import type { Action, Workbench } from "./action";

/** Where the selected things stand to the floor and to each other. */
export function arrangeActions({ studio }: Workbench): Action[] {
  const { editor } = studio;
  const offline = editor.editable.value ? undefined : "not connected";
  const count = editor.arrangedIds().length;
  const needs = (least: number) =>
    offline ??
    (count < least ? `select at least ${least === 1 ? "one object" : `${least} objects`}` : undefined);
  return [
    {
      id: "drop_to_floor",
      section: "Edit",
      label: "Drop",
      keywords: "ground snap down bottom",
      unavailable: needs(1),
      run: () => editor.dropToFloor(),
    },
    {
      id: "aim_lights",
      section: "Edit",
      label: "Aim selected lights at the other selected objects",
      keywords: "light point target direction look at turn spot",
      unavailable: offline ?? (editor.canAimAtSelected() ? undefined : "select lights and objects"),
      run: () => aimLights(studio),
    },
    ...AXES.flatMap((axis) => EDGES_OF_BOXES.map((edge) => align(axis, edge))),
    ...AXES.map(
      (axis): Action => ({
        id: `distribute_${axis}`,
        section: "Edit",
        label: `Distribute along ${axis.toUpperCase()}`,
        keywords: "space evenly gaps arrange",
        unavailable: needs(3),
        run: () => editor.distribute(axis),
      }),
    ),
  ];

  function align(axis: Axis, edge: BoxEdge): Action {
    return {
      id: `align_${edge}_${axis}`,
      section: "Edit",
      label: `Align ${axis.toUpperCase()}: ${edge === "center" ? "centers" : edge}`,
      keywords: "line up arrange edges",
      unavailable: needs(2),
      run: () => editor.align(axis, edge),
    };
  }
}

/** Turns the selected lights to the middle of what else is selected. */
export function aimLights({ editor, view }: Studio): void {
  editor.aimAtSelected((ids) => view.rasterView.value?.boxOf(ids) ?? null);
}
