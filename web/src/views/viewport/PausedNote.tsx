import { useComputed } from "@preact/signals";
import { useStudio } from "../../studio/studio";

/** Says that a paused render no longer shows the scene as it is, and resumes it. */
export function PausedNote({ covers }: { covers: { readonly value: boolean } }) {
  const studio = useStudio();
  const { state, view, traced } = studio;
  const mode = view.shownMode.value;
  const connected = useComputed(() => state.value.connection.phase === "open").value;
  const isStale = useComputed(() => state.value.paused && traced.outdated.value).value;
  if (!isStale || mode === "raster") return null;
  const isCovered = mode === "traced" && covers.value;
  return (
    <div class="view-note view-note-paused" role="status" data-testid="paused-note">
      <span>
        Rendering is paused.{" "}
        {isCovered ? "This is the raster view." : "The render does not show the latest changes."}
      </span>
      <button
        type="button"
        class="button button-small"
        disabled={!connected}
        onClick={() => traced.setPaused(false)}
      >
        Resume
      </button>
    </div>
  );
}
