import { useComputed } from "@preact/signals";
import { fieldKey } from "../../document/editor";
import type { Subject } from "../../document/subject";
import { useStudio } from "../../studio/studio";

/** What a field does with the value that a user gives it. */
export interface FieldEdit<Value> {
  commit(value: Value): void;
  /** Shows what the value would lead to; undefined shows the scene again. */
  preview(value: Value | undefined): void;
  disabled: boolean;
  /** Why the server refused the last value. */
  error: string | null;
  /** The user has read the error, or given the value up. */
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
export function useField(field: string): Pick<FieldEdit<never>, "disabled" | "error" | "dismiss"> {
  const { editor } = useStudio();
  const refusal = useComputed(() => editor.document.value.editError).value;
  const disabled = !useComputed(() => editor.editable.value).value;
  const error = refusal?.field === field ? refusal.message : null;
  return { disabled, error, dismiss: () => editor.dismissEditError() };
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
