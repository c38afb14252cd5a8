import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect } from "preact/hooks";
import type { Library } from "../../library/library";
import { loadPart } from "../../loading";
import type { Panels } from "../../panels";
import { useStudio } from "../../studio/studio";
import { IconButton } from "../common/IconButton";
import { focusComposer } from "../composer/composer-field";
import type { LibraryBrowser } from "./LibraryBrowser";

/** Of the button that opens and closes the panel. */
export const LIBRARY_BUTTON_ID = "library-button";

interface Loaded {
  Browser: typeof LibraryBrowser;
  library: Library;
}

/** The library, over the chat. What it is made of is loaded when it is opened first. */
export function LibraryPanel({ panels }: { panels: Panels }) {
  const studio = useStudio();
  const loaded = useSignal<Loaded | null>(null);
  const failed = useSignal(false);
  const open = panels.library.value && studio.state.value.access === "edit";
  useEffect(() => {
    if (!open || loaded.value !== null) return;
    failed.value = false;
    const closed = new AbortController();
    loadPart(() => import("./LibraryBrowser"), closed.signal).then(
      ({ Library, LibraryBrowser: Browser }) => {
        loaded.value = { Browser, library: new Library(studio) };
      },
      () => {
        failed.value = true;
      },
    );
    return () => closed.abort();
  }, [studio, open]);
  useLayoutEffect(() => {
    if (!open) return;
    const opener = document.activeElement;
    return () => {
      // What took the focus meanwhile keeps it.
      if (document.activeElement !== document.body) return;
      const isThere = opener instanceof HTMLElement && opener.isConnected && opener !== document.body;
      (isThere ? opener : document.getElementById(LIBRARY_BUTTON_ID))?.focus();
    };
  }, [open]);
  if (!open) return null;

  const close = () => panels.setLibrary(false);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    event.preventDefault();
    close();
  };
  const ask = (request: string) => {
    studio.conversation.returnToDraft(request);
    panels.setChat(true);
    panels.uncoverChat();
    requestAnimationFrame(focusComposer);
  };
  return (
    <aside class="library" aria-label="Library" data-testid="library" onKeyDown={onKeyDown}>
      <header class="panel-header">
        <h2>Library</h2>
        <IconButton icon="x" label="Close the library (Esc)" testId="library-close" onClick={close} />
      </header>
      {loaded.value !== null ? (
        <loaded.value.Browser library={loaded.value.library} onAsk={ask} />
      ) : (
        <p class="panel-hint" role="status">
          {failed.value ? "The library could not be loaded. Check the connection." : "Loading the library…"}
        </p>
      )}
    </aside>
  );
}
