import "../../styles/own-objects.css";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { chooseFiles, OBJECT_FILES } from "../../files/files";
import type { Library } from "../../library/library";
import type { LibraryObject } from "../../library/objects";
import { IconButton } from "../common/IconButton";
import { Icon } from "../common/icons";
import { ObjectPicture } from "./ObjectPicture";
import { startDrag } from "./start-drag";

/** The user's own objects: added like the others, changed, exported, deleted; and files that bring more. */
export function OwnObjectList({ library, id }: { library: Library; id: string }) {
  const { ownObjects, editor } = library.studio;
  const found = library.found.value;
  const ids = editor.selectedIds();
  return (
    <div class="own-objects" id={id} data-testid="own-objects">
      <div class="own-objects-tools">
        <button
          type="button"
          class="button button-outlined button-small"
          disabled={ids.length === 0}
          title={ids.length === 0 ? "Select something in the scene first" : undefined}
          onClick={() => {
            ownObjects.form.value = { kind: "save", ids };
          }}
        >
          <Icon name="plus" />
          Save selection…
        </button>
        <button
          type="button"
          class="button button-outlined button-small"
          title="Import an exported object; a file can be dropped on the page, too"
          onClick={() => chooseFiles((files) => importAll(library, files), OBJECT_FILES)}
        >
          <Icon name="arrowUp" />
          Import…
        </button>
      </div>
      {found.length === 0 && library.query.value.trim() === "" && (
        <p class="library-note muted">
          No objects of your own yet. Select something in the scene and save it here: you and the model can
          add it to any scene then.
        </p>
      )}
      <ul class="own-object-rows">
        {found.map((object) => (
          <OwnObjectRow key={object.name} library={library} object={object} />
        ))}
      </ul>
      <Problems library={library} />
    </div>
  );
}

function importAll(library: Library, files: readonly File[]): void {
  for (const file of files) void library.studio.ownObjects.import(file);
}

/** One object; deleting it asks for confirmation in the row. */
function OwnObjectRow({ library, object }: { library: Library; object: LibraryObject }) {
  const [asking, setAsking] = useState(false);
  const row = useRef<HTMLLIElement>(null);
  const wasAsking = useRef(false);
  const { ownObjects } = library.studio;
  const { name } = object;
  useLayoutEffect(() => {
    if (asking) row.current?.querySelector<HTMLElement>(".keep-object")?.focus();
    else if (wasAsking.current) row.current?.querySelector<HTMLElement>(".own-object-add")?.focus();
    wasAsking.current = asking;
  }, [asking]);
  if (asking) {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      event.stopPropagation();
      setAsking(false);
    };
    return (
      <li class="own-object own-object-asking" ref={row} onKeyDown={onKeyDown}>
        <span>Delete “{name}” for good?</span>
        <button type="button" class="button button-small keep-object" onClick={() => setAsking(false)}>
          Keep
        </button>
        <button
          type="button"
          class="button button-small button-danger"
          aria-label={`Delete ${name} for good`}
          data-testid="confirm-delete-object"
          onClick={() => void ownObjects.remove(object)}
        >
          Delete
        </button>
      </li>
    );
  }
  return (
    <li class="own-object" ref={row} data-testid="own-object">
      <button
        type="button"
        class="own-object-add"
        title={`Add ${name}`}
        aria-busy={library.adding.value.has(name)}
        onPointerDown={(event) => startDrag(event, library, object)}
        onClick={() => library.add(object)}
      >
        <ObjectPicture key={object.version} queue={library.pictures} url={library.pictureUrl(object)} />
        <span class="own-object-text">
          <span class="own-object-name">
            <span class="visually-hidden">Add </span>
            {name}
          </span>{" "}
          <span class="own-object-facts muted">{factsOf(object)}</span>
        </span>
      </button>
      <span class="own-object-actions">
        <IconButton
          icon="pencil"
          label={`Edit ${name}`}
          small
          onClick={() => {
            ownObjects.form.value = { kind: "change", object };
          }}
        />
        <IconButton
          icon="download"
          label={`Export ${name}`}
          small
          onClick={() => void ownObjects.download(object)}
        />
        <IconButton icon="trash" label={`Delete ${name}`} small onClick={() => setAsking(true)} />
      </span>
    </li>
  );
}

function factsOf({ size, categories }: LibraryObject): string {
  const measures = `${size.map((edge) => Number(edge.toPrecision(2))).join(" × ")} m`;
  return [...categories, measures].join(" · ");
}

/** Files in the directory of objects that are none. */
function Problems({ library }: { library: Library }) {
  const problems = library.contents.value?.problems ?? [];
  if (problems.length === 0) return null;
  return (
    <details class="own-object-problems">
      <summary>{problems.length === 1 ? "1 file" : `${problems.length} files`} could not be read</summary>
      <ul>
        {problems.map(({ file, message }) => (
          <li key={file}>
            <strong>{file}</strong>: {message}
          </li>
        ))}
      </ul>
    </details>
  );
}
