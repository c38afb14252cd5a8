/** How the scene is shown: by the page's own raster, by the server's tracer, or by both. */
export const VIEW_MODES = ["raster", "traced", "split", "wipe"] as const;
export type ViewMode = (typeof VIEW_MODES)[number];
export type GizmoMode = "move" | "rotate" | "scale";
