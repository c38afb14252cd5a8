import { NEW_LIGHTS, NEW_SHAPES } from "../../document/creation";
import { chooseFiles } from "../../files/files";
import type { Panels } from "../../panels";
import { useStudio } from "../../studio/studio";
import { Icon } from "../common/icons";
import { Menu } from "../common/Menu";

/** Adds a shape or a light in front of the camera, an object of the library, or what is in a file. */
export function AddMenu({ panels, disabled }: { panels: Panels; disabled: boolean }) {
  const { editor, fileOpener } = useStudio();
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
    { label: "Import file…", onChoose: () => chooseFiles((files) => void fileOpener.open(files)) },
    ...created,
  ];
  return <Menu testId="add" label="Add" icon={<Icon name="plus" />} disabled={disabled} items={items} />;
}
