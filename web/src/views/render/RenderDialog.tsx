import { useSignal, useSignalEffect } from "@preact/signals";
import { useRef } from "preact/hooks";
import { useStudio } from "../../studio/studio";
import { Dialog } from "../common/Dialog";
import { IconButton } from "../common/IconButton";
import { initialOptions, problemOf, type RenderOptions, requestOf } from "./options";
import { RenderButtons, RenderProblem } from "./RenderButtons";
import { RenderForm } from "./RenderForm";
import { RenderResult, RenderRunning } from "./RenderProgress";

/** What was chosen last, by the session it was for: a window closed by mistake loses nothing. */
const kept = new Map<string, RenderOptions>();

/** Renders an image into a file: how large and how fine, what of the scene, how long it takes. */
export function RenderDialog({ onClose }: { onClose: () => void }) {
  const studio = useStudio();
  const { pictures } = studio;
  const { limits } = studio.state.value;
  const session = studio.state.value.session?.id ?? "";
  const options = useSignal(kept.get(session) ?? initialOptions(studio.view.aspect.value));
  const proposed = useRef(options.peek());
  useSignalEffect(() => {
    if (options.value === proposed.current) return;
    kept.clear();
    kept.set(session, options.value);
  });
  const job = pictures.job.value;
  const rendering = job !== null;
  const problem = problemOf(options.value, limits.max_samples);
  return (
    <Dialog label="Render image" class="sheet render-dialog" testId="render-dialog" onClose={onClose}>
      <header class="sheet-header">
        <h2>Render image</h2>
        <IconButton icon="x" label="Close" onClick={onClose} />
      </header>
      <form
        class="render-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (problem === null) void pictures.render(requestOf(options.value, limits.max_samples));
        }}
      >
        <RenderForm options={options} disabled={rendering} maxSamples={limits.max_samples} />
        <RenderProblem problem={problem} />
        {job !== null ? <RenderRunning job={job} /> : <RenderResult onCompare={onClose} />}
        <RenderButtons
          name="render"
          rendering={rendering}
          problem={problem}
          onCancel={() => pictures.cancel()}
        />
      </form>
    </Dialog>
  );
}
