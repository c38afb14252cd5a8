import { useId } from "preact/hooks";
import type { Subject } from "../../document/subject";
import { FieldRow } from "./PropertyField";
import { useProperty } from "./use-property";

interface TypeSelectProps {
  subject: Subject;
  path: readonly string[];
  label: string;
  /** What the types this page knows are called. */
  names: Record<string, string>;
  /** The present type; one that is newer than this page is kept in the list. */
  value: unknown;
  onChoose: (type: string) => void;
}

export function TypeSelect({ subject, path, label, names, value, onChoose }: TypeSelectProps) {
  const edit = useProperty(subject, path);
  const id = useId();
  const present = typeof value === "string" ? value : "";
  const types = Object.keys(names).includes(present) ? Object.keys(names) : [present, ...Object.keys(names)];
  return (
    <FieldRow
      id={id}
      edit={edit}
      label={
        <label class="property-name" for={id}>
          {label}
        </label>
      }
    >
      {() => (
        <select
          id={id}
          class="select-input"
          disabled={edit.disabled}
          value={present}
          onChange={({ currentTarget }) => {
            const chosen = currentTarget.value;
            // Until the scene has it: who chooses no file, has chosen nothing.
            currentTarget.value = present;
            onChoose(chosen);
          }}
        >
          {types.map((type) => (
            <option key={type} value={type}>
              {names[type] ?? (type === "" ? "Other" : type.replaceAll("_", " "))}
            </option>
          ))}
        </select>
      )}
    </FieldRow>
  );
}
