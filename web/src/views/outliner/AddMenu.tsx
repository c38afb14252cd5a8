import { NEW_LIGHTS, NEW_SHAPES } from "../../document/creation";
import { chooseFiles } from "../../files/files";
import type { Panels } from "../../panels";
import { useStudio } from "../../studio/studio";
import { Icon } from "../common/icons";
import { Menu } from "../common/Menu";

/**
 * Adds a shape or a light in front of the camera, an object of the library, or what is in a file;
 * what is selected becomes an object.
 */
export function AddMenu({ panels, disabled }: { panels: Panels; disabled: boolean }) {
  const { editor, fileOpener, ownObjects } = useStudio();
  const created = [...NEW_SHAPES, ...NEW_LIGHTS].map(({ kind, label }) => ({
    label,
    onChoose: () => editor.create(kind),
  }));
  const hasStage = editor.scene.value.shapes.some(({ group }) => group === "stage");
  const ids = editor.selectedIds();
  const save = () => {
    ownObjects.form.value = { kind: "save", ids };
  };
  const saving = ids.length === 0 ? [] : [{ label: "Save selection as object…", onChoose: save }];
  const items = [
    {
      label: hasStage ? "Remove the stage" : "Stage (ground, lights, camera)",
      onChoose: () => editor.setStage(!hasStage),
    },
    { label: "From library…", onChoose: () => panels.setLibrary(true) },
    ...saving,
    { label: "Import file…", onChoose: () => chooseFiles((files) => void fileOpener.open(files)) },
    ...created,
  ];
  return <Menu testId="add" label="Add" icon={<Icon name="plus" />} disabled={disabled} items={items} />;
}
