import { NEW_LIGHTS, NEW_SHAPES, TYPE_NAMES } from "../document/creation";
import { membersOf, selectedMembers } from "../document/subject";
import type { Action, Workbench } from "./action";

const NOTHING = "nothing is selected";

/** What changes the scene. */
export function editActions({ studio }: Workbench): Action[] {
  const { editor } = studio;
  const { canUndo, canRedo } = studio.state.value;
  const offline = editor.editable.value ? undefined : "not connected";
  const selection = editor.selection.value;
  const withSelection = offline ?? (editor.selectedIds().length === 0 ? NOTHING : undefined);
  const { shapes, lights } = editor.scene.value;
  return [
    {
      id: "undo",
      section: "Edit",
      label: "Undo",
      words: "back",
      keys: [{ key: "z", mod: true }],
      unavailable: offline ?? (canUndo ? undefined : "nothing to undo"),
      run: () => studio.undo(),
    },
    {
      id: "redo",
      section: "Edit",
      label: "Redo",
      words: "again forward",
      keys: [
        { key: "z", mod: true, shift: true },
        { key: "y", mod: true },
      ],
      unavailable: offline ?? (canRedo ? undefined : "nothing to redo"),
      run: () => studio.redo(),
    },
    {
      id: "duplicate",
      section: "Edit",
      label: "Duplicate what is selected",
      words: "copy clone",
      keys: [{ key: "d", mod: true }],
      unavailable: withSelection,
      run: () => editor.duplicateSelected(),
    },
    {
      id: "remove",
      section: "Edit",
      label: "Delete what is selected",
      words: "remove",
      keys: [{ key: "delete" }],
      unavailable: withSelection,
      run: () => editor.removeSelected(),
    },
    {
      id: "group",
      section: "Edit",
      label: "Group what is selected",
      words: "together",
      keys: [{ key: "g", mod: true }],
      unavailable: withSelection,
      run: () => editor.groupSelected(),
    },
    {
      id: "ungroup",
      section: "Edit",
      label: "Ungroup",
      words: "dissolve apart",
      keys: [{ key: "g", mod: true, shift: true }],
      unavailable: withSelection ?? (editor.hasGroupSelected() ? undefined : "no group is selected"),
      run: () => editor.ungroupSelected(),
    },
    {
      id: "hide",
      section: "Edit",
      label: "Hide or show what is selected",
      words: "eye visible invisible",
      keys: [{ key: "h" }],
      unavailable: editor.selectedIds().length === 0 ? NOTHING : undefined,
      run: () => {
        const ids = editor.selectedIds();
        const members = selectedMembers(editor.scene.value, ids);
        editor.setHidden(ids, !members.every(({ object }) => editor.hidden.value.has(object.id)));
      },
    },
    {
      id: "show_all",
      section: "Edit",
      label: "Show everything that is hidden",
      words: "eye visible unhide",
      keys: [{ key: "h", alt: true }],
      unavailable: editor.hidden.value.size === 0 ? "nothing is hidden" : undefined,
      run: () => editor.showAll(),
    },
    {
      id: "select_all",
      section: "Edit",
      label: "Select everything",
      unavailable: shapes.length + lights.length === 0 ? "the scene is empty" : undefined,
      run: () => editor.select(membersOf(editor.scene.value).map(({ object }) => object.id)),
    },
    {
      id: "deselect",
      section: "Edit",
      label: "Deselect",
      unavailable: selection.length === 0 ? NOTHING : undefined,
      run: () => editor.select([]),
    },
    ...[...NEW_SHAPES, ...NEW_LIGHTS].map(
      (type): Action => ({
        id: `add_${type}`,
        section: "Add",
        label: `Add: ${TYPE_NAMES[type]}`,
        words: `new create insert ${type.replaceAll("_", " ")}`,
        unavailable: offline,
        run: () => editor.create(type),
      }),
    ),
  ];
}
