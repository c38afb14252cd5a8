import { useComputed } from "@preact/signals";
import { useMemo, useRef } from "preact/hooks";
import type { Properties, SceneDocument } from "../../document/scene";
import { type Subject, selectedMembers, subjectOf } from "../../document/subject";
import { type Facing, planeOf } from "../../document/transform/plane";
import { chooseFiles, IMAGE_FILES } from "../../files/files";
import { ENVIRONMENT_DEFAULTS } from "../../kinds/defaults";
import { ENVIRONMENT_LABELS } from "../../kinds/labels";
import { ENVIRONMENT_KINDS, withDefaults } from "../../kinds/list";
import { useStudio } from "../../studio/studio";
import { unreachable } from "../../unreachable";
import { BookmarkList } from "../viewport/BookmarkList";
import { AimTools } from "./AimTools";
import { ArrangeTools } from "./ArrangeTools";
import { FocusTool } from "./FocusTool";
import { FogFields } from "./FogFields";
import { GroupTools } from "./GroupTools";
import { GroupField, NameField } from "./IdentityFields";
import { FNumberField, LensField } from "./LensField";
import { MaterialFields } from "./material/MaterialFields";
import { PlaneFields } from "./PlaneFields";
import { PropertyField } from "./PropertyField";
import { SharedFields } from "./SharedFields";
import { TransformFields } from "./TransformFields";
import { TypeSelect } from "./TypeSelect";

/** What is selected, field by field. */
export function Inspector() {
  const { editor, state } = useStudio();
  const scene = useComputed(() => editor.scene.value).value;
  const selection = useComputed(() => editor.selection.value).value;
  const isGuest = useComputed(() => state.value.access === "view").value;
  const keepFocus = useRef<string | null>(null);
  const subject = useMemo(() => selectedSubject(scene, selection), [scene, selection]);
  return (
    <section class="inspector" aria-label="Properties" data-testid="inspector">
      {subject !== null && <SubjectFields key={subject.key} subject={subject} keepFocus={keepFocus} />}
      {selection.length === 0 && (
        <p class="panel-hint">Select an object to see{isGuest ? "" : " and edit"} its properties.</p>
      )}
      {selection.length > 1 && subject === null && (
        <p class="panel-hint">Camera and environment can only be edited one at a time.</p>
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
          <TransformFields subject={subject} />
          <ArrangeTools />
          <SharedFields subject={subject} />
        </>
      );
    case "many":
      return (
        <>
          <h3 class="inspector-title">{count(subject.members.length, "object")} selected</h3>
          <GroupTools />
          <GroupField members={subject.members} owner={subject.key} />
          <TransformFields subject={subject} />
          <ArrangeTools />
          <SharedFields subject={subject} />
        </>
      );
    case "camera":
      return (
        <>
          <h3 class="inspector-title">Camera</h3>
          <PropertyFields subject={subject} />
          <CameraLens subject={subject} />
          <BookmarkList go={(look) => look} />
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
          <ObjectFields subject={subject} />
          {subject.kind === "light" && <AimTools light={subject} />}
          <GroupField members={[subject]} owner={subject.key} />
          <ArrangeTools />
          {subject.kind === "shape" && <MaterialFields subject={subject} />}
        </>
      );
    default:
      return unreachable(subject);
  }
}

function ObjectFields({ subject }: { subject: Extract<Subject, { kind: "shape" | "light" }> }) {
  const facing = RECTANGLES[subject.object.type];
  const plane = facing === undefined ? null : planeOf(subject.properties, facing);
  return plane === null || facing === undefined ? (
    <PropertyFields subject={subject} />
  ) : (
    <>
      <PlaneFields member={subject} plane={plane} facing={facing} />
      <PropertyFields subject={subject} without={EDGES} />
    </>
  );
}

/** The kinds that are edited by middle, size and rotation. */
const RECTANGLES: Readonly<Record<string, Facing>> = { quad: "up", area_quad_light: "down" };
/** By which the document has them. */
const EDGES: ReadonlySet<string> = new Set(["corner", "u", "v"]);

/** What the fields are of: a thing, or all objects that are selected. */
function selectedSubject(scene: SceneDocument, selection: readonly string[]): Subject | null {
  const [key] = selection;
  if (key === undefined) return null;
  if (selection.length === 1) return subjectOf(scene, key);
  const members = selectedMembers(scene, selection);
  return members.length === 0 ? null : { key: selection.join("\t"), kind: "many", members };
}

type WithProperties = Exclude<Subject, { kind: "group" | "many" }>;

/** All properties, also those that the document leaves out where they change nothing. */
function propertiesOf(subject: WithProperties): Properties {
  switch (subject.kind) {
    case "camera":
      return { ...subject.properties, exposure: subject.properties.exposure ?? 0 };
    case "light":
      return { ...subject.properties, ...withDefaults(subject.object) };
    default:
      return subject.properties;
  }
}

/** What has fields of its own. */
const SEPARATE_SECTIONS: ReadonlySet<string> = new Set(["type", "material", "fog"]);

function PropertyFields({
  subject,
  without = SEPARATE_SECTIONS,
}: {
  subject: WithProperties;
  without?: ReadonlySet<string>;
}) {
  const type = "object" in subject ? subject.object.type : subject.kind;
  return (
    <>
      {Object.entries(propertiesOf(subject))
        .filter(([name]) => !SEPARATE_SECTIONS.has(name) && !without.has(name))
        .map(([name, value]) => (
          <PropertyField key={name} subject={subject} path={[name]} value={value} type={type} />
        ))}
    </>
  );
}

/** Of a camera that has one: parallel and panoramic pictures have none. */
function CameraLens({ subject }: { subject: WithProperties }) {
  const { aperture = 0, vfov, projection = "perspective" } = subject.properties;
  if (typeof vfov !== "number" || projection !== "perspective") return null;
  return (
    <>
      <LensField subject={subject} angle={vfov} />
      {typeof aperture === "number" && <FNumberField subject={subject} angle={vfov} aperture={aperture} />}
      <FocusTool hasBlur={aperture !== 0} />
    </>
  );
}

function EnvironmentType({ subject }: { subject: WithProperties }) {
  const { editor } = useStudio();
  const { type: present } = subject.properties;
  const { fileOpener } = useStudio();
  const choose = (type: string) => {
    const kind = ENVIRONMENT_KINDS.find((each) => each === type);
    const defaults = kind === undefined ? null : ENVIRONMENT_DEFAULTS[kind];
    if (defaults === null) {
      chooseFiles(([file]) => file !== undefined && void fileOpener.setEnvironment(file), IMAGE_FILES);
      return;
    }
    editor.edit([{ name: "set_environment_lighting", args: { type, ...defaults } }], `${subject.key}\ttype`);
  };
  return (
    <TypeSelect
      subject={subject}
      path={["type"]}
      label="Kind"
      names={Object.fromEntries(ENVIRONMENT_KINDS.map((kind) => [kind, ENVIRONMENT_LABELS[kind]]))}
      value={present}
      onChoose={choose}
    />
  );
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
