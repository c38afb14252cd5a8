import { useEffect, useState } from "preact/hooks";
import { type Studio, useStudio } from "../studio/studio";

/** Takes files that are dropped anywhere on the page. */
export function DropTarget() {
  const studio = useStudio();
  const [over, setOver] = useState(false);
  useEffect(() => {
    const onDragOver = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      setOver(true);
    };
    const onDragLeave = (event: DragEvent) => {
      // Out of the window, not from one part of the page to the next.
      if (event.relatedTarget === null) setOver(false);
    };
    const onDrop = (event: DragEvent) => {
      setOver(false);
      const files = [...(event.dataTransfer?.files ?? [])];
      if (files.length === 0) return;
      event.preventDefault();
      void studio.fileOpener.open(files, shapeAt(studio, event));
    };
    window.addEventListener("dragover", onDragOver);
    window.addEventListener("dragleave", onDragLeave);
    window.addEventListener("drop", onDrop);
    return () => {
      window.removeEventListener("dragover", onDragOver);
      window.removeEventListener("dragleave", onDragLeave);
      window.removeEventListener("drop", onDrop);
    };
  }, [studio]);
  if (!over) return null;
  return (
    <div class="drop-target" data-testid="drop-target">
      <p>
        Drop images for the model or onto an object, an environment (HDR, EXR), a scene (JSON, GLB, glTF, OBJ,
        PBRT, ZIP), a mesh (PLY, STL), an exported object or a session
      </p>
    </div>
  );
}

/** The shape that the picture shows where something is dropped; null beside the picture and beside all shapes. */
function shapeAt(studio: Studio, { clientX, clientY }: DragEvent): string | null {
  const under = document.elementsFromPoint(clientX, clientY);
  const frame = under.find((element) => element.classList.contains("picture-frame"));
  const { rasterStatus, rasterView } = studio.view;
  if (frame === undefined || rasterStatus.value.phase !== "ready") return null;
  const { left, top, width, height } = frame.getBoundingClientRect();
  const id = rasterView.value?.pick((clientX - left) / width, (clientY - top) / height) ?? null;
  return studio.editor.scene.value.shapes.some((shape) => shape.id === id) ? id : null;
}
