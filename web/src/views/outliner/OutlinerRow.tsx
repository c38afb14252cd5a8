import { useComputed } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { SceneObject } from "../../document/scene";
import type { Marks } from "../../document/state";
import { namesPreset, swatchOf } from "../../document/swatch";
import type { TreeRow } from "../../document/tree/tree";
import { descriptionOf } from "../../kinds/list";
import { presetMaterials } from "../../presets/preset-materials";
import type { PresentPerson } from "../../protocol";
import { colorOf, nameOf } from "../../store/people";
import { useStudio } from "../../studio/studio";
import { unreachable } from "../../unreachable";
import { Icon, type IconName, isIconName } from "../common/icons";
import { parseName } from "../inspector/IdentityFields";
import type { DropTarget, RowDrag } from "./use-row-drag";

interface OutlinerRowProps {
  row: TreeRow;
  selected: boolean;
  /** Who has just changed it, and in which color that is shown; null for nobody. */
  marked: Pick<Marks, "by" | "color"> | null;
  renaming: boolean;
  /** Others who have selected it. */
  people: readonly PresentPerson[];
  /** Whether this page does not show it. */
  hidden: boolean;
  onHide: (hidden: boolean) => void;
  /** Whether pointers leave it alone in the picture. */
  locked: boolean;
  onLock: (locked: boolean) => void;
  /** How it is dragged; null for what stays where it is. */
  drag: RowDrag | null;
  /** Where what is dragged would be put, if here. */
  drop: DropTarget["where"] | null;
  onClick: (event: MouseEvent) => void;
  onContextMenu: (event: MouseEvent) => void;
  onRename: () => void;
  /** With null the old name stays. */
  onRenamed: (name: string | null) => void;
  onToggle: () => void;
}

/** What presets are made of is fetched when there is one. */
function colourOf(object: SceneObject): string | null {
  const isPreset = namesPreset(object.properties.material);
  return swatchOf(object, isPreset ? presetMaterials().value : () => undefined);
}

/** The id of a row's element. */
export function rowId(key: string): string {
  return `outline-${encodeURIComponent(key)}`;
}

export function OutlinerRow(props: OutlinerRowProps) {
  const {
    row,
    selected,
    marked,
    renaming,
    people,
    hidden,
    onClick,
    onContextMenu,
    onHide,
    locked,
    onLock,
    drag,
    drop,
    onRename,
    onRenamed,
    onToggle,
  } = props;
  const { hovered } = useStudio().editor;
  const pointed = useComputed(() => hovered.value === row.key).value;
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => element.current?.style.setProperty("--level", String(row.level)), [row.level]);
  const colour = row.object === null ? null : colourOf(row.object);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree, which has the focus, hears the keys.
    <div
      ref={element}
      id={rowId(row.key)}
      class={`outline-row${pointed ? " outline-row-pointed" : ""}${hidden ? " outline-row-hidden" : ""}${drop === null ? "" : ` outline-row-${drop}`}`}
      role="treeitem"
      tabIndex={-1}
      aria-level={row.level}
      aria-posinset={row.position}
      aria-setsize={row.siblings}
      aria-selected={selected}
      aria-expanded={row.expanded ?? undefined}
      aria-label={`${row.label}${marked === null ? "" : `, changed by ${marked.by}`}${hidden ? ", hidden here" : ""}${locked ? ", locked here" : ""}`}
      data-testid="outline-row"
      data-marked={marked !== null}
      onClick={onClick}
      onContextMenu={onContextMenu}
      onDblClick={onRename}
      draggable={drag !== null && !renaming}
      {...drag}
      onPointerEnter={() => {
        hovered.value = row.key;
      }}
      onPointerLeave={() => {
        if (hovered.value === row.key) hovered.value = null;
      }}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys of the tree do the same. */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: see above. */}
      <span
        class={row.expanded ? "outline-twist outline-twist-open" : "outline-twist"}
        onClick={(event) => {
          if (row.expanded === null) return;
          event.stopPropagation();
          onToggle();
        }}
      >
        {row.expanded !== null && <Icon name="chevronRight" />}
      </span>
      <Icon name={iconOf(row)} />
      {renaming ? (
        <RenameField
          name={partName(row)}
          onDone={(name) => onRenamed(name === null ? null : withoutPart(row) + name)}
        />
      ) : (
        <span class="outline-name" title={row.label}>
          {partName(row)}
        </span>
      )}
      {people.map((person) => (
        <span
          key={person.id}
          class="outline-person"
          style={{ background: colorOf(person) }}
          title={`Selected by ${nameOf(person)}`}
          data-testid="outline-person"
        />
      ))}
      {colour !== null && (
        <svg class="outline-colour" viewBox="0 0 10 10" width="10" height="10" aria-hidden="true">
          <rect x="0.5" y="0.5" width="9" height="9" rx="2" fill={colour} />
        </svg>
      )}
      {marked !== null && (
        <span
          class="outline-mark"
          style={marked.color === null ? {} : { background: marked.color }}
          title={`Changed by ${marked.by}`}
        />
      )}
      {row.kind !== "camera" && row.kind !== "environment" && (
        // biome-ignore lint/a11y/noStaticElementInteractions: the command palette does the same.
        // biome-ignore lint/a11y/useKeyWithClickEvents: see above.
        <span
          class={locked ? "outline-eye outline-locked" : "outline-eye"}
          title={locked ? "Unlock" : "Lock on this page: not selected or moved in the viewport"}
          data-testid="outline-lock"
          onClick={(event) => {
            event.stopPropagation();
            onLock(!locked);
          }}
        >
          <Icon name={locked ? "lock" : "lockOpen"} />
        </span>
      )}
      {row.kind !== "camera" && row.kind !== "environment" && (
        // biome-ignore lint/a11y/noStaticElementInteractions: the key H of the tree does the same.
        // biome-ignore lint/a11y/useKeyWithClickEvents: see above.
        <span
          class="outline-eye"
          title={hidden ? "Show (H)" : "Hide on this page (H)"}
          data-testid="outline-eye"
          onClick={(event) => {
            event.stopPropagation();
            onHide(!hidden);
          }}
        >
          <Icon name={hidden ? "eyeOff" : "eye"} />
        </span>
      )}
    </div>
  );
}

/** What is in a group leaves out the group's name, which stands above it. */
function partName(row: TreeRow): string {
  return row.label.slice(withoutPart(row).length);
}

/** What a row leaves out of its name; a new name keeps it. */
function withoutPart({ label, parent }: TreeRow): string {
  const left = `${parent ?? ""}_`;
  return parent !== null && label.startsWith(left) && label !== left ? left : "";
}

function RenameField({ name, onDone }: { name: string; onDone: (name: string | null) => void }) {
  const field = useRef<HTMLInputElement>(null);
  const done = useRef(false);
  useLayoutEffect(() => field.current?.select(), []);
  const end = (keep: boolean) => {
    if (done.current) return;
    done.current = true;
    const parsed = parseName(field.current?.value ?? "");
    onDone(keep && "value" in parsed && parsed.value !== name ? parsed.value : null);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.isComposing || (event.key !== "Enter" && event.key !== "Escape")) return;
    event.preventDefault();
    end(event.key === "Enter");
  };
  return (
    <input
      ref={field}
      class="outline-rename"
      aria-label={`New name of ${name}`}
      defaultValue={name}
      onKeyDown={onKeyDown}
      onBlur={() => end(true)}
      onClick={(event) => event.stopPropagation()}
      onDblClick={(event) => event.stopPropagation()}
    />
  );
}

function iconOf(row: TreeRow): IconName {
  switch (row.kind) {
    case "camera":
      return "camera";
    case "environment":
      return "globe";
    case "group":
      return "folder";
    case "light":
    case "shape": {
      const icon = descriptionOf(row.type)?.icon;
      return isIconName(icon) ? icon : row.kind === "light" ? "lightbulb" : "box";
    }
    default:
      return unreachable(row.kind);
  }
}
