import { MATERIALS, materialOf } from "../../document/fields";
import type { Properties } from "../../document/scene";
import type { Subject } from "../../document/subject";
import { useStudio } from "../../studio";
import { PropertyField } from "./PropertyField";
import { TypeSelect } from "./TypeSelect";

/** The surface of a shape: its kind, and what that kind has. A text, such as the name of a preset, stays one. */
export function MaterialFields({ subject }: { subject: Extract<Subject, { kind: "shape" | "light" }> }) {
  const { editor } = useStudio();
  const { material } = subject.properties;
  if (material === undefined) return null;
  const properties: Properties = isObject(material) ? material : {};
  return (
    <>
      <h3 class="inspector-title inspector-section">Material</h3>
      <TypeSelect
        subject={subject}
        path={isObject(material) ? ["material"] : ["material", "type"]}
        label="Kind"
        names={MATERIALS}
        value={properties.type}
        onChoose={(type) => editor.setProperty(subject, ["material"], materialOf(type, properties))}
      />
      {!isObject(material) && (
        <PropertyField subject={subject} path={["material"]} value={material} type={subject.object.type} />
      )}
      {Object.entries(properties)
        .filter(([name]) => name !== "type")
        .map(([name, value]) => (
          <PropertyField
            key={name}
            subject={subject}
            path={["material", name]}
            value={value}
            type={subject.object.type}
          />
        ))}
    </>
  );
}

function isObject(value: unknown): value is Properties {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
