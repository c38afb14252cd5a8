import all from "../../../crates/scene/src/document/material/presets.json";
import type { Properties } from "../document/scene";
import picture from "./balls.jpg";
import balls from "./balls.json";

/** A ready-made material. */
export interface Preset {
  name: string;
  /** `metal`, `wood`, ... */
  kind: string;
  /** Where its ball is on the picture, in tiles; none for one that is newer than the picture. */
  tile: { column: number; row: number } | null;
}

/** The picture of all balls, in tiles of 1 x 1. */
export const BALLS = { address: picture, columns: balls.columns, rows: balls.rows };

const TILES: Record<string, number | undefined> = balls.tiles;

/** What the preset of a name is made of; undefined for one that is newer than this page. */
export function presetMaterial(name: string): Properties | undefined {
  return Object.values(all as Record<string, Record<string, Properties>>).find((family) => name in family)?.[
    name
  ];
}

export const PRESETS: readonly Preset[] = Object.entries(all).flatMap(([kind, presets]) =>
  Object.keys(presets).map((name) => {
    const index = TILES[name];
    const tile =
      index === undefined ? null : { column: index % balls.columns, row: Math.floor(index / balls.columns) };
    return { name, kind, tile };
  }),
);
