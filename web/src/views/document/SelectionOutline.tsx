import { useComputed } from "@preact/signals";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { cornersOf, EDGES, extentOf } from "../../document/bounds";
import { type CameraFrame, cameraFrame, projectedEdge } from "../../document/camera";
import type { SceneDocument } from "../../document/scene";
import { selectedMembers } from "../../document/subject";
import { useStudio } from "../../studio";

/** Outlines of more objects would hide the picture. */
const MOST_OUTLINED = 50;

/**
 * The boxes of what is selected, and of what the pointer is on, over the picture. They are computed from the
 * document with the camera's framing, so they are shown only over a picture that the same camera took.
 */
export function SelectionOutline() {
  const studio = useStudio();
  const { editor } = studio;
  const scene = useComputed(() => editor.scene.value).value;
  const selection = useComputed(() => editor.selection.value).value;
  const hovered = editor.hovered.value;
  const shown = useComputed(() => studio.state.value.shown).value;
  const taken = useComputed(() => editor.document.value).value;
  const aspect = shown === null ? 1 : shown.width / shown.height;
  const frame = useMemo(() => cameraFrame(taken.scene.camera), [taken.scene.camera]);
  const selected = useMemo(() => pathOf(scene, selection, frame, aspect), [scene, selection, frame, aspect]);
  const pointed = useMemo(
    () => pathOf(scene, hovered === null ? [] : [hovered], frame, aspect),
    [scene, hovered, frame, aspect],
  );
  const svg = useRef<SVGSVGElement>(null);
  const visible = shown !== null && shown.revision >= taken.cameraRevision;
  useLayoutEffect(
    () => svg.current?.style.setProperty("--picture-aspect", String(aspect)),
    [aspect, visible],
  );
  if (!visible) return null;
  return (
    <svg
      ref={svg}
      class="selection-outline"
      viewBox="0 0 1 1"
      preserveAspectRatio="none"
      aria-hidden="true"
      data-testid="selection-outline"
    >
      <path class="outline-halo" d={selected} />
      <path class="outline-line" d={selected} data-testid="outline-line" />
      <path class="outline-hover" d={pointed} />
    </svg>
  );
}

/** The edges of the objects' boxes; those of a flat or small one fall together. */
function pathOf(
  scene: SceneDocument,
  keys: readonly string[],
  frame: CameraFrame | null,
  aspect: number,
): string {
  if (frame === null || keys.length === 0) return "";
  const lines = selectedMembers(scene, keys)
    .slice(0, MOST_OUTLINED)
    .flatMap(({ object }) => {
      const extent = extentOf(object);
      if (extent === null) return [];
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
