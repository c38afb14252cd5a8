import { useComputed } from "@preact/signals";
import { useMemo, useRef } from "preact/hooks";
import { ENVIRONMENTS, environmentOf } from "../../document/fields";
import { type Subject, selectedMembers, subjectOf } from "../../document/subject";
import { useStudio } from "../../studio";
import { unreachable } from "../../unreachable";
import { GroupField, NameField } from "./IdentityFields";
import { MaterialFields } from "./MaterialFields";
import { PropertyField } from "./PropertyField";
import { TypeSelect } from "./TypeSelect";

/** What is selected, field by field. */
export function Inspector() {
  const { editor } = useStudio();
  const scene = useComputed(() => editor.scene.value).value;
  const selection = useComputed(() => editor.selection.value).value;
  const keepFocus = useRef<string | null>(null);
  const key = selection.length === 1 ? selection[0] : undefined;
  const subject = useMemo(() => (key === undefined ? null : subjectOf(scene, key)), [scene, key]);
  return (
    <section class="inspector" aria-label="Properties" data-testid="inspector">
      {subject !== null && <SubjectFields key={subject.key} subject={subject} keepFocus={keepFocus} />}
      {selection.length === 0 && (
        <p class="panel-hint">Select something in the picture or in the list to see and change what it is.</p>
      )}
      {selection.length > 1 && <ManyFields keys={selection} />}
    </section>
  );
}

function SubjectFields({ subject, keepFocus }: { subject: Subject; keepFocus: { current: string | null } }) {
  switch (subject.kind) {
    case "group":
      return (
        <>
          <NameField subject={subject} keepFocus={keepFocus} />
          <p class="panel-hint">
            A group of {count(subject.members.length, "object")}. Duplicate and delete act on all of them.
          </p>
        </>
      );
    case "camera":
      return (
        <>
          <h3 class="inspector-title">Camera</h3>
          <PropertyFields subject={subject} />
        </>
      );
    case "environment":
      return (
        <>
          <h3 class="inspector-title">Environment</h3>
          <EnvironmentType subject={subject} />
          <PropertyFields subject={subject} />
        </>
      );
    case "shape":
    case "light":
      return (
        <>
          <NameField subject={subject} keepFocus={keepFocus} />
          <PropertyFields subject={subject} />
          <GroupField members={[subject]} owner={subject.key} />
          {subject.kind === "shape" && <MaterialFields subject={subject} />}
        </>
      );
    default:
      return unreachable(subject);
  }
}

type WithProperties = Exclude<Subject, { kind: "group" }>;

function PropertyFields({ subject }: { subject: WithProperties }) {
  const type = "object" in subject ? subject.object.type : subject.kind;
  return (
    <>
      {Object.entries(subject.properties)
        .filter(([name]) => name !== "material" && name !== "type")
        .map(([name, value]) => (
          <PropertyField key={name} subject={subject} path={[name]} value={value} type={type} />
        ))}
    </>
  );
}

function EnvironmentType({ subject }: { subject: WithProperties }) {
  const { editor } = useStudio();
  return (
    <TypeSelect
      subject={subject}
      path={["type"]}
      label="Kind"
      names={ENVIRONMENTS}
      value={subject.properties.type}
      onChoose={(type) =>
        editor.edit([{ name: "set_environment_lighting", args: environmentOf(type) }], `${subject.key}\ttype`)
      }
    />
  );
}

function ManyFields({ keys }: { keys: readonly string[] }) {
  const { editor } = useStudio();
  const scene = useComputed(() => editor.scene.value).value;
  const members = selectedMembers(scene, keys);
  return (
    <>
      <h3 class="inspector-title">{keys.length} selected</h3>
      {members.length > 0 && <GroupField members={members} owner={keys.join("\t")} />}
      <p class="panel-hint">Duplicate and delete act on all of them, as one step to undo.</p>
    </>
  );
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
