import "../../styles/library.css";
import { useComputed } from "@preact/signals";
import { useEffect, useId, useRef } from "preact/hooks";
import type { Library } from "../../library/library";
import { OWN_OBJECTS } from "../../library/search";
import { Icon } from "../common/icons";
import { CategoryChips } from "./CategoryChips";
import { DraggedPicture } from "./DraggedPicture";
import { LibraryGrid } from "./LibraryGrid";
import { OwnObjectList } from "./OwnObjectList";

export { Library } from "../../library/library";

interface LibraryBrowserProps {
  library: Library;
  /** Asks the model for what the library does not have. */
  onAsk: (request: string) => void;
}

/** Finds objects of the library by words and categories. */
export function LibraryBrowser({ library, onAsk }: LibraryBrowserProps) {
  const search = useRef<HTMLInputElement>(null);
  const listId = useId();
  const { contents, failure, query } = library;
  const count = useComputed(() => library.found.value.length).value;
  const isOwn = library.category.value === OWN_OBJECTS;
  useEffect(() => {
    void library.load();
    // Where that would not open a keyboard over the page.
    if (!matchMedia("(pointer: coarse)").matches) search.current?.focus();
  }, [library]);
  const onSearchKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing || (event.key !== "ArrowDown" && event.key !== "Enter")) return;
    event.preventDefault();
    document.getElementById(listId)?.querySelector<HTMLElement>("[tabindex='0'], .own-object-add")?.focus();
  };
  return (
    <>
      <div class="library-search">
        <input
          ref={search}
          type="search"
          class="field"
          placeholder="Search objects"
          aria-label="Search objects"
          aria-controls={listId}
          autocomplete="off"
          spellcheck={false}
          data-testid="library-search"
          value={query.value}
          onInput={(event) => {
            query.value = event.currentTarget.value;
          }}
          onKeyDown={onSearchKeyDown}
        />
      </div>
      {contents.value === null ? (
        <Loading failure={failure.value} onRetry={() => void library.load()} />
      ) : (
        <>
          <CategoryChips library={library} />
          {isOwn ? (
            <OwnObjectList library={library} id={listId} />
          ) : (
            <LibraryGrid library={library} id={listId} onLeave={() => search.current?.focus()} />
          )}
          {count === 0 && (!isOwn || query.value.trim() !== "") && (
            <NoResults library={library} onAsk={onAsk} />
          )}
          <p class="library-hint muted">
            <span class="library-hint-mouse">Click to add, or drag into the view (R turns).</span>
            <span class="library-hint-touch">Tap to add, or hold and drag into the view.</span>
          </p>
        </>
      )}
      <p class="visually-hidden" role="status">
        {contents.value !== null && (count === 1 ? "1 object" : `${count} objects`)}
      </p>
      <p class="visually-hidden" role="status">
        {library.announcement.value}
      </p>
      <DraggedPicture library={library} />
    </>
  );
}

function Loading({ failure, onRetry }: { failure: string | null; onRetry: () => void }) {
  if (failure === null) {
    return (
      <p class="library-note muted" role="status">
        Loading the library…
      </p>
    );
  }
  return (
    <div class="library-note">
      <p role="alert">The library could not be loaded: {failure}.</p>
      <button type="button" class="button button-outlined" onClick={onRetry}>
        Try again
      </button>
    </div>
  );
}

function NoResults({ library, onAsk }: LibraryBrowserProps) {
  const words = library.query.value.trim();
  const category = library.category.value;
  return (
    <div class="library-note" data-testid="library-none">
      <p class="muted">No results. Ask the model instead.</p>
      <button type="button" class="button button-outlined" onClick={() => onAsk(requestFor(words))}>
        <Icon name="pencil" />
        Ask the model
      </button>
      {category !== null && (
        <button
          type="button"
          class="button"
          onClick={() => {
            library.category.value = null;
          }}
        >
          Search all categories
        </button>
      )}
    </div>
  );
}

/** What to say to the model for words that nothing was found by. */
function requestFor(words: string): string {
  return `Add ${/^[aeiou]/i.test(words) ? "an" : "a"} ${words}`;
}
