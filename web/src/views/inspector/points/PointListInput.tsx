import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { crossingEdges, OUTLINES, outlineOfForm } from "../../../kinds/outlines";
import {
  grownWindow,
  movedTo,
  nudged,
  type PointList,
  type PointListKind,
  toWindow,
  type Window2,
  windowAround,
  withoutPoint,
  withPointAfter,
} from "../../../kinds/point-lists";
import { IconButton } from "../../common/IconButton";
import { type FieldEdit, partOf } from "../use-property";
import { VectorInput } from "../VectorInput";

/** Units of the drawing. */
const SIZE = 200;
/** Which coordinates are drawn, from each side of a line in space. */
const SIDES = [
  { label: "Front", across: 0, up: 1 },
  { label: "Top", across: 0, up: 2 },
  { label: "Side", across: 2, up: 1 },
] as const;
const STEPS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

interface PointListInputProps {
  label: string;
  kind: PointListKind;
  value: PointList;
  /** A closed outline drawn behind, where this is within one. */
  around?: PointList;
  errorId: string;
  edit: FieldEdit<unknown>;
  onLocalError: (error: string | null) => void;
}

/** Points of a line or an outline, drawn: dragged, added between two, taken away, or typed one by one. */
export function PointListInput(props: PointListInputProps) {
  const { label, kind, value, around, errorId, edit, onLocalError } = props;
  const chosen = useSignal(0);
  const side = useSignal(0);
  const isSpatial = kind.axes.length > 2;
  const { across, up } = SIDES[isSpatial ? side.value : 0] ?? SIDES[0];
  const { list, crossing, ...draft } = useDraft(props);
  const index = Math.min(chosen.value, list.length - 1);
  const point = list[index] ?? [];
  return (
    <div class="point-list" data-testid="point-list">
      {kind.closed && (
        <select
          class="select-input"
          aria-label={`${label}: start from a shape`}
          data-testid="outline-form"
          disabled={edit.disabled}
          value=""
          onChange={({ currentTarget }) => {
            draft.edit.commit(outlineOfForm(currentTarget.value, value));
            currentTarget.value = "";
            chosen.value = 0;
          }}
        >
          <option value="">Start from a shape…</option>
          {Object.keys(OUTLINES).map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      )}
      <PointDrawing
        label={label}
        kind={kind}
        value={list}
        crossing={crossing}
        around={around}
        across={across}
        up={up}
        chosen={index}
        choose={(next) => {
          chosen.value = next;
        }}
        edit={draft.edit}
      />
      {crossing !== null && (
        <p class="property-error" role="alert" data-testid="crossing">
          {`The edges after points ${crossing[0] + 1} and ${crossing[1] + 1} cross: move a point. `}
          <button type="button" class="button button-small" onClick={draft.discard}>
            Take back
          </button>
        </p>
      )}
      <div class="point-list-tools">
        {isSpatial && (
          <select
            class="select-input"
            aria-label={`${label}: view`}
            value={side.value}
            onChange={(event) => {
              side.value = Number(event.currentTarget.value);
            }}
          >
            {SIDES.map((each, at) => (
              <option key={each.label} value={at}>
                {each.label}
              </option>
            ))}
          </select>
        )}
        <span class="point-list-count numeric">
          Point {index + 1} of {list.length}
        </span>
        <IconButton
          icon="plus"
          label="Add a point after this one"
          small
          disabled={edit.disabled}
          onClick={() => {
            draft.edit.commit(withPointAfter(list, index, kind));
            chosen.value = index + 1;
          }}
        />
        <IconButton
          icon="trash"
          label="Remove this point"
          small
          disabled={edit.disabled || list.length <= kind.least}
          onClick={() => {
            draft.edit.commit(withoutPoint(list, index, kind));
            chosen.value = Math.max(0, index - 1);
          }}
        />
      </div>
      <VectorInput
        key={index}
        label={`${label} ${index + 1}`}
        axes={kind.axes}
        unit="m"
        range={{}}
        value={point}
        errorId={errorId}
        onLocalError={onLocalError}
        edit={partOf(draft.edit, (moved: readonly number[]) => list.with(index, moved))}
      />
    </div>
  );
}

/** What is edited: an outline that crosses itself stays here, as it was typed or dragged, until it does not. */
function useDraft({ kind, value, edit }: PointListInputProps) {
  const draft = useSignal<PointList | null>(null);
  // Taken back, or changed by others.
  useEffect(() => {
    draft.value = null;
  }, [JSON.stringify(value)]);
  const list = draft.value ?? value;
  const commit = (next: PointList) => {
    const isCrossing = kind.closed && crossingEdges(next) !== null;
    draft.value = isCrossing ? next : null;
    if (isCrossing) edit.preview(undefined);
    else edit.commit(next);
  };
  const draftEdit: FieldEdit<PointList> = { ...edit, commit };
  return {
    list,
    crossing: draft.value === null ? null : crossingEdges(draft.value),
    edit: draftEdit,
    discard: () => {
      draft.value = null;
    },
  };
}

interface PointDrawingProps {
  label: string;
  kind: PointListKind;
  value: PointList;
  /** Two edges that cross, by the points they begin at. */
  crossing: readonly [number, number] | null;
  around: PointList | undefined;
  across: number;
  up: number;
  chosen: number;
  choose: (index: number) => void;
  edit: FieldEdit<PointList>;
}

function PointDrawing(props: PointDrawingProps) {
  const { label, kind, value, crossing, around, across, up, chosen, choose, edit } = props;
  const svg = useRef<SVGSVGElement>(null);
  const held = useRef<{ index: number; list: PointList; moved: boolean; window: Window2 } | null>(null);
  const fitting = useMemo(
    () => windowAround(around ?? value, across, up, kind),
    [around, value, across, up, kind],
  );
  // While points are edited the drawing stays where it is.
  const kept = useRef<Window2 | null>(null);
  const window = held.current?.window ?? grownWindow(kept.current, fitting);
  kept.current = window;
  const drawn = (points: PointList) =>
    points.map((point) => toWindow(window, point).map((part) => part * SIZE));
  const places = drawn(value);

  const drag = (event: PointerEvent) => {
    const { current } = held;
    const box = svg.current?.getBoundingClientRect();
    const point = current?.list[current.index];
    if (current === null || box === undefined || point === undefined) return;
    const [x, y] = [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
    current.list = current.list.with(current.index, movedTo(current.window, point, x, y, kind));
    current.moved = true;
    edit.preview(current.list);
  };
  const release = (isKept: boolean) => {
    const { current } = held;
    held.current = null;
    if (current?.moved) {
      if (isKept) edit.commit(current.list);
      else edit.preview(undefined);
    }
  };
  const press = (event: PointerEvent, index: number) => {
    if (event.button !== 0 || edit.disabled) return;
    choose(index);
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
    held.current = { index, list: value, moved: false, window };
  };
  const onKeyDown = (event: KeyboardEvent, index: number) => {
    const step = STEPS[event.key];
    const point = value[index];
    if (edit.disabled || point === undefined) return;
    if (step !== undefined) {
      const by = event.shiftKey ? 10 : 1;
      edit.commit(value.with(index, nudged(window, point, [by * step[0], by * step[1]], kind)));
    } else if (event.key === "Delete" || event.key === "Backspace") {
      edit.commit(withoutPoint(value, index, kind));
      choose(Math.max(0, index - 1));
    } else if (event.key === "Escape" && held.current !== null) release(false);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a set of fields cannot be a drawing.
    <svg
      ref={svg}
      class="point-drawing"
      viewBox={`0 0 ${SIZE} ${SIZE}`}
      role="group"
      aria-label={`${label}: drag points; arrow keys move one, Delete removes it`}
    >
      <Axes window={window} />
      {around !== undefined && <path class="point-line point-around" d={pathOf(drawn(around), true)} />}
      <path class="point-line" d={pathOf(places, kind.closed)} />
      {crossing?.map((index) => {
        const edge = [places[index], places[(index + 1) % places.length]].filter(
          (place) => place !== undefined,
        );
        return <path key={`edge ${index}`} class="point-line point-crossing" d={pathOf(edge, false)} />;
      })}
      {places.map(([x = 0, y = 0], index) => {
        const next = places[index + 1] ?? (kind.closed ? places[0] : undefined);
        if (next === undefined) return null;
        return (
          <circle
            key={`after ${index}`}
            class="point-between"
            cx={0.5 * (x + (next[0] ?? x))}
            cy={0.5 * (y + (next[1] ?? y))}
            r={4}
            onPointerDown={(event) => {
              if (event.button !== 0 || edit.disabled) return;
              event.preventDefault();
              edit.commit(withPointAfter(value, index, kind));
              choose(index + 1);
            }}
          />
        );
      })}
      {places.map(([x, y], index) => (
        // biome-ignore lint/a11y/useSemanticElements: a button cannot stand in a drawing.
        <circle
          key={index}
          class="point-end"
          data-testid="point"
          data-chosen={index === chosen}
          role="button"
          tabIndex={index === chosen ? 0 : -1}
          aria-label={`Point ${index + 1}`}
          cx={x}
          cy={y}
          r={5.5}
          onFocus={() => choose(index)}
          onKeyDown={(event) => onKeyDown(event, index)}
          onPointerDown={(event) => press(event, index)}
          onPointerMove={drag}
          onPointerUp={() => release(true)}
          onPointerCancel={() => release(false)}
        />
      ))}
    </svg>
  );
}

function pathOf(places: readonly (readonly number[])[], isClosed: boolean): string {
  return `M ${places.map((place) => place.join(" ")).join(" L ")}${isClosed ? " Z" : ""}`;
}

/** Where the coordinates are zero. */
function Axes({ window }: { window: Window2 }) {
  const [x, y] = toWindow(window, [0, 0, 0]).map((part) => part * SIZE);
  return (
    <>
      <line class="point-axis" x1={x} x2={x} y1={0} y2={SIZE} />
      <line class="point-axis" x1={0} x2={SIZE} y1={y} y2={y} />
    </>
  );
}
