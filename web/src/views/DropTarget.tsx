import { useEffect, useState } from "preact/hooks";
import { useStudio } from "../studio/studio";

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
      void studio.fileOpener.open(files);
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
      <p>Drop images for the model, a scene (JSON, GLB, glTF, OBJ, PBRT), a mesh (PLY) or a session</p>
    </div>
  );
}
