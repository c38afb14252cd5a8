import { useSignal, useSignalEffect } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { useStudio } from "../../studio/studio";
import { Dialog } from "../common/Dialog";
import { IconButton } from "../common/IconButton";
import { initialOptions, problemOf, type RenderOptions, requestOf } from "./options";
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
  // One button takes the other's place, and its focus.
  const button = useRef<HTMLButtonElement>(null);
  const before = useRef(rendering);
  useLayoutEffect(() => {
    if (before.current !== rendering && !document.activeElement?.matches("input, select"))
      button.current?.focus();
    before.current = rendering;
  }, [rendering]);
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
        {problem !== null && (
          <p class="error-text" role="alert">
            {problem}
          </p>
        )}
        {job !== null ? <RenderRunning job={job} /> : <RenderResult />}
        <div class="render-buttons">
          {rendering ? (
            <button
              key="cancel"
              ref={button}
              type="button"
              class="button button-outlined"
              data-testid="render-cancel"
              onClick={() => pictures.cancel()}
            >
              Cancel
            </button>
          ) : (
            <button
              key="render"
              ref={button}
              type="submit"
              class="button button-primary"
              data-testid="render-start"
              disabled={problem !== null}
            >
              Render
            </button>
          )}
        </div>
      </form>
    </Dialog>
  );
}
