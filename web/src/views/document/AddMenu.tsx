import { NEW_LIGHTS, NEW_SHAPES, TYPE_NAMES } from "../../document/creation";
import { useStudio } from "../../studio";
import { Icon } from "../icons";
import { Menu } from "../Menu";

/** Adds a shape or a light in front of the camera. */
export function AddMenu({ disabled }: { disabled: boolean }) {
  const { editor } = useStudio();
  const items = [...NEW_SHAPES, ...NEW_LIGHTS].map((type) => ({
    label: TYPE_NAMES[type],
    onChoose: () => editor.create(type),
  }));
  return <Menu testId="add" label="Add" icon={<Icon name="plus" />} disabled={disabled} items={items} />;
}
