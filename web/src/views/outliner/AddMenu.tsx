import { NEW_LIGHTS, NEW_SHAPES } from "../../document/creation";
import { OBJECT_LABELS } from "../../kinds/labels";
import { useStudio } from "../../studio/studio";
import { Icon } from "../common/icons";
import { Menu } from "../common/Menu";

/** Adds a shape or a light in front of the camera. */
export function AddMenu({ disabled }: { disabled: boolean }) {
  const { editor } = useStudio();
  const items = [...NEW_SHAPES, ...NEW_LIGHTS].map((type) => ({
    label: OBJECT_LABELS[type],
    onChoose: () => editor.create(type),
  }));
  return <Menu testId="add" label="Add" icon={<Icon name="plus" />} disabled={disabled} items={items} />;
}
