import { useId } from "preact/hooks";
import { fieldKey } from "../../document/editor";
import type { Unit } from "../../document/numbers";
import { type Member, updateCall } from "../../document/subject";
import { type Facing, type Plane, planeProperties } from "../../document/transform/plane";
import { useStudio } from "../../studio/studio";
import { FieldRow } from "./PropertyField";
import { type FieldEdit, useField } from "./use-property";
import { VectorInput } from "./VectorInput";

const XYZ = ["x", "y", "z"];

/** A plane by its middle, its size and how it is turned. */
export function PlaneFields(field: { member: Member; plane: Plane; facing: Facing }) {
  return (
    <>
      <PlaneField {...field} name="center" label="Center" unit="m" axes={XYZ} />
      <PlaneField
        {...field}
        name="size"
        label="Size"
        unit="m"
        axes={["w", field.facing === "up" ? "d" : "h"]}
      />
      <PlaneField {...field} name="rotation" label="Rotation" unit="°" axes={XYZ} />
    </>
  );
}

interface PlaneFieldProps {
  member: Member;
  plane: Plane;
  facing: Facing;
  name: keyof Plane;
  label: string;
  unit: Unit;
  axes: readonly string[];
}

function PlaneField({ member, plane, facing, name, label, unit, axes }: PlaneFieldProps) {
  const { editor } = useStudio();
  const id = useId();
  const key = fieldKey(member.object.id, ["plane", name]);
  const callWith = (value: readonly number[]) =>
    updateCall(member, { properties: planeProperties({ ...plane, [name]: value }, facing) });
  const edit: FieldEdit<readonly number[]> = {
    ...useField(key),
    commit: (value) => void editor.edit([callWith(value)], key),
    preview: (value) => editor.preview(value === undefined ? [] : [callWith(value)]),
  };
  return (
    <FieldRow
      id={id}
      edit={edit}
      label={
        <span class="property-name">
          {label}
          <span class="property-unit">{unit}</span>
        </span>
      }
    >
      {({ errorId, onLocalError }) => (
        <VectorInput
          label={label}
          axes={axes}
          value={plane[name].map((number) => Number(number.toFixed(5)))}
          unit={unit}
          range={name === "size" ? { min: 0.001 } : {}}
          errorId={errorId}
          edit={edit}
          onLocalError={onLocalError}
        />
      )}
    </FieldRow>
  );
}
