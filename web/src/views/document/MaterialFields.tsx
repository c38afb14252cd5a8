import { kindOf, MATERIALS, materialOf, shownProperties } from "../../document/materials";
import type { Subject } from "../../document/subject";
import { useStudio } from "../../studio";
import { PropertyField } from "./PropertyField";
import { TypeSelect } from "./TypeSelect";

/** The surface of a shape: its kind, and what that kind has. A text is the name of a preset. */
export function MaterialFields({ subject }: { subject: Extract<Subject, { kind: "shape" | "light" }> }) {
  const { editor } = useStudio();
  const { material } = subject.properties;
  if (material === undefined) return null;
  const isText = typeof material === "string";
  const { type } = subject.object;
  return (
    <>
      <h3 class="inspector-title inspector-section">Material</h3>
      <TypeSelect
        subject={subject}
        // A refusal of a preset's name stands at the name.
        path={isText ? ["material", "kind"] : ["material"]}
        label="Kind"
        names={MATERIALS}
        value={kindOf(material)}
        onChoose={(kind) => editor.setProperty(subject, ["material"], materialOf(kind, material))}
      />
      {isText && <PropertyField subject={subject} path={["material"]} value={material} type={type} />}
      {Object.entries(shownProperties(material)).map(([name, value]) => (
        <PropertyField key={name} subject={subject} path={["material", name]} value={value} type={type} />
      ))}
    </>
  );
}
