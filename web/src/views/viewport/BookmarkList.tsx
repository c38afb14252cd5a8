import { useSignal } from "@preact/signals";
import { useStudio } from "../../studio/studio";
import { present } from "../../view/presenting";
import { IconButton } from "../common/IconButton";

/** What is typed next replaces the name. */
function beginTyping(field: HTMLInputElement | null): void {
  field?.focus();
  field?.select();
}

/** The places the session keeps to look from; `go` looks, and closes what the list is in. */
export function BookmarkList({ go }: { go: (look: () => void) => () => void }) {
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
