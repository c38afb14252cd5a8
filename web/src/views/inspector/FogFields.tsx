import { cameraFrame } from "../../document/camera";
import { defaultFog } from "../../document/fields";
import type { Properties } from "../../document/scene";
import type { Subject } from "../../document/subject";
import { useStudio } from "../../studio/studio";
import { PropertyField } from "./PropertyField";

/** Whether there is fog in the air, and what it is like. */
export function FogFields({ subject }: { subject: Exclude<Subject, { kind: "group" | "many" }> }) {
  const { editor } = useStudio();
  const fog = subject.properties.fog as Properties | null | undefined;
  const hasFog = typeof fog === "object" && fog !== null;
  const toggle = () => {
    const distance = cameraFrame(editor.scene.value.camera)?.distance ?? 5;
    editor.setProperty(subject, ["fog"], hasFog ? null : defaultFog(distance));
  };
  return (
    <>
      <label class="inspector-title inspector-section inspector-switch">
        <input type="checkbox" checked={hasFog} disabled={!editor.editable.value} onChange={toggle} />
        Fog
      </label>
      {hasFog &&
        Object.entries(fog).map(([name, value]) => (
          <PropertyField key={name} subject={subject} path={["fog", name]} value={value} type="fog" />
        ))}
    </>
  );
}
