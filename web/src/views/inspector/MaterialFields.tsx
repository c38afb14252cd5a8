import { materialKind, materialProperties } from "../../document/materials";
import type { Subject } from "../../document/subject";
import { MaterialChoice } from "./MaterialChoice";
import { PropertyField } from "./PropertyField";

/** What the surface of a shape is like. */
export function MaterialFields({ subject }: { subject: Extract<Subject, { kind: "shape" | "light" }> }) {
  const { material } = subject.properties;
  if (material === undefined) return null;
  return (
    <>
      <h3 class="inspector-title inspector-section">Material</h3>
      <MaterialChoice subject={subject} kind={materialKind(material)} material={material} />
      {typeof material === "string" && (
        <PropertyField subject={subject} path={["material"]} value={material} type="material" />
      )}
      {Object.entries(materialProperties(material)).map(([name, value]) => (
        <PropertyField key={name} subject={subject} path={["material", name]} value={value} type="material" />
      ))}
    </>
  );
}
