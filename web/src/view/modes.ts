/** How the scene is shown: by the page's own raster, by the server's tracer, or by both. */
export const VIEW_MODES = ["raster", "traced", "split", "wipe"] as const;
export type ViewMode = (typeof VIEW_MODES)[number];
export type GizmoMode = "move" | "rotate" | "scale";
/** What a click in the picture is for besides selecting: to take a material, to turn a light to, or to be sharp. */
export type ClickTool = "material" | "aim" | "focus";
/** Around what several selected things turn and grow. */
export const PIVOT_MODES = ["center", "last", "world"] as const;
export type PivotMode = (typeof PIVOT_MODES)[number];
