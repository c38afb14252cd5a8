import { useComputed, useSignal } from "@preact/signals";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { actionOfKey } from "../../actions";
import { groupIds } from "../../document/scene";
import { subjectOf } from "../../document/subject";
import { parentOf } from "../../document/tree/grouping";
import { groupPath, isMarked, rangeOf, rowsOf, type TreeRow, toggled } from "../../document/tree/tree";
import type { Panels } from "../../panels";
import { selectedBy } from "../../store/people";
import { useStudio } from "../../studio/studio";
import { OutlinerRow, rowId } from "./OutlinerRow";
import { treeKey } from "./tree-keys";
import { TOP, useRowDrag } from "./use-row-drag";
import { ROW_HEIGHT_PX, useVirtualRows } from "./use-virtual-rows";

/** Everything in the scene as a tree. Only the rows in view are in the page. */
export function Outliner({ panels }: { panels: Panels }) {
  const studio = useStudio();
  const { editor } = studio;
  const scene = useComputed(() => editor.scene.value).value;
  const selection = useComputed(() => editor.selection.value).value;
  const marks = useComputed(() => editor.document.value.marks).value;
  const hidden = editor.hidden.value;
  const locked = editor.locked.value;
  const open = useSignal<ReadonlySet<string>>(new Set());
  const renaming = useSignal<string | null>(null);
  /** Where a range of rows begins. */
  const anchor = useRef<string | null>(null);
  const tree = useRef<HTMLDivElement>(null);
  const rows = useMemo(() => rowsOf(scene, open.value), [scene, open.value]);
  const selected = useMemo(() => new Set(selection), [selection]);
  const people = useComputed(() => studio.state.value.people).value;
  const active = rows.findIndex((row) => row.key === selection.at(-1));
  const { first, last, reveal } = useVirtualRows(tree, rows.length);

  // What is selected elsewhere opens the groups it is in, and comes into view.
  const newest = selection.at(-1);
  useLayoutEffect(() => {
    if (newest === undefined) return;
    const object = subjectOf(scene, newest);
    const group = object !== null && "object" in object ? object.object.group : undefined;
    const parent = group ?? parentOf(scene, newest);
    const closed = parent === null ? [] : groupPath(scene, parent).filter((id) => !open.value.has(id));
    if (closed.length > 0) open.value = new Set([...open.value, ...closed]);
  }, [newest]);
  useLayoutEffect(() => reveal(active), [newest, active]);

  const select = (key: string, extend: boolean) => {
    const from = extend ? (anchor.current ?? selection.at(-1) ?? key) : key;
    anchor.current = from;
    editor.select(extend ? rangeOf(rows, from, key) : [key]);
  };
  const setExpanded = (row: TreeRow, expanded: boolean) => {
    const others = [...open.value].filter((id) => id !== row.key);
    open.value = new Set(expanded ? [...others, row.key] : others);
  };
  const onRowClick = (row: TreeRow, event: MouseEvent) => {
    tree.current?.focus();
    if (event.ctrlKey || event.metaKey) {
      anchor.current = row.key;
      editor.select(toggled(selection, row.key));
    } else select(row.key, event.shiftKey);
  };
  const onContextMenu = (row: TreeRow, event: MouseEvent) => {
    event.preventDefault();
    if (!selected.has(row.key)) select(row.key, false);
    tree.current?.focus();
    studio.contextMenu.value = { x: event.clientX, y: event.clientY };
  };
  /** The menu key of a keyboard: about what is selected, beside the active row. */
  const onMenuKey = (event: MouseEvent) => {
    const row = rows[active];
    const element = row === undefined ? null : document.getElementById(rowId(row.key));
    if (event.target !== tree.current || element === null) return;
    event.preventDefault();
    const { left, bottom } = element.getBoundingClientRect();
    studio.contextMenu.value = { x: left + 24, y: bottom };
  };
  const rename = (key: string) => {
    if (editor.canRename(key)) renaming.value = key;
  };
  const onRenamed = (key: string, name: string | null) => {
    renaming.value = null;
    if (name !== null) editor.rename(key, name);
    tree.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== tree.current) return;
    const done = treeKey(event, rows, active, {
      select,
      setExpanded,
      rename,
      selectAll: () => editor.select(rows.filter((row) => row.object !== null).map((row) => row.key)),
      expandAll: () => {
        open.value = groupIds(scene);
      },
      isCommand: (key) => actionOfKey({ studio, panels }, key) !== undefined,
    });
    if (done) event.preventDefault();
  };

  const drag = useRowDrag(selected, (key) => select(key, false));
  const shown = rows.slice(first, last);
  const activeKey = rows[active]?.key;
  return (
    <div
      ref={tree}
      class="outline"
      role="tree"
      tabIndex={0}
      aria-label="Objects"
      aria-multiselectable="true"
      aria-activedescendant={activeKey === undefined ? undefined : rowId(activeKey)}
      data-testid="outliner"
      data-drop={drag.target.value?.key === TOP}
      onKeyDown={onKeyDown}
      onContextMenu={onMenuKey}
      {...drag.onTree}
    >
      <Spacer rows={first} />
      {shown.map((row) => (
        <OutlinerRow
          key={row.key}
          row={row}
          selected={selected.has(row.key)}
          marked={marks.keys.has(row.key) ? marks : null}
          renaming={renaming.value === row.key}
          people={selectedBy(people, row.key)}
          hidden={isMarked(scene, row, hidden)}
          locked={isMarked(scene, row, locked)}
          onLock={(lock) => editor.setLocked([row.key], lock)}
          onHide={(hide) => editor.setHidden([row.key], hide)}
          onClick={(event) => onRowClick(row, event)}
          onContextMenu={(event) => onContextMenu(row, event)}
          onRename={() => rename(row.key)}
          onRenamed={(name) => onRenamed(row.key, name)}
          drop={drag.target.value?.key === row.key ? drag.target.value.where : null}
          drag={drag.onRow(row)}
          onToggle={() => setExpanded(row, row.expanded === false)}
        />
      ))}
      <Spacer rows={rows.length - last} />
    </div>
  );
}

/** The height of rows that are not in the page. */
function Spacer({ rows }: { rows: number }) {
  const space = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    space.current?.style.setProperty("--space", `${rows * ROW_HEIGHT_PX}px`);
  }, [rows]);
  return <div ref={space} class="outline-space" role="presentation" />;
}
