import "../../styles/own-objects.css";
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { nameFor, type ObjectForm, wordsIn } from "../../library/own-objects";
import { turnTowardsCamera } from "../../library/placement";
import { useStudio } from "../../studio/studio";
import { Dialog } from "../common/Dialog";
import { IconButton } from "../common/IconButton";

/** Where the front of a selection may be, in degrees about the vertical. */
const FRONTS = [
  { id: "own", label: "As it is now" },
  { id: "camera", label: "Facing the camera" },
  { id: "0", label: "Facing +Z" },
  { id: "90", label: "Facing +X" },
  { id: "180", label: "Facing −Z" },
  { id: "270", label: "Facing −X" },
] as const;

/** What an object of the user's own is called and how it is found. */
export function ObjectFields({ form }: { form: ObjectForm }) {
  const { ownObjects, editor, api } = useStudio();
  const object = form.kind === "change" ? form.object : null;
  const name = useSignal(object?.name ?? (form.kind === "save" ? nameFor(form.ids) : ""));
  const words = useSignal((object?.names.slice(1) ?? []).join(", "));
  const category = useSignal(object?.categories[0] ?? "");
  const note = useSignal(object?.note ?? "");
  const front = useSignal<string>("own");
  const saving = useSignal(false);
  const problem = useSignal<string | null>(null);
  const categories = useSignal<readonly string[]>([]);
  useEffect(() => {
    // Without them the category stays what it is.
    api.library.objects().then(
      (contents) => {
        categories.value = contents.categories;
      },
      () => {},
    );
  }, [api]);
  const close = () => {
    ownObjects.form.value = null;
  };
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (saving.value) return;
    const about = {
      name: name.value.trim(),
      words: wordsIn(words.value),
      category: category.value,
      note: note.value.trim(),
    };
    saving.value = true;
    problem.value =
      form.kind === "change"
        ? await ownObjects.change(form.object, about)
        : await ownObjects.save(form.ids, about, degrees(front.value, turnTowardsCamera(editor.cameraView)));
    saving.value = false;
    if (problem.value === null) close();
  };
  const title = object === null ? "Save as object" : `Edit ${object.name}`;
  const listed = new Set([...categories.value, ...(category.value === "" ? [] : [category.value])]);
  return (
    <Dialog label={title} class="sheet object-dialog" testId="object-dialog" onClose={close}>
      <header class="sheet-header">
        <h2>{title}</h2>
        <IconButton icon="x" label="Close" onClick={close} />
      </header>
      <form class="object-form" onSubmit={(event) => void submit(event)}>
        <label>
          <span>Name</span>
          <input
            class="field"
            required
            autofocus
            autocomplete="off"
            maxLength={60}
            value={name.value}
            data-testid="object-name"
            onInput={(event) => {
              name.value = event.currentTarget.value;
            }}
          />
        </label>
        <label>
          <span>Other words</span>
          <input
            class="field"
            autocomplete="off"
            placeholder="Separated by commas"
            value={words.value}
            data-testid="object-words"
            onInput={(event) => {
              words.value = event.currentTarget.value;
            }}
          />
        </label>
        <label>
          <span>Category</span>
          <select
            class="select-input"
            value={category.value}
            data-testid="object-category"
            onChange={(event) => {
              category.value = event.currentTarget.value;
            }}
          >
            <option value="">None</option>
            {[...listed].map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </select>
        </label>
        {form.kind === "save" && (
          <label>
            <span>Front</span>
            <select
              class="select-input"
              value={front.value}
              onChange={(event) => {
                front.value = event.currentTarget.value;
              }}
            >
              {FRONTS.map(({ id, label }) => (
                <option key={id} value={id}>
                  {label}
                </option>
              ))}
            </select>
          </label>
        )}
        <label>
          <span>Note</span>
          <textarea
            class="field"
            rows={2}
            maxLength={500}
            value={note.value}
            onInput={(event) => {
              note.value = event.currentTarget.value;
            }}
          />
        </label>
        {problem.value !== null && (
          <p class="error-text" role="alert">
            {problem.value}
          </p>
        )}
        <div class="object-form-buttons">
          <button type="button" class="button" onClick={close}>
            Cancel
          </button>
          <button
            type="submit"
            class="button button-primary"
            data-testid="object-save"
            disabled={saving.value || name.value.trim() === ""}
          >
            Save
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** Null for what the server finds by itself. */
function degrees(front: string, towardsCamera: number): number | null {
  if (front === "own") return null;
  return front === "camera" ? towardsCamera : Number(front);
}
