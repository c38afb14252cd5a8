import { useComputed } from "@preact/signals";
import { materialKind, visibleProperties } from "../../../document/materials";
import { type Subject, sharerCount } from "../../../document/subject";
import { useStudio } from "../../../studio/studio";
import { PropertyField } from "../PropertyField";
import { MaterialChoice } from "./MaterialChoice";

/** What the surface of a shape is like. */
export function MaterialFields({ subject }: { subject: Extract<Subject, { kind: "shape" | "light" }> }) {
  const { editor } = useStudio();
  const sharers = useComputed(() => sharerCount(editor.scene.value, subject.object)).value;
  const { material } = subject.properties;
  if (material === undefined) return null;
  return (
    <>
      <h3 class="inspector-title inspector-section">Material</h3>
      {sharers > 0 && (
        <p class="panel-hint">
          Shared as {subject.object.material_name} by {sharers} {sharers === 1 ? "object" : "objects"}.
        </p>
      )}
      <MaterialChoice subject={subject} kind={materialKind(material)} material={material} />
      {typeof material === "string" && (
        <PropertyField subject={subject} path={["material"]} value={material} type="material" />
      )}
      {Object.entries(visibleProperties(material)).map(([name, value]) => (
        <PropertyField key={name} subject={subject} path={["material", name]} value={value} type="material" />
      ))}
    </>
  );
}
