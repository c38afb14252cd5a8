import { useComputed } from "@preact/signals";
import { useId, useLayoutEffect } from "preact/hooks";
import { fieldKey, isRenamable } from "../../document/editor";
import { groupIds } from "../../document/scene";
import type { Member, Subject } from "../../document/subject";
import { descriptionOf } from "../../kinds/list";
import { useStudio } from "../../studio/studio";
import { DraftInput } from "./DraftInput";
import { FieldRow } from "./PropertyField";
import { useField } from "./use-property";

/** The new name of a thing whose name field had the focus: with a new name the fields are remounted. */
type KeepFocus = { current: string | null };

/** What a thing is called, and what it is. */
export function NameField({ subject, keepFocus }: { subject: Subject; keepFocus: KeepFocus }) {
  const { editor } = useStudio();
  const field = useField(fieldKey(subject.key, ["id"]));
  const id = useId();
  useLayoutEffect(() => {
    if (keepFocus.current === subject.key) document.getElementById(id)?.focus();
    keepFocus.current = null;
  }, [id, keepFocus, subject.key]);
  const edit = {
    ...field,
    disabled: field.disabled || !isRenamable(subject),
    commit: (name: string) => {
      if (document.activeElement?.id === id) keepFocus.current = name;
      editor.rename(subject.key, name);
    },
    preview: () => {},
  };
  // As the Add menu calls it.
  const type =
    "object" in subject
      ? (descriptionOf(subject.object.type)?.label ?? subject.object.type.replaceAll("_", " "))
      : subject.kind;
  return (
    <>
      <h3 class="inspector-title">{type}</h3>
      <FieldRow id={id} edit={edit} label={<span class="property-name">Name</span>}>
        {({ errorId, onLocalError }) => (
          <DraftInput
            label="Name"
            id={id}
            text={subject.key}
            errorId={errorId}
            parse={parseName}
            edit={edit}
            onLocalError={onLocalError}
          />
        )}
      </FieldRow>
    </>
  );
}

/** The group of one or several objects; empty is none. */
export function GroupField({ members, owner }: { members: readonly Member[]; owner: string }) {
  const { editor } = useStudio();
  const scene = useComputed(() => editor.scene.value).value;
  const id = useId();
  const field = fieldKey(owner, ["group"]);
  const groups = new Set(members.map(({ object }) => object.group ?? ""));
  const [only] = groups.size === 1 ? groups : [""];
  const edit = {
    ...useField(field),
    commit: (group: string) => editor.group(members, group, field),
    preview: () => {},
  };
  return (
    <FieldRow id={id} edit={edit} label={<span class="property-name">Group</span>}>
      {({ errorId, onLocalError }) => (
        <>
          <DraftInput
            label="Group"
            text={only ?? ""}
            placeholder={groups.size > 1 ? "several" : "none"}
            list={`${id}-groups`}
            errorId={errorId}
            parse={(text) => ({ value: text.trim() })}
            edit={edit}
            onLocalError={onLocalError}
          />
          <datalist id={`${id}-groups`}>
            {[...groupIds(scene)].map((group) => (
              <option key={group} value={group} />
            ))}
          </datalist>
        </>
      )}
    </FieldRow>
  );
}

export function parseName(text: string): { value: string } | { error: string } {
  const name = text.trim();
  return name === "" ? { error: "Enter a name." } : { value: name };
}
