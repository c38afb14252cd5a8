import type { Action, Workbench } from "./action";

/** The animation: how it is played and made. */
export function animationActions({ studio }: Workbench): Action[] {
  const { keyframes, playback } = studio;
  const raster = studio.view.rasterStatus.value;
  const nothing = playback.animation.value === null ? "nothing is animated" : undefined;
  const readOnly = keyframes.editable.value ? undefined : "this link is for looking only, or not connected";
  return [
    {
      id: "animate",
      section: "View",
      label: playback.tracksShown.value ? "Hide the animation's tracks" : "Animate: show the timeline",
      keywords: "animation keyframes tracks motion movie",
      keys: [{ key: "t" }],
      run: () => {
        playback.tracksShown.value = !playback.tracksShown.value;
      },
    },
    {
      id: "play",
      section: "View",
      label: playback.playing.value ? "Pause the animation" : "Play the animation",
      keywords: "run start stop movie",
      keys: [{ key: " " }],
      unavailable: nothing ?? ("reason" in raster ? "the raster view is not available" : undefined),
      run: () => playback.toggle(),
    },
    {
      id: "turntable",
      section: "Add",
      label: "Add: Turntable",
      keywords: "animation camera orbit rotate around spin",
      unavailable: readOnly,
      run: () => {
        playback.tracksShown.value = true;
        keyframes.turntable();
      },
    },
  ];
}
