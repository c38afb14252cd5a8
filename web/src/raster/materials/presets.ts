import families from "../../../../crates/scene/src/document/material/presets.json";
import type { Properties } from "../../document/scene";
import type { Presets } from "./surface";

/** The server's own list: what materials with a name are made of. */
export const PRESETS: Presets = new Map(
  Object.values(families as Record<string, Record<string, Properties>>).flatMap((family) =>
    Object.entries(family),
  ),
);
