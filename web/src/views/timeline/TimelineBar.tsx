import type { Panels } from "../../panels";
import { useStudio } from "../../studio/studio";
import { IconButton } from "../common/IconButton";
import { Icon } from "../common/icons";
import { AnimationTools } from "./AnimationTools";
import { Clock, Scrub } from "./Scrub";

/** Plays the animation; where its tracks are shown, also what changes them. */
export function TimelineBar({ panels, isOpen }: { panels: Panels; isOpen: boolean }) {
  const { isViewer, keyframes, playback, view } = useStudio();
  const animation = playback.animation.value;
  const isEditable = keyframes.editable.value;
  const loops = animation?.loops ?? true;
  const playing = playback.playing.value;
  const raster = view.rasterStatus.value;
  const unavailable =
    animation === null
      ? "nothing is animated"
      : "reason" in raster
        ? "the raster view is not available"
        : undefined;
  return (
    <div class="timeline-bar" role="toolbar" aria-label="Animation">
      <IconButton
        icon={playing ? "pause" : "play"}
        label={playing ? "Pause (Space)" : "Play (Space)"}
        testId="timeline-play"
        unavailable={unavailable}
        onClick={() => playback.toggle()}
      />
      <StopButton />
      <button
        type="button"
        class="button button-icon view-toggle"
        title="Loop"
        aria-label="Loop"
        aria-pressed={loops}
        data-testid="timeline-loop"
        disabled={!isEditable || animation === null}
        onClick={() => keyframes.setLoops(!loops)}
      >
        <Icon name="repeat" />
      </button>
      {!isOpen && <Scrub />}
      <Clock />
      {isOpen && isEditable && <AnimationTools />}
      {!isViewer && (
        <div class="timeline-end">
          {animation !== null && (
            <IconButton
              icon="download"
              label="Render the animation…"
              testId="timeline-render"
              onClick={() => {
                panels.overlay.value = "animation";
              }}
            />
          )}
          <IconButton
            icon={isOpen ? "x" : "sliders"}
            label={isOpen ? "Hide the tracks (T)" : "Show the tracks (T)"}
            testId="timeline-tracks"
            onClick={() => {
              playback.tracksShown.value = !isOpen;
            }}
          />
        </div>
      )}
    </div>
  );
}

function StopButton() {
  const { playback } = useStudio();
  const rests = !playback.playing.value && playback.time.value === 0;
  return (
    <IconButton
      icon="stop"
      label="Stop, and show the scene at rest (Esc)"
      testId="timeline-stop"
      unavailable={rests ? "it is at rest" : undefined}
      onClick={() => playback.stop()}
    />
  );
}
