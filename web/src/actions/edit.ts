import { NEW_LIGHTS, NEW_SHAPES } from "../document/creation";
import { membersOf, selectedMembers } from "../document/subject";
import { everything } from "../document/tree/tree";
import type { Studio } from "../studio/studio";
import type { Action, Workbench } from "./action";

const NOTHING = "nothing is selected";

/** What changes the scene, and what is selected. */
export function editActions({ studio, panels }: Workbench): Action[] {
  const offline = studio.editor.editable.value ? undefined : "not connected";
  return [
    ...historyActions(studio, offline),
    ...objectActions(studio, offline),
    ...visibilityActions(studio),
    ...selectionActions(studio),
    {
      id: "library",
      section: "Add",
      label: "Add: From library…",
      keywords: "objects catalog furniture insert new browse",
      keys: [{ key: "l" }],
      run: () => panels.setLibrary(true),
    },
    ...[...NEW_SHAPES, ...NEW_LIGHTS].map(
      ({ kind, label }): Action => ({
        id: `add_${kind}`,
        section: "Add",
        label: `Add: ${label}`,
        keywords: `new create insert ${kind.replaceAll("_", " ")}`,
        unavailable: offline,
        run: () => void studio.editor.create(kind),
      }),
    ),
  ];
}

function historyActions(studio: Studio, offline: string | undefined): Action[] {
  const { canUndo, canRedo } = studio.state.value;
  return [
    {
      id: "undo",
      section: "Edit",
      label: "Undo",
      keywords: "back",
      keys: [{ key: "z", mod: true }],
      unavailable: offline ?? (canUndo ? undefined : "nothing to undo"),
      run: () => studio.undo(),
    },
    {
      id: "redo",
      section: "Edit",
      label: "Redo",
      keywords: "again forward",
      keys: [
        { key: "z", mod: true, shift: true },
        { key: "y", mod: true },
      ],
      unavailable: offline ?? (canRedo ? undefined : "nothing to redo"),
      run: () => studio.redo(),
    },
  ];
}

function objectActions({ editor, ownObjects }: Studio, offline: string | undefined): Action[] {
  const withSelection = offline ?? (editor.selectedIds().length === 0 ? NOTHING : undefined);
  return [
    {
      id: "duplicate",
      section: "Edit",
      label: "Duplicate selection",
      keywords: "copy clone",
      keys: [{ key: "d", mod: true }],
      unavailable: withSelection,
      run: () => editor.duplicateSelected(),
    },
    {
      id: "remove",
      section: "Edit",
      label: "Delete selection",
      keywords: "remove",
      keys: [{ key: "delete" }],
      unavailable: withSelection,
      run: () => editor.removeSelected(),
    },
    {
      id: "select_all",
      section: "Edit",
      label: "Select all objects",
      keys: [{ key: "a", mod: true }],
      outsideFields: true,
      run: () => editor.select(everything(editor.scene.value)),
    },
    {
      id: "group",
      section: "Edit",
      label: "Group selection",
      keywords: "together",
      keys: [{ key: "g", mod: true }],
      unavailable: withSelection,
      run: () => editor.groupSelected(),
    },
    {
      id: "move_up",
      section: "Edit",
      label: "Move up in the outliner",
      keywords: "order list earlier",
      keys: [{ key: "arrowup", alt: true }],
      unavailable: withSelection,
      run: () => editor.moveInList(-1),
    },
    {
      id: "move_down",
      section: "Edit",
      label: "Move down in the outliner",
      keywords: "order list later",
      keys: [{ key: "arrowdown", alt: true }],
      unavailable: withSelection,
      run: () => editor.moveInList(1),
    },
    {
      id: "save_object",
      section: "Edit",
      label: "Save selection as object…",
      keywords: "library own reuse prefab store keep my objects",
      unavailable: withSelection,
      run: () => {
        ownObjects.form.value = { kind: "save", ids: editor.selectedIds() };
      },
    },
    {
      id: "ungroup",
      section: "Edit",
      label: "Ungroup",
      keywords: "dissolve apart",
      keys: [{ key: "g", mod: true, shift: true }],
      unavailable: withSelection ?? (editor.hasGroupSelected() ? undefined : "no group is selected"),
      run: () => editor.ungroupSelected(),
    },
  ];
}

/** On this page only. */
function visibilityActions({ editor }: Studio): Action[] {
  return [
    {
      id: "hide",
      section: "Edit",
      label: "Hide or show selection",
      keywords: "eye visible invisible",
      keys: [{ key: "h" }],
      unavailable: editor.selectedIds().length === 0 ? NOTHING : undefined,
      run: () => {
        const ids = editor.selectedIds();
        const members = selectedMembers(editor.scene.value, ids);
        editor.setHidden(ids, !members.every(({ object }) => editor.hidden.value.has(object.id)));
      },
    },
    {
      id: "lock",
      section: "Edit",
      label: "Lock or unlock selection",
      keywords: "freeze protect pick unselectable",
      unavailable: editor.selectedIds().length === 0 ? NOTHING : undefined,
      run: () => {
        const ids = editor.selectedIds();
        const members = selectedMembers(editor.scene.value, ids);
        editor.setLocked(ids, !members.every(({ object }) => editor.locked.value.has(object.id)));
      },
    },
    {
      id: "show_all",
      section: "Edit",
      label: "Show all hidden objects",
      keywords: "eye visible unhide",
      keys: [{ key: "h", alt: true }],
      unavailable: editor.hidden.value.size === 0 ? "nothing is hidden" : undefined,
      run: () => editor.showAll(),
    },
  ];
}

function selectionActions({ editor }: Studio): Action[] {
  const { shapes, lights } = editor.scene.value;
  return [
    {
      id: "select_all",
      section: "Edit",
      label: "Select all",
      unavailable: shapes.length + lights.length === 0 ? "the scene is empty" : undefined,
      run: () => editor.select(membersOf(editor.scene.value).map(({ object }) => object.id)),
    },
    {
      id: "deselect",
      section: "Edit",
      label: "Deselect",
      keywords: "none clear",
      keys: [{ key: "escape" }],
      unavailable: editor.selection.value.length === 0 ? NOTHING : undefined,
      run: () => editor.select([]),
    },
  ];
}
