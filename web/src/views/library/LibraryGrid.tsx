import { useRef, useState } from "preact/hooks";
import type { Library } from "../../library/library";
import type { LibraryObject } from "../../library/objects";
import { Icon } from "../common/icons";
import { gridKey } from "./grid-keys";
import { ObjectPicture } from "./ObjectPicture";
import { startDrag } from "./start-drag";

interface LibraryGridProps {
  library: Library;
  /** Of the list. */
  id: string;
  /** Leads back above the first row. */
  onLeave: () => void;
}

/** The found objects: arrow keys move among them, Enter or a click adds, a drag puts into the view. */
export function LibraryGrid({ library, id, onLeave }: LibraryGridProps) {
  const [activeName, setActiveName] = useState<string | null>(null);
  const list = useRef<HTMLDivElement>(null);
  const found = library.found.value;
  const adding = library.adding.value;
  const active = Math.max(
    0,
    found.findIndex(({ name }) => name === activeName),
  );
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const items = [...(list.current?.children ?? [])] as HTMLElement[];
    const to = gridKey(event.key, active, items.length, columnsOf(items));
    if (to === null) return;
    event.preventDefault();
    if (to === -1) onLeave();
    else items[to]?.focus();
  };
  return (
    <div
      ref={list}
      id={id}
      class="library-grid"
      role="listbox"
      tabIndex={-1}
      aria-label="Objects of the library"
      data-testid="library-grid"
      onKeyDown={onKeyDown}
    >
      {found.map((object, index) => (
        <button
          key={`${object.name} ${object.version ?? ""}`}
          type="button"
          role="option"
          class="library-item"
          tabIndex={index === active ? 0 : -1}
          aria-selected={index === active}
          aria-busy={adding.has(object.name)}
          title={titleOf(object)}
          data-testid="library-item"
          onFocus={() => setActiveName(object.name)}
          onPointerDown={(event) => startDrag(event, library, object)}
          onClick={() => library.add(object)}
        >
          <ObjectPicture queue={library.pictures} url={library.pictureUrl(object)} />
          <span class="library-name">{object.name}</span>
          {object.own === true && (
            <span class="library-own" title="One of your own">
              <Icon name="star" />
              <span class="visually-hidden">, one of your own</span>
            </span>
          )}
          {adding.has(object.name) && <span class="spinner" aria-hidden="true" />}
        </button>
      ))}
    </div>
  );
}

/** How many items the first row has. */
function columnsOf(items: readonly HTMLElement[]): number {
  const top = items[0]?.offsetTop;
  const inOtherRow = items.findIndex((item) => item.offsetTop !== top);
  return inOtherRow === -1 ? Math.max(1, items.length) : inOtherRow;
}

function titleOf({ name, size }: LibraryObject): string {
  return `${name}, ${size.map((edge) => Number(edge.toPrecision(2))).join(" × ")} m`;
}
