import { useSignal } from "@preact/signals";
import { useStudio } from "../../studio/studio";
import { SIDES, type Side } from "../../view/camera-moves";
import { present } from "../../view/presenting";
import { IconButton } from "../common/IconButton";
import { Popover } from "../common/Popover";

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

/** What is typed next replaces the name. */
function beginTyping(field: HTMLInputElement | null): void {
  field?.focus();
  field?.select();
}

function BookmarkList({ go }: { go: (look: () => void) => () => void }) {
  const studio = useStudio();
  const { bookmarks, view } = studio;
  const renaming = useSignal<number | null>(null);
  const disabled = !bookmarks.editable.value;
  return (
    <section class="bookmarks" aria-label="Bookmarks">
      <header class="bookmarks-header">
        <h3>Bookmarks</h3>
        <button
          type="button"
          class="button button-small"
          data-testid="bookmark-add"
          disabled={disabled}
          onClick={() => {
            bookmarks.add(studio.viewport.currentCamera());
            renaming.value = bookmarks.list.value.length - 1;
          }}
        >
          Bookmark this view
        </button>
        <button
          type="button"
          class="button button-small"
          data-testid="present"
          title="On the whole screen, one after the other by the arrow keys"
          disabled={bookmarks.list.value.length === 0}
          onClick={go(() => void present(studio))}
        >
          Present
        </button>
      </header>
      <ul>
        {bookmarks.list.value.map(({ name, camera }, index) => (
          <li key={index} class="bookmark" data-testid="bookmark">
            {renaming.value === index ? (
              <input
                class="field"
                aria-label={`New name of ${name}`}
                defaultValue={name}
                ref={beginTyping}
                onBlur={(event) => {
                  bookmarks.rename(index, event.currentTarget.value);
                  renaming.value = null;
                }}
                onKeyDown={(event) => {
                  if (event.key === "Enter") event.currentTarget.blur();
                }}
              />
            ) : (
              <button
                type="button"
                class="button bookmark-name"
                onClick={go(() => view.setPrivateCamera(camera))}
              >
                {name}
              </button>
            )}
            <IconButton
              icon="pencil"
              label={`Rename ${name}`}
              small
              disabled={disabled}
              onClick={() => {
                renaming.value = index;
              }}
            />
            <IconButton
              icon="trash"
              label={`Delete ${name}`}
              small
              disabled={disabled}
              onClick={() => bookmarks.remove(index)}
            />
          </li>
        ))}
      </ul>
      <p class="muted">Everyone with a link to the session sees them.</p>
    </section>
  );
}
