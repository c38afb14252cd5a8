import { useComputed } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { project, rayThrough, viewFrame } from "../../document/camera";
import { pointHandles } from "../../document/point-handles";
import { type Subject, subjectOf } from "../../document/subject";
import { withDefaults } from "../../kinds/list";
import type { PointList } from "../../kinds/point-lists";
import { useStudio } from "../../studio/studio";

/** A point that a pointer holds. */
interface Held {
  /** Of the lists of points. */
  of: number;
  index: number;
  pointer: number;
  /** What the list becomes; null while nothing has moved. */
  list: PointList | null;
}

/** The points of the selected line, profile or outline over the picture, to be dragged there; by keyboard its properties do. */
export function PointHandles() {
  const studio = useStudio();
  const { editor, playback, view } = studio;
  const svg = useRef<SVGSVGElement>(null);
  const held = useRef<Held | null>(null);
  const camera = useComputed(() => studio.viewport.currentCamera()).value;
  const aspect = view.aspect.value;
  const frame = useMemo(() => viewFrame(camera, aspect), [camera, aspect]);
  const subject = useComputed((): Subject | null => {
    const [key, ...others] = editor.selection.value;
    const isAway = playback.active.value || view.presenting.value || view.measured.value !== null;
    if (key === undefined || others.length > 0 || isAway || !editor.editable.value) return null;
    if (view.hidden.value.has(key) || view.locked.value.has(key)) return null;
    return subjectOf(editor.scene.value, key);
  }).value;
  const handles =
    frame === null || subject === null || !("object" in subject)
      ? []
      : pointHandles(withDefaults(subject.object), frame);

  const release = (isKept: boolean) => {
    const { current } = held;
    held.current = null;
    view.moving.value = false;
    const of = handles[current?.of ?? 0];
    if (subject === null || of === undefined || !current?.list) return;
    if (isKept) editor.setProperty(subject, [of.property], of.valueWith(current.list));
    else editor.previewProperty(subject, [of.property], undefined);
  };
  const cancel = useRef(() => {});
  cancel.current = () => release(false);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || held.current === null) return;
      event.preventDefault();
      event.stopPropagation();
      cancel.current();
    };
    window.addEventListener("keydown", onKeyDown, { capture: true });
    return () => window.removeEventListener("keydown", onKeyDown, { capture: true });
  }, []);
  if (frame === null || subject === null || handles.length === 0) return null;

  const press = (event: PointerEvent, of: number, index: number) => {
    if (event.button !== 0) return;
    event.stopPropagation();
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
    held.current = { of, index, pointer: event.pointerId, list: null };
  };
  const drag = (event: PointerEvent) => {
    event.stopPropagation();
    const { current } = held;
    const box = svg.current?.getBoundingClientRect();
    const of = handles[current?.of ?? 0];
    if (current?.pointer !== event.pointerId || box === undefined || of === undefined) return;
    const place = {
      x: (event.clientX - box.left) / box.width,
      y: (event.clientY - box.top) / box.height,
    };
    const point = of.dragged(current.index, rayThrough(frame, aspect, place));
    if (point === null) return;
    view.moving.value = true;
    current.list = of.list.with(current.index, point);
    editor.previewProperty(subject, [of.property], of.valueWith(current.list));
  };
  const drop = (event: PointerEvent, isKept: boolean) => {
    event.stopPropagation();
    if (held.current?.pointer === event.pointerId) release(isKept);
  };
  return (
    <svg ref={svg} class="point-handles" aria-hidden="true" data-testid="point-handles">
      {handles
        .flatMap(({ places }, of) => places.map((place, index) => ({ of, index, place })))
        .map(({ of, index, place }) => {
          const [x, y] = shares(project(frame, aspect, place));
          return (
            // biome-ignore lint/a11y/noStaticElementInteractions: a pointer's own; by keyboard the properties do the same.
            <circle
              key={`${of} ${index}`}
              cx={x}
              cy={y}
              r={6}
              data-testid="point-handle"
              onPointerDown={(event) => press(event, of, index)}
              onPointerMove={drag}
              onPointerUp={(event) => drop(event, true)}
              onPointerCancel={(event) => drop(event, false)}
              onClick={(event) => event.stopPropagation()}
              onDblClick={(event) => event.stopPropagation()}
            />
          );
        })}
    </svg>
  );
}

function shares({ x, y }: { x: number; y: number }): [string, string] {
  return [`${(100 * x).toFixed(3)}%`, `${(100 * y).toFixed(3)}%`];
}
