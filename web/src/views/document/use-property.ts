import { useComputed } from "@preact/signals";
import { fieldKey } from "../../document/editor";
import type { Subject } from "../../document/subject";
import { useStudio } from "../../studio";

/** What a field does with the value that a person gives it. */
export interface FieldEdit<Value> {
  commit(value: Value): void;
  /** Shows what the value would lead to; undefined shows the scene again. */
  preview(value: Value | undefined): void;
  disabled: boolean;
  /** Why the server refused the last value. */
  fault: string | null;
  /** The person has read the fault, or given the value up. */
  dismiss(): void;
}

/** The edits of one property. */
export function useProperty(subject: Subject, path: readonly string[]): FieldEdit<unknown> {
  const { editor } = useStudio();
  return {
    ...useField(fieldKey(subject.key, path)),
    commit: (value) => editor.setProperty(subject, path, value),
    preview: (value) => editor.previewProperty(subject, path, value),
  };
}

/** What all fields have in common, whatever they do with a value. */
export function useField(field: string): Pick<FieldEdit<never>, "disabled" | "fault" | "dismiss"> {
  const { editor } = useStudio();
  const refusal = useComputed(() => editor.document.value.refusal).value;
  const disabled = !useComputed(() => editor.editable.value).value;
  const fault = refusal?.field === field ? refusal.message : null;
  return { disabled, fault, dismiss: () => editor.refusalSeen() };
}

/** The edit of a part of a value. */
export function partOf<Whole, Part>(
  edit: FieldEdit<Whole>,
  wholeWith: (part: Part) => Whole,
): FieldEdit<Part> {
  return {
    ...edit,
    commit: (part) => edit.commit(wholeWith(part)),
    preview: (part) => edit.preview(part === undefined ? undefined : wholeWith(part)),
  };
}
