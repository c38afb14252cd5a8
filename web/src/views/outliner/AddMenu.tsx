import { NEW_LIGHTS, NEW_SHAPES } from "../../document/creation";
import type { Panels } from "../../panels";
import { useStudio } from "../../studio/studio";
import { Icon } from "../common/icons";
import { Menu } from "../common/Menu";

/** Adds a shape or a light in front of the camera, or an object of the library. */
export function AddMenu({ panels, disabled }: { panels: Panels; disabled: boolean }) {
  const { editor } = useStudio();
  const created = [...NEW_SHAPES, ...NEW_LIGHTS].map(({ kind, label }) => ({
    label,
    onChoose: () => editor.create(kind),
  }));
  const hasStage = editor.scene.value.shapes.some(({ group }) => group === "stage");
  const items = [
    {
      label: hasStage ? "Remove the stage" : "Stage (ground, lights, camera)",
      onChoose: () => editor.setStage(!hasStage),
    },
    { label: "From library…", onChoose: () => panels.setLibrary(true) },
    ...created,
  ];
  return <Menu testId="add" label="Add" icon={<Icon name="plus" />} disabled={disabled} items={items} />;
}
