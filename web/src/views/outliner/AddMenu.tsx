import { NEW_LIGHTS, NEW_SHAPES } from "../../document/creation";
import { useStudio } from "../../studio/studio";
import { Icon } from "../common/icons";
import { Menu } from "../common/Menu";

/** Adds a shape or a light in front of the camera. */
export function AddMenu({ disabled }: { disabled: boolean }) {
  const { editor } = useStudio();
  const items = [...NEW_SHAPES, ...NEW_LIGHTS].map(({ kind, label }) => ({
    label,
    onChoose: () => editor.create(kind),
  }));
  return <Menu testId="add" label="Add" icon={<Icon name="plus" />} disabled={disabled} items={items} />;
}
