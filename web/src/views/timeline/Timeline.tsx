import type { Panels } from "../../panels";
import { useStudio } from "../../studio/studio";
import { KeyFields } from "./KeyFields";
import { TimelineBar } from "./TimelineBar";
import { Tracks } from "./Tracks";

/** The animation below the view: nothing while nothing moves and nobody asks for it. */
export function Timeline({ panels }: { panels: Panels }) {
  const { keyframes, playback, isViewer } = useStudio();
  const isOpen = playback.tracksShown.value && !isViewer;
  if (playback.animation.value === null && !isOpen) return null;
  const selected = keyframes.selected.value;
  return (
    <section class="timeline" aria-label="Timeline" data-open={isOpen} data-testid="timeline">
      <TimelineBar panels={panels} isOpen={isOpen} />
      {isOpen && <Tracks />}
      {isOpen && keyframes.find(selected) !== null && selected !== null && <KeyFields place={selected} />}
    </section>
  );
}
