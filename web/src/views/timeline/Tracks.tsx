import { useLayoutEffect, useRef } from "preact/hooks";
import { type Track, trackName } from "../../document/motion/animation";
import { CAMERA_KEY, ENVIRONMENT_KEY } from "../../document/subject";
import { useStudio } from "../../studio/studio";
import { IconButton } from "../common/IconButton";
import { KeyMark } from "./KeyMark";
import { Scrub } from "./Scrub";

/** What is animated, a row for each property, with its keys at their times. */
export function Tracks() {
  const { playback } = useStudio();
  const tracks = playback.animation.value?.tracks ?? [];
  return (
    <div class="timeline-tracks">
      <Playhead />
      <div class="timeline-row timeline-ruler">
        <span class="timeline-name" />
        <Scrub />
      </div>
      {tracks.length === 0 ? (
        <p class="timeline-empty muted" data-testid="timeline-empty">
          Nothing moves yet. Make a turntable, add a key for what is selected, or ask: “let the ball bounce”.
        </p>
      ) : (
        <ul class="timeline-list" aria-label="Tracks">
          {tracks.map((track) => (
            <TrackRow key={trackName(track)} track={track} />
          ))}
        </ul>
      )}
    </div>
  );
}

/** The line through all tracks at the present time. */
function Playhead() {
  const { playback } = useStudio();
  const line = useRef<HTMLDivElement>(null);
  const share = playback.time.value / playback.duration.value;
  useLayoutEffect(() => line.current?.style.setProperty("--at", String(share)), [share]);
  return <div ref={line} class="timeline-playhead" aria-hidden="true" />;
}

function TrackRow({ track }: { track: Track }) {
  const { editor, keyframes, playback } = useStudio();
  const name = trackName(track);
  const { target, property } = track;
  const key = target === "camera" ? CAMERA_KEY : target === "environment" ? ENVIRONMENT_KEY : target;
  const seek = (event: PointerEvent) => {
    const lane = event.currentTarget as HTMLElement;
    if (event.target !== lane || event.button !== 0) return;
    const { left, width } = lane.getBoundingClientRect();
    playback.seek(((event.clientX - left) / width) * playback.duration.value);
  };
  return (
    <li class="timeline-row" data-testid="timeline-track">
      <span class="timeline-name">
        <button
          type="button"
          class="timeline-target"
          title={`${target}: ${property}`}
          aria-pressed={editor.selection.value.includes(key)}
          onClick={() => editor.select([key])}
        >
          {target} <span class="muted">{property.replaceAll("_", " ")}</span>
        </button>
        {keyframes.editable.value && (
          <IconButton
            small
            icon="trash"
            label={`Remove the track ${target} ${property}`}
            onClick={() => keyframes.removeTrack(track)}
          />
        )}
      </span>
      {/* By keyboard the playhead is moved by its own slider. */}
      <div class="timeline-lane" onPointerDown={seek}>
        {track.keys.map((each, index) => (
          <KeyMark key={index} track={track} name={name} at={each} />
        ))}
      </div>
    </li>
  );
}
