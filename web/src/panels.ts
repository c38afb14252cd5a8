import { computed, type ReadonlySignal, signal } from "@preact/signals";
import { storedFlag, storeFlag } from "./preferences";
import { DEFAULT_STOP, SHEET_STOPS } from "./sheet";

/** As wide as this, the document has a column of its own; below it lies over the picture. */
const WIDE = "(min-width: 1200px)";
/** As narrow as this, it lies over the chat; as in the styles. */
const NARROW = "(max-width: 767px)";

/** Which panels are open; what is docked is remembered. */
export class Panels {
  readonly wide = signal(matchMedia(WIDE).matches);
  /** The window over the page. */
  readonly overlay = signal<"palette" | "shortcuts" | "key" | "render" | "animation" | null>(null);
  readonly chat = signal(storedFlag("chat", true));
  /** Lies over the chat, on a narrow page also over the document. */
  readonly library = signal(false);
  /** Of a narrow page: at which of its stops the sheet below the picture is. */
  readonly sheet = signal(DEFAULT_STOP);
  readonly #docked = signal(storedFlag("document", true));
  /** Over the picture it opens when it is asked for. */
  readonly #drawn = signal(false);
  /** Whether what is docked is remembered for the next visit. */
  #remembers = true;
  readonly document: ReadonlySignal<boolean> = computed(() =>
    this.wide.value ? this.#docked.value : this.#drawn.value,
  );

  constructor() {
    matchMedia(WIDE).addEventListener("change", ({ matches }) => {
      this.wide.value = matches;
    });
  }

  setChat(open: boolean): void {
    this.library.value = false;
    this.chat.value = open;
    if (this.#remembers) storeFlag("chat", open);
  }

  /**
   * For a guest, who came for the picture: the panels are folded, and nothing of that is remembered. On a narrow page the
   * chat stands below the picture, as low as it can.
   */
  openOnPicture(): void {
    this.#remembers = false;
    this.setChat(isNarrow());
    this.#docked.value = false;
    this.#drawn.value = false;
    this.setSheet(SHEET_STOPS.length - 1);
  }

  setSheet(stop: number): void {
    this.sheet.value = stop;
  }

  setLibrary(open: boolean): void {
    this.library.value = open;
  }

  setDocument(open: boolean): void {
    if (open && isNarrow()) this.library.value = false;
    if (!this.wide.value) {
      this.#drawn.value = open;
      return;
    }
    this.#docked.value = open;
    if (this.#remembers) storeFlag("document", open);
  }

  /** The library lies over the chat, on a narrow page the document as well. */
  uncoverChat(): void {
    this.library.value = false;
    if (isNarrow()) this.setDocument(false);
  }

  /** Hides all panels, or shows them again. */
  toggleAll(): void {
    const open = !(this.chat.value || this.document.value || this.library.value);
    this.setChat(open);
    this.setDocument(open);
  }
}

function isNarrow(): boolean {
  return matchMedia(NARROW).matches;
}
