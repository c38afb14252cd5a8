import { useMemo } from "preact/hooks";
import { sharedMaterialKind, sharedProperties } from "../../document/shared-properties";
import type { Subject } from "../../document/subject";
import { MaterialChoice } from "./material/MaterialChoice";
import { PropertyField } from "./PropertyField";

/** The properties that several objects share; a new value goes to all of them, as one step to undo. */
export function SharedFields({ subject }: { subject: Extract<Subject, { kind: "group" | "many" }> }) {
  const { members } = subject;
  const properties = useMemo(() => sharedProperties(members), [members]);
  const kind = useMemo(() => sharedMaterialKind(members), [members]);
  const field = ({ path, value, mixed, type }: (typeof properties)[number]) => (
    <PropertyField
      key={path.join(".")}
      subject={subject}
      path={path}
      value={value}
      mixed={mixed}
      type={type}
    />
  );
  return (
    <>
      {properties.filter(({ path }) => path.length === 1).map(field)}
      {kind !== null && (
        <>
          <h3 class="inspector-title inspector-section">Shared material</h3>
          <MaterialChoice subject={subject} kind={kind} material={members[0]?.object.properties.material} />
          {properties.filter(({ path }) => path.length > 1).map(field)}
        </>
      )}
    </>
  );
}
