import type { ComponentChildren } from "preact";
import { useId, useState } from "preact/hooks";
import { type Control, controlOf, labelOf } from "../../document/fields";
import type { Subject } from "../../document/subject";
import type { Triple } from "../../document/vector";
import { type PointList, pointListKind } from "../../kinds/point-lists";
import { unreachable } from "../../unreachable";
import { Loaded } from "../common/Loaded";
import { EmissionInput, ReflectanceInput } from "./ColourInputs";
import { DraftInput } from "./DraftInput";
import { AddImageButton, AssetInput, ImageInput } from "./ImageInputs";
import { Handle, NumberInput } from "./NumberInput";
import { type FieldEdit, partOf, useProperty } from "./use-property";
import { VectorInput } from "./VectorInput";

const loadPoints = () => import("./points/PointListInput").then(({ PointListInput }) => PointListInput);
const loadOutlines = () =>
  import("./points/OutlineListInput").then(({ OutlineListInput }) => OutlineListInput);

/** Letters that the column of labels has room for. */
const MAX_LABEL_LENGTH = 12;
/** Colors that a picture can stand in place of. */
const SHOWS_IMAGES: ReadonlySet<string> = new Set(["albedo", "base_color"]);

interface PropertyFieldProps {
  subject: Subject;
  path: readonly string[];
  value: unknown;
  /** Of the thing that has the property. */
  type: string;
  /** Whether several things are edited that differ in it; `value` is the first one's. */
  mixed?: boolean;
}

/** A property with its name, its control and what the server said against the last value. */
export function PropertyField({ subject, path, value, type, mixed = false }: PropertyFieldProps) {
  const edit = useProperty(subject, path);
  const id = useId();
  const name = path.at(-1) ?? "";
  const control = controlOf(name, value, type);
  const label = labelOf(name);
  return (
    <FieldRow
      id={id}
      edit={edit}
      shape={
        label.length <= MAX_LABEL_LENGTH && !isDrawn(control)
          ? ""
          : control.kind === "number"
            ? "property-long"
            : "property-stacked"
      }
      label={
        control.kind === "number" ? (
          <Handle
            htmlFor={id}
            value={mixed ? null : (value as number | null)}
            unit={control.unit}
            range={control}
            edit={edit}
          >
            {label}
          </Handle>
        ) : (
          <span class="property-name">
            {label}
            {control.kind === "colour" && SHOWS_IMAGES.has(name) && (
              <AddImageButton label={label} edit={edit} />
            )}
            {control.kind === "vector" && control.unit !== "" && (
              <span class="property-unit">{control.unit}</span>
            )}
          </span>
        )
      }
    >
      {(row) => (
        <ControlInput
          control={control}
          label={label}
          value={value}
          mixed={mixed}
          around={outlineOf(subject)}
          edit={edit}
          {...row}
        />
      )}
    </FieldRow>
  );
}

/** Whether it takes the whole width. */
function isDrawn({ kind }: Control): boolean {
  return kind === "point_list" || kind === "outlines";
}

interface Row {
  id: string;
  errorId: string;
  onLocalError: (error: string | null) => void;
}

interface FieldRowProps {
  id: string;
  label: ComponentChildren;
  /** Another layout, for a label that is too long for its column. */
  shape?: string;
  edit: Pick<FieldEdit<never>, "error">;
  children: (row: Row) => ComponentChildren;
}

export function FieldRow({ id, label, shape = "", edit, children }: FieldRowProps) {
  const [localError, onLocalError] = useState<string | null>(null);
  const error = localError ?? edit.error;
  const errorId = `${id}-error`;
  return (
    <div class={`property ${shape}`} data-testid="property">
      {label}
      <div class="property-control">{children({ id, errorId, onLocalError })}</div>
      {error !== null && (
        <p class="property-error" id={errorId} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}

interface ControlInputProps extends Row {
  control: Control;
  label: string;
  value: unknown;
  mixed: boolean;
  /** The outline of the object, if it has one. */
  around: PointList | null;
  edit: FieldEdit<unknown>;
}

function outlineOf(subject: Subject): PointList | null {
  const outline = "object" in subject ? subject.object.properties.outline : null;
  return pointListKind("outline", outline) === null ? null : (outline as PointList);
}

function ControlInput({ control, value, mixed, around, ...props }: ControlInputProps) {
  const { label, edit, id, errorId, onLocalError } = props;
  const row = { label, edit, errorId, onLocalError };
  switch (control.kind) {
    case "number": {
      const { unit, whenNull, slider } = control;
      const about = { unit, range: control, whenNull, slider };
      const number = mixed ? null : (value as number | null);
      return (
        <NumberInput {...row} {...about} id={id} value={number} placeholder={mixed ? "several" : whenNull} />
      );
    }
    case "vector":
      return (
        <VectorInput
          {...row}
          axes={control.axes}
          unit={control.unit}
          range={control}
          value={value as readonly number[]}
        />
      );
    case "colour":
      return <ReflectanceInput {...row} value={value as Triple} />;
    case "image":
      return <ImageInput {...row} value={value} />;
    case "asset":
      return <AssetInput label={label} value={value} edit={edit} />;
    case "emission":
      return <EmissionInput {...row} unit={control.unit} value={value as Triple} />;
    case "points":
      return <PointsInput {...row} value={value as readonly Triple[]} />;
    case "point_list":
      return <Loaded load={loadPoints} props={{ ...row, kind: control.list, value: value as PointList }} />;
    case "outlines":
      return <Loaded load={loadOutlines} props={{ ...row, value: value as readonly PointList[], around }} />;
    case "flag":
      return (
        <input
          type="checkbox"
          aria-label={label}
          disabled={edit.disabled}
          checked={value === true && !mixed}
          indeterminate={mixed}
          onChange={(event) => edit.commit(event.currentTarget.checked)}
        />
      );
    case "text":
      return <DraftInput {...row} text={value as string} parse={(text) => ({ value: text })} />;
    case "json":
      return <DraftInput {...row} text={JSON.stringify(value)} parse={parseJson} />;
    default:
      return unreachable(control);
  }
}

function PointsInput(
  props: Omit<Row, "id"> & { label: string; value: readonly Triple[]; edit: FieldEdit<unknown> },
) {
  const { value, label, edit, ...row } = props;
  return (
    <span class="points-input">
      {value.map((point, index) => (
        <VectorInput
          key={index}
          {...row}
          label={`${label} ${index + 1}`}
          axes={["x", "y", "z"]}
          unit="m"
          range={{}}
          value={point}
          edit={partOf(edit, (moved: readonly number[]) => value.with(index, moved as unknown as Triple))}
        />
      ))}
    </span>
  );
}

function parseJson(text: string): { value: unknown } | { error: string } {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return { error: "Enter valid JSON." };
  }
}
