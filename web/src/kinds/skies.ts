import type { Properties } from "../document/scene";
import { isTriple, type Triple } from "../document/vector";
import type { Sky } from "../raster/environment/sky";
import { daylight } from "../raster/lighting/daylight";
import { type EnvironmentKind, entryOf } from "./list";

/** What each kind of environment looks like in the raster view. */
export const SKIES: Readonly<Record<EnvironmentKind, (environment: Properties) => Sky>> = {
  sky: daylight,
  gradient: ({ top_color, bottom_color }) => ({
    top: isTriple(top_color) ? top_color : [0.5, 0.7, 1],
    bottom: isTriple(bottom_color) ? bottom_color : [1, 1, 1],
  }),
  uniform: ({ emission }) => evenly(isTriple(emission) ? emission : BLACK),
  none: () => evenly(BLACK),
  // Until its picture is there, a dim grey stands for it.
  image: () => evenly(DIM_GREY),
};

const BLACK: Triple = [0, 0, 0];
const DIM_GREY: Triple = [0.3, 0.3, 0.3];

/** Environments that are newer than this page are a dim grey. */
export function skyOf(environment: Properties): Sky {
  return entryOf(SKIES, environment.type)?.(environment) ?? evenly(DIM_GREY);
}

function evenly(radiance: Triple): Sky {
  return { top: radiance, bottom: radiance };
}
