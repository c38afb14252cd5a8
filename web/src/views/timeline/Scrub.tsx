import { DEFAULT_FPS } from "../../document/motion/animation";
import { useStudio } from "../../studio/studio";

/** The playhead: dragged, or moved by arrow keys from frame to frame. */
export function Scrub() {
  const { playback } = useStudio();
  const fps = playback.animation.value?.fps ?? DEFAULT_FPS;
  const time = playback.time.value;
  return (
    <input
      type="range"
      class="timeline-scrub"
      aria-label="Time"
      aria-valuetext={`${time.toFixed(2)} seconds`}
      data-testid="timeline-scrub"
      min={0}
      max={playback.duration.value}
      step={1 / fps}
      value={time}
      onInput={(event) => playback.seek(event.currentTarget.valueAsNumber)}
    />
  );
}

/** The time of the playhead and how long it takes in all. */
export function Clock() {
  const { playback } = useStudio();
  return (
    <span class="timeline-clock numeric" data-testid="timeline-clock">
      {playback.time.value.toFixed(2)} <span class="muted">/ {seconds(playback.duration.value)} s</span>
    </span>
  );
}

/** A time with two digits at most. */
export function seconds(time: number): string {
  return String(Math.round(100 * time) / 100);
}
