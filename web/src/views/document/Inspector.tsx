import { useComputed } from "@preact/signals";
import { useMemo, useRef } from "preact/hooks";
import { ENVIRONMENTS, environmentOf } from "../../document/fields";
import type { SceneDocument } from "../../document/scene";
import { type Subject, selectedMembers, subjectOf } from "../../document/subject";
import { useStudio } from "../../studio";
import { unreachable } from "../../unreachable";
import { FogFields } from "./FogFields";
import { GroupTools } from "./GroupTools";
import { GroupField, NameField } from "./IdentityFields";
import { MaterialFields } from "./MaterialFields";
import { PropertyField } from "./PropertyField";
import { SharedFields } from "./SharedFields";
import { TypeSelect } from "./TypeSelect";

/** What is selected, field by field. */
export function Inspector() {
  const { editor } = useStudio();
  const scene = useComputed(() => editor.scene.value).value;
  const selection = useComputed(() => editor.selection.value).value;
  const keepFocus = useRef<string | null>(null);
  const subject = useMemo(() => selectedSubject(scene, selection), [scene, selection]);
  return (
    <section class="inspector" aria-label="Properties" data-testid="inspector">
      {subject !== null && <SubjectFields key={subject.key} subject={subject} keepFocus={keepFocus} />}
      {selection.length === 0 && (
        <p class="panel-hint">Select something in the picture or in the list to see and change what it is.</p>
      )}
      {selection.length > 1 && subject === null && (
        <p class="panel-hint">Camera and environment are edited one by one.</p>
      )}
    </section>
  );
}

function SubjectFields({ subject, keepFocus }: { subject: Subject; keepFocus: { current: string | null } }) {
  switch (subject.kind) {
    case "group":
      return (
        <>
          <NameField subject={subject} keepFocus={keepFocus} />
          <p class="panel-hint">A group of {count(subject.members.length, "object")}.</p>
          <GroupTools />
          <SharedFields subject={subject} />
        </>
      );
    case "many":
      return (
        <>
          <h3 class="inspector-title">{count(subject.members.length, "object")} selected</h3>
          <GroupTools />
          <GroupField members={subject.members} owner={subject.key} />
          <SharedFields subject={subject} />
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
          <FogFields subject={subject} />
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

/** What the fields are of: a thing, or all objects that are selected. */
function selectedSubject(scene: SceneDocument, selection: readonly string[]): Subject | null {
  const [key] = selection;
  if (key === undefined) return null;
  if (selection.length === 1) return subjectOf(scene, key);
  const members = selectedMembers(scene, selection);
  return members.length === 0 ? null : { key: selection.join("\t"), kind: "many", members };
}

type WithProperties = Exclude<Subject, { kind: "group" | "many" }>;

/** What has fields of its own. */
const APART: ReadonlySet<string> = new Set(["type", "material", "fog"]);

function PropertyFields({ subject }: { subject: WithProperties }) {
  const type = "object" in subject ? subject.object.type : subject.kind;
  return (
    <>
      {Object.entries(subject.properties)
        .filter(([name]) => !APART.has(name))
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

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
