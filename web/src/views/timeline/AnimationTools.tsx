import { useSignal } from "@preact/signals";
import { MAX_SECONDS, MIN_SECONDS } from "../../document/motion/animation";
import { KEYED_PROPERTIES, type KeyedProperty } from "../../studio/keyframes";
import { useStudio } from "../../studio/studio";
import { Icon } from "../common/icons";
import { Menu } from "../common/Menu";
import { seconds } from "./Scrub";

const LABELS: Record<KeyedProperty, string> = {
  position: "Position",
  rotation: "Rotation",
  scale: "Scale",
  visible: "Visibility",
};

/** What makes tracks and keys, and how long the animation is. */
export function AnimationTools() {
  const { editor, keyframes } = useStudio();
  const targets = editor.arrangedIds();
  const [first] = targets;
  const about = targets.length === 1 && first !== undefined ? first : `${targets.length} objects`;
  return (
    <>
      <button
        type="button"
        class="button button-outlined timeline-tool"
        title={`The camera goes around ${targets.length > 0 ? "what is selected" : "what the view looks at: select something to go around it"}`}
        data-testid="timeline-turntable"
        onClick={() => keyframes.turntable()}
      >
        <Icon name="rotate3d" />
        {targets.length > 0 ? "Turntable of the selection" : "Turntable"}
      </button>
      <Menu
        testId="timeline-add-key"
        label="Add key"
        icon={<Icon name="diamond" />}
        disabled={false}
        items={[
          ...(targets.length === 0
            ? []
            : KEYED_PROPERTIES.map((property) => ({
                label: LABELS[property],
                detail: `${about}, at the playhead`,
                onChoose: () => keyframes.addForSelection(property),
              }))),
          {
            label: "Camera",
            detail:
              targets.length === 0
                ? "This view, at the playhead. Select an object to move it."
                : "This view, at the playhead",
            onChoose: () => keyframes.addForCamera(),
          },
        ]}
      />
      <Duration />
    </>
  );
}

function Duration() {
  const { keyframes, playback } = useStudio();
  const stretch = useSignal(true);
  if (playback.animation.value === null) return null;
  return (
    <span class="timeline-duration">
      <label>
        Duration
        <input
          type="number"
          class="field numeric"
          data-testid="timeline-duration"
          min={MIN_SECONDS}
          max={MAX_SECONDS}
          step="any"
          value={seconds(playback.duration.value)}
          onChange={(event) => {
            const { valueAsNumber, validity } = event.currentTarget;
            if (validity.valid && !Number.isNaN(valueAsNumber))
              keyframes.setDuration(valueAsNumber, stretch.value);
            else event.currentTarget.value = seconds(playback.duration.value);
          }}
        />
        s
      </label>
      <label title="Another duration moves all keys along; else they stay where they are">
        <input
          type="checkbox"
          checked={stretch.value}
          onChange={(event) => {
            stretch.value = event.currentTarget.checked;
          }}
        />
        Stretch keys
      </label>
    </span>
  );
}
