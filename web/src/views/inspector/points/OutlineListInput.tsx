import { holeIn, type PointList, pointListKind } from "../../../kinds/point-lists";
import { type FieldEdit, partOf } from "../use-property";
import { PointListInput } from "./PointListInput";

interface OutlineListInputProps {
  label: string;
  value: readonly PointList[];
  /** What a new one is put into. */
  around: PointList | null;
  errorId: string;
  edit: FieldEdit<unknown>;
  onLocalError: (error: string | null) => void;
}

/** Closed outlines, such as holes: each drawn, added and removed. */
export function OutlineListInput({ label, value, around, edit, ...row }: OutlineListInputProps) {
  const list = edit as FieldEdit<readonly PointList[]>;
  return (
    <div class="point-list">
      {value.map((outline, index) => {
        const kind = pointListKind("outline", outline);
        if (kind === null) return null;
        return (
          <div key={index} class="point-list">
            <PointListInput
              {...row}
              label={`${label} ${index + 1}`}
              kind={kind}
              {...(around !== null && { around })}
              value={outline}
              edit={
                partOf(list, (changed: unknown) =>
                  value.with(index, changed as PointList),
                ) as FieldEdit<unknown>
              }
            />
            <button
              type="button"
              class="button button-small"
              disabled={edit.disabled}
              onClick={() => list.commit(value.filter((_, at) => at !== index))}
            >
              Remove hole {index + 1}
            </button>
          </div>
        );
      })}
      {around !== null && (
        <button
          type="button"
          class="button button-small"
          data-testid="add-hole"
          disabled={edit.disabled}
          onClick={() => list.commit([...value, holeIn(around)])}
        >
          Add a hole
        </button>
      )}
    </div>
  );
}
