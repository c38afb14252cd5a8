import { NEW_LIGHTS, NEW_SHAPES } from "../../document/creation";
import { isStageGround } from "../../document/scene";
import { chooseFiles } from "../../files/files";
import type { Panels } from "../../panels";
import type { KindInfo } from "../../protocol/generated/kinds";
import { useStudio } from "../../studio/studio";
import { Icon, isIconName } from "../common/icons";
import { Menu, type MenuItem } from "../common/Menu";

/** Kinds of shapes whose form is drawn or written. */
const DRAWN: ReadonlySet<string> = new Set(["lathe", "extrusion", "tube", "text"]);

/**
 * Adds a shape or a light in front of the camera, an object of the library, or what is in a file;
 * what is selected becomes an object.
 */
export function AddMenu({ panels, disabled }: { panels: Panels; disabled: boolean }) {
  const { editor, fileOpener, ownObjects } = useStudio();
  const isDrawn = ({ kind }: KindInfo) => DRAWN.has(kind);
  const hasStage = editor.scene.value.shapes.some(isStageGround);
  const ids = editor.selectedIds();
  const entry = ({ kind, label, icon }: KindInfo): MenuItem => ({
    label,
    icon: isIconName(icon) ? icon : "box",
    onChoose: () => void editor.create(kind),
  });
  const items: MenuItem[] = [
    { label: "From library…", icon: "armchair", onChoose: () => panels.setLibrary(true) },
    {
      label: "Import file…",
      icon: "folder",
      onChoose: () => chooseFiles((files) => void fileOpener.open(files)),
    },
  ];
  const stage: MenuItem = {
    label: hasStage ? "Remove the stage" : "Stage (ground, lights, camera)",
    icon: "square",
    onChoose: () => editor.setStage(!hasStage),
  };
  const saving: MenuItem = {
    label: "Save selection as object…",
    icon: "arrowDownToLine",
    onChoose: () => {
      ownObjects.form.value = { kind: "save", ids };
    },
  };
  return (
    <Menu
      testId="add"
      label="Add"
      icon={<Icon name="plus" />}
      disabled={disabled}
      columns
      items={items}
      groups={[
        { heading: "Shapes", items: NEW_SHAPES.filter((kind) => !isDrawn(kind)).map(entry) },
        { heading: "Drawn", items: NEW_SHAPES.filter(isDrawn).map(entry) },
        { heading: "Lights", items: NEW_LIGHTS.map(entry) },
        { heading: "More", items: [stage, ...(ids.length === 0 ? [] : [saving])] },
      ]}
    />
  );
}
