import { useStudio } from "../../studio/studio";
import { SIDES, type Side } from "../../view/camera-moves";
import { Popover } from "../common/Popover";
import { BookmarkList } from "./BookmarkList";

/** From where to look: the scene's camera, sides, what is selected, and places one has kept. */
export function CameraMenu() {
  return (
    <Popover testId="camera-menu" label="Camera views" icon="camera" side="start">
      {(close) => <CameraPanel close={close} />}
    </Popover>
  );
}

function CameraPanel({ close }: { close: () => void }) {
  const studio = useStudio();
  const go = (look: () => void) => () => {
    look();
    close();
  };
  return (
    <div class="camera-menu">
      <div class="camera-sides">
        <button
          type="button"
          class="button"
          data-testid="look-camera"
          onClick={go(() => studio.view.setPrivateCamera(null))}
        >
          Camera <kbd>0</kbd>
        </button>
        <button
          type="button"
          class="button"
          data-testid="look-frame"
          onClick={go(() => studio.viewport.frameSelected())}
        >
          Frame selected <kbd>F</kbd>
        </button>
        {(Object.keys(SIDES) as Side[]).map((side) => (
          <button
            key={side}
            type="button"
            class="button"
            data-testid={`look-${side}`}
            onClick={go(() => studio.viewport.viewFrom(side))}
          >
            {SIDES[side].label} <kbd>{SIDES[side].key}</kbd>
          </button>
        ))}
      </div>
      <BookmarkList go={go} />
    </div>
  );
}
