import { useComputed } from "@preact/signals";
import type { Panels } from "../../panels";
import { useStudio } from "../../studio/studio";
import type { GizmoMode } from "../../view/modes";
import { Icon, type IconName } from "../common/icons";
import { LIBRARY_BUTTON_ID } from "../library/LibraryPanel";
import { CameraMenu } from "./CameraMenu";
import { CompareBar } from "./CompareBar";
import { ViewSwitch } from "./ViewSwitch";

const GIZMOS: { mode: GizmoMode; icon: IconName; label: string }[] = [
  { mode: "move", icon: "move", label: "Move (W)" },
  { mode: "rotate", icon: "rotateCw", label: "Rotate (E)" },
  { mode: "scale", icon: "scale", label: "Scale (R)" },
];

/** The library, handles and camera, above the picture. */
export function ViewBar({ panels }: { panels: Panels }) {
  const { view, playback, state } = useStudio();
  const mayEdit = useComputed(() => state.value.access === "edit").value;
  const raster = view.rasterStatus.value;
  const draws = raster.phase === "ready";
  const hidden = view.hidden.value.size;
  return (
    <div class="view-bar" role="toolbar" aria-label="View">
      <ViewSwitch name="view-switch-narrow" />
      {mayEdit && (
        <Toggle
          id={LIBRARY_BUTTON_ID}
          icon="armchair"
          label="Library (L)"
          testId="toggle-library"
          pressed={panels.library.value}
          disabled={false}
          onClick={() => panels.setLibrary(!panels.library.value)}
        />
      )}
      {mayEdit && (
        <fieldset class="segments" disabled={!draws}>
          <legend class="visually-hidden">Handles</legend>
          {GIZMOS.map(({ mode, icon, label }) => (
            <label key={mode} class="segment segment-icon" title={label}>
              <input
                type="radio"
                name="gizmo"
                class="visually-hidden"
                aria-label={label}
                data-testid={`gizmo-${mode}`}
                checked={view.gizmo.value === mode}
                onChange={() => {
                  view.gizmo.value = mode;
                }}
              />
              <Icon name={icon} />
            </label>
          ))}
        </fieldset>
      )}
      {mayEdit && (
        <Toggle
          icon="magnet"
          label="Snap to steps (hold Ctrl while dragging)"
          testId="snap"
          pressed={view.snapping.value}
          disabled={!draws}
          onClick={() => {
            view.snapping.value = !view.snapping.value;
          }}
        />
      )}
      {mayEdit && (
        <Toggle
          icon="arrowDownToLine"
          label="Snap to surfaces: moved objects rest on what is below"
          testId="snap-surfaces"
          pressed={view.surfaceSnapping.value}
          disabled={!draws}
          onClick={() => {
            view.surfaceSnapping.value = !view.surfaceSnapping.value;
          }}
        />
      )}
      <Toggle
        icon="ruler"
        label="Measure (M)"
        testId="measure-toggle"
        pressed={view.measured.value !== null}
        disabled={!draws}
        onClick={() => view.toggleMeasuring()}
      />
      <Toggle
        icon="grid"
        label="Grid (G)"
        testId="grid"
        pressed={view.grid.value}
        disabled={!draws}
        onClick={() => view.setGrid(!view.grid.value)}
      />
      <CameraMenu />
      <Toggle
        icon="film"
        label="Animate (T)"
        testId="animate"
        pressed={playback.tracksShown.value}
        disabled={false}
        onClick={() => {
          playback.tracksShown.value = !playback.tracksShown.value;
        }}
      />
      <Toggle
        icon="maximize"
        label={view.fullScreen.value ? "Leave full screen" : "Full screen (Shift+F)"}
        testId="fullscreen"
        pressed={view.fullScreen.value}
        disabled={false}
        onClick={() => view.toggleFullScreen()}
      />
      {view.shownMode.value === "wipe" && <CompareBar />}
      {hidden > 0 && (
        <button
          type="button"
          class="button button-small"
          data-testid="show-all"
          onClick={() => view.showAll()}
        >
          {hidden} hidden · Show all
        </button>
      )}
      {"reason" in raster && (
        <span class="view-reason" role="status" data-testid="raster-reason">
          {raster.reason}
        </span>
      )}
    </div>
  );
}

interface ToggleProps {
  id?: string;
  icon: IconName;
  label: string;
  testId: string;
  pressed: boolean;
  disabled: boolean;
  onClick: () => void;
}

function Toggle({ id, icon, label, testId, pressed, disabled, onClick }: ToggleProps) {
  return (
    <button
      id={id}
      type="button"
      class="button button-icon button-small view-toggle"
      title={label}
      aria-label={label}
      aria-pressed={pressed}
      data-testid={testId}
      disabled={disabled}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
}
