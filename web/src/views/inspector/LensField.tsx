import { useId } from "preact/hooks";
import { apertureOf, fNumber, focalLength, viewAngle } from "../../document/camera";
import type { Subject } from "../../document/subject";
import { NumberInput } from "./NumberInput";
import { FieldRow } from "./PropertyField";
import { partOf, useProperty } from "./use-property";

/** From a fisheye's middle to a long telephoto; the field takes what is beyond. */
const SLIDER = { min: 10, max: 200, step: 1 };
/** What the angles that a camera may have come to. */
const RANGE = { min: 0.2, max: 10_000 };

/** The camera's view angle as photographers say it. */
export function LensField({ subject, angle }: { subject: Subject; angle: number }) {
  const id = useId();
  const edit = partOf(useProperty(subject, ["vfov"]), (millimeters: number | null) =>
    millimeters === null || millimeters <= 0 ? angle : viewAngle(millimeters),
  );
  return (
    <FieldRow
      id={id}
      edit={edit}
      label={
        <label class="property-name" for={id} title="Focal length on 35 mm film">
          Lens
          <span class="property-unit">mm</span>
        </label>
      }
    >
      {(row) => (
        <NumberInput
          {...row}
          label="Lens"
          value={Number(focalLength(angle).toFixed(1))}
          unit=""
          range={RANGE}
          slider={SLIDER}
          edit={edit}
        />
      )}
    </FieldRow>
  );
}

/** From a fast lens to a pinhole. */
const F_NUMBERS = { min: 0.01, max: 100_000 };
/** It is written f/2.8. */
const F_SLASH = /^\s*f\s*\/\s*/i;

/** The camera's aperture as photographers say it. */
export function FNumberField(props: { subject: Subject; angle: number; aperture: number }) {
  const { subject, angle, aperture } = props;
  const id = useId();
  const edit = partOf(useProperty(subject, ["aperture"]), (number: number | null) =>
    number !== null && number <= 0 ? aperture : apertureOf(angle, number),
  );
  const number = fNumber(angle, aperture);
  return (
    <FieldRow
      id={id}
      edit={edit}
      label={
        <label
          class="property-name"
          for={id}
          title="Focal length over the lens's diameter: the smaller, the more blur"
        >
          f-number
        </label>
      }
    >
      {(row) => (
        <NumberInput
          {...row}
          label="f-number"
          value={number === null ? null : Number(number.toPrecision(3))}
          unit=""
          range={F_NUMBERS}
          whenNull="no blur"
          leadIn={F_SLASH}
          edit={edit}
        />
      )}
    </FieldRow>
  );
}
