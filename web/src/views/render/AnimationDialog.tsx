import { useSignal, useSignalEffect } from "@preact/signals";
import type { AnimationSettings } from "../../connection/animation-api";
import { DEFAULT_FPS } from "../../document/motion/animation";
import { clock } from "../../format";
import type { AnimationJob } from "../../studio/animations";
import { useStudio } from "../../studio/studio";
import { Dialog } from "../common/Dialog";
import { IconButton } from "../common/IconButton";
import { useAddress } from "../common/use-address";
import { useNow } from "../common/use-now";
import { AnimationForm } from "./AnimationForm";
import { animationProblem, initialAnimation } from "./animation-options";
import { RenderButtons, RenderProblem } from "./RenderButtons";

/** What was chosen last, by the session it was for. */
const kept = new Map<string, AnimationSettings>();

/** Renders the animation into a file: format, size, how fine, how far it is. */
export function AnimationDialog({ onClose }: { onClose: () => void }) {
  const { animations, playback, state } = useStudio();
  const { limits } = state.value;
  const session = state.value.session?.id ?? "";
  const animation = playback.animation.value;
  const settings = useSignal(kept.get(session) ?? initialAnimation(animation?.fps ?? DEFAULT_FPS));
  useSignalEffect(() => {
    kept.clear();
    kept.set(session, settings.value);
  });
  const job = animations.job.value;
  const problem = animationProblem(settings.value, animation?.duration ?? null, limits.max_samples);
  return (
    <Dialog label="Render animation" class="sheet render-dialog" testId="animation-dialog" onClose={onClose}>
      <header class="sheet-header">
        <h2>Render animation</h2>
        <IconButton icon="x" label="Close" onClick={onClose} />
      </header>
      <form
        class="render-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (problem === null) void animations.render(settings.value);
        }}
      >
        <AnimationForm settings={settings} seconds={animation?.duration ?? 0} disabled={job !== null} />
        <RenderProblem problem={problem} />
        {job !== null ? <Running job={job} /> : <Result />}
        <RenderButtons
          name="animation"
          rendering={job !== null}
          problem={problem}
          onCancel={() => animations.cancel()}
        />
      </form>
    </Dialog>
  );
}

function Running({ job: { startedMs, frame } }: { job: AnimationJob }) {
  const passedMs = Math.max(0, useNow(true) - startedMs);
  const address = useAddress(frame?.picture ?? null);
  return (
    <div class="render-running" data-testid="animation-running">
      {address !== null && <img class="animation-frame" src={address} alt="The newest frame" />}
      <progress
        class="render-bar"
        aria-label="Rendering"
        max={frame?.frames ?? 1}
        value={frame === null ? undefined : frame.done}
      />
      <span class="numeric" data-testid="animation-progress">
        {frame === null
          ? `The first frame… ${clock(passedMs)}`
          : `${Math.floor((100 * frame.done) / frame.frames)} %: frame ${frame.done} of ${frame.frames}, about ${clock(1000 * frame.secondsLeft)} left`}
      </span>
      <span class="muted">Rendering continues when you close this window.</span>
    </div>
  );
}

function Result() {
  const { animations } = useStudio();
  const failure = animations.failure.value;
  const newest = animations.newest.value;
  const address = useAddress(newest === null || newest.name.endsWith(".zip") ? null : newest.content);
  if (failure !== null)
    return (
      <p class="error-text" role="alert">
        The animation could not be rendered: {failure}
      </p>
    );
  if (newest === null) return null;
  return (
    <div class="render-result" role="status" data-testid="animation-result">
      {address !== null && <img src={address} alt={`The animation ${newest.name}`} />}
      <span>
        Saved as {newest.name}, {sizeText(newest.content.size)}.
      </span>
      <button type="button" class="button button-small" onClick={() => animations.save(newest)}>
        Save again
      </button>
    </div>
  );
}

function sizeText(bytes: number): string {
  return bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
