import { useStudio } from "../../studio/studio";
import { VIEW_MODES, type ViewMode } from "../../view/modes";

const MODES: Record<ViewMode, { label: string; title: string }> = {
  raster: { label: "Raster", title: "Real-time view with simplified light" },
  traced: { label: "Traced", title: "Path traced; real-time while something moves" },
  split: { label: "Split", title: "Both side by side" },
  wipe: { label: "Wipe", title: "Both in one view with a draggable divider" },
};

/** How the scene is shown. `name` tells the switches of a page apart. */
export function ViewSwitch({ name }: { name: string }) {
  const { view } = useStudio();
  const status = view.rasterStatus.value;
  const reason = "reason" in status ? status.reason : undefined;
  const shown = view.shownMode.value;
  return (
    <fieldset class={`segments ${name}`} data-testid={name}>
      <legend class="visually-hidden">View</legend>
      {VIEW_MODES.map((mode) => (
        <label key={mode} class="segment" title={reason ?? MODES[mode].title}>
          <input
            type="radio"
            name={name}
            class="visually-hidden"
            data-testid={`${name}-${mode}`}
            checked={shown === mode}
            disabled={reason !== undefined && mode !== "traced"}
            onChange={() => view.setMode(mode)}
          />
          <span>{MODES[mode].label}</span>
        </label>
      ))}
    </fieldset>
  );
}
