import { useSignal } from "@preact/signals";
import { useStudio } from "../../studio";
import { SIDES, type Side } from "../../view/commands";
import { IconButton } from "../IconButton";
import { Popover } from "../Popover";

/** From where to look: the scene's camera, sides, what is selected, and places one has kept. */
export function LookMenu() {
  return (
    <Popover testId="looks" label="Look from" icon="camera" side="start">
      {(close) => <LookPanel close={close} />}
    </Popover>
  );
}

function LookPanel({ close }: { close: () => void }) {
  const studio = useStudio();
  const go = (look: () => void) => () => {
    look();
    close();
  };
  return (
    <div class="looks">
      <div class="looks-sides">
        <button
          type="button"
          class="button"
          data-testid="look-camera"
          onClick={go(() => studio.view.lookThrough(null))}
        >
          Camera <kbd>0</kbd>
        </button>
        <button
          type="button"
          class="button"
          data-testid="look-frame"
          onClick={go(() => studio.viewer.frameSelected())}
        >
          Frame selected <kbd>F</kbd>
        </button>
        {(Object.keys(SIDES) as Side[]).map((side) => (
          <button
            key={side}
            type="button"
            class="button"
            data-testid={`look-${side}`}
            onClick={go(() => studio.viewer.lookFrom(side))}
          >
            {SIDES[side].label} <kbd>{SIDES[side].key}</kbd>
          </button>
        ))}
      </div>
      <BookmarkList go={go} />
    </div>
  );
}

function BookmarkList({ go }: { go: (look: () => void) => () => void }) {
  const studio = useStudio();
  const { bookmarks, view } = studio;
  const renaming = useSignal<number | null>(null);
  return (
    <section class="bookmarks" aria-label="Bookmarks">
      <header class="bookmarks-header">
        <h3>Bookmarks</h3>
        <button
          type="button"
          class="button button-small"
          data-testid="bookmark-add"
          onClick={() => bookmarks.add(studio.viewer.currentCamera())}
        >
          Keep this view
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
                ref={(field) => field?.select()}
                onBlur={(event) => {
                  bookmarks.rename(index, event.currentTarget.value);
                  renaming.value = null;
                }}
                onKeyDown={(event) => {
                  if (event.key === "Enter") event.currentTarget.blur();
                }}
              />
            ) : (
              <button type="button" class="button bookmark-name" onClick={go(() => view.lookThrough(camera))}>
                {name}
              </button>
            )}
            <IconButton
              icon="pencil"
              label={`Rename ${name}`}
              small
              onClick={() => {
                renaming.value = index;
              }}
            />
            <IconButton icon="trash" label={`Delete ${name}`} small onClick={() => bookmarks.remove(index)} />
          </li>
        ))}
      </ul>
      <p class="muted">Kept in this browser, for this session.</p>
    </section>
  );
}
