import { defaultMaterial } from "../../../document/materials";
import type { Subject } from "../../../document/subject";
import { MATERIAL_LABELS } from "../../../kinds/labels";
import { MATERIAL_KINDS, type MaterialKind } from "../../../kinds/list";
import { useStudio } from "../../../studio/studio";
import { TypeSelect } from "../TypeSelect";
import { MaterialTools } from "./MaterialTools";
import { PresetPicker } from "./PresetPicker";

interface MaterialChoiceProps {
  subject: Subject;
  /** Empty when several objects differ in it. */
  kind: string;
  /** The present one; of several objects the first one's. */
  material: unknown;
}

/** Which kind of material it is, and the ready-made ones as pictures. */
export function MaterialChoice({ subject, kind, material }: MaterialChoiceProps) {
  const { editor } = useStudio();
  const isText = typeof material === "string";
  /** A preset goes on as what it is made of. */
  const vary = async () => {
    if (isText) editor.setProperty(subject, ["material"], await presetOf(material));
  };
  const become = async (chosen: MaterialKind) => {
    const present = isText ? await presetOf(material) : material;
    editor.setProperty(subject, ["material"], defaultMaterial(chosen, present));
  };
  return (
    <>
      <TypeSelect
        subject={subject}
        // A refusal of a preset's name stands at the name.
        path={isText ? ["material", "kind"] : ["material"]}
        label="Kind"
        names={kind === "" ? { "": "Several", ...MATERIAL_LABELS } : MATERIAL_LABELS}
        value={kind}
        onChoose={(chosen) => {
          const known = MATERIAL_KINDS.find((each) => each === chosen);
          if (known !== undefined) void become(known);
        }}
      />
      <PresetPicker
        present={isText && kind !== "" ? material : null}
        onChoose={(chosen) => editor.setProperty(subject, ["material"], chosen)}
      />
      <MaterialTools material={material} vary={isText && kind !== "" ? () => void vary() : null} />
    </>
  );
}

/** What a preset is made of; its name where that cannot be loaded. */
async function presetOf(name: string): Promise<unknown> {
  const presets = await import("../../../presets").catch(() => null);
  return presets?.presetMaterial(name) ?? name;
}
