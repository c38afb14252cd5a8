import { useComputed } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { cornersOf, EDGES } from "../../document/bounds";
import { type CameraFrame, projectedEdge, viewFrame } from "../../document/camera";
import { outlinedExtents } from "../../document/transform/arrange";
import type { Extent } from "../../kinds/extents";
import { colorOf, othersOf } from "../../store/people";
import { useStudio } from "../../studio/studio";

/** Outlines of more objects would hide the picture. */
const MAX_OUTLINED = 50;

/**
 * The boxes of what is selected, and of what the pointer is on, over the picture. They are computed from the
 * document with the framing of the viewport's camera; without a raster they are shown only over a traced
 * picture that the same camera took.
 */
export function SelectionOutline() {
  const studio = useStudio();
  const { editor } = studio;
  const scene = useComputed(() => studio.playback.scene.value).value;
  const selection = useComputed(() => editor.selection.value).value;
  const hovered = editor.hovered.value;
  const camera = useComputed(() => studio.viewport.currentCamera()).value;
  const aspect = studio.view.aspect.value;
  const frame = useMemo(() => viewFrame(camera, aspect), [camera, aspect]);
  const rasterView = studio.view.rasterView.value;
  const pathAround = (keys: readonly string[]) =>
    pathOf(
      outlinedExtents(scene, keys, (ids) => rasterView?.boxOf(ids) ?? null),
      frame,
      aspect,
    );
  const selected = useMemo(() => pathAround(selection), [scene, selection, frame, aspect, rasterView]);
  const pointed = useMemo(
    () => pathAround(hovered === null || selection.includes(hovered) ? [] : [hovered]),
    [scene, hovered, selection, frame, aspect, rasterView],
  );
  const visible = useComputed(() => {
    const { shown } = studio.state.value;
    const { privateCamera, rasterStatus } = studio.view;
    if (rasterStatus.value.phase === "ready") return true;
    const isCurrent = shown !== null && shown.revision >= editor.document.value.cameraRevision;
    return isCurrent && studio.traced.shownCamera.value === privateCamera.value;
  }).value;
  const people = useComputed(() => studio.state.value.people).value;
  // Who only looks wants to see the picture; the list of objects tells who has selected what.
  const isGuest = useComputed(() => studio.state.value.access === "view").value;
  const paths = useMemo(
    () => (isGuest ? [] : othersOf(people).map((person) => ({ person, path: pathAround(person.selection) }))),
    [scene, people, isGuest, frame, aspect, rasterView],
  );
  if (!visible) return null;
  return (
    <svg
      class="selection-outline"
      viewBox="0 0 1 1"
      preserveAspectRatio="none"
      aria-hidden="true"
      data-testid="selection-outline"
    >
      <path class="outline-halo" d={selected} />
      <path class="outline-line" d={selected} data-testid="outline-line" />
      <path class="outline-hover" d={pointed} />
      {paths.map(({ person, path }) => (
        <path
          key={person.id}
          class="outline-other"
          style={{ stroke: colorOf(person) }}
          d={path}
          data-testid="outline-other"
        />
      ))}
    </svg>
  );
}

/** The edges of the boxes; those of a flat or small one fall together. */
function pathOf(extents: readonly Extent[], frame: CameraFrame | null, aspect: number): string {
  if (frame === null) return "";
  const lines = extents.slice(0, MAX_OUTLINED).flatMap((extent) => {
    const corners = cornersOf(extent);
    return EDGES.flatMap(([from, to]) => {
      const [a, b] = [corners[from], corners[to]];
      const edge = a === undefined || b === undefined ? null : projectedEdge(frame, aspect, a, b);
      return edge === null ? [] : [`M${point(edge[0])}L${point(edge[1])}`];
    });
  });
  return [...new Set(lines)].join("");
}

function point({ x, y }: { x: number; y: number }): string {
  return `${x.toFixed(5)} ${y.toFixed(5)}`;
}
