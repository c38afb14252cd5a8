/** Line icons on a 16 x 16 grid, drawn in the text's colour. */
const PATHS = {
  alert: "M8 2.5 14.5 13.5h-13zM8 6.5v3.2M8 11.6v.1",
  attach:
    "M13.2 7.6 7.9 12.9a3.3 3.3 0 0 1-4.7-4.7l5.6-5.6a2.2 2.2 0 0 1 3.1 3.1L6.4 11.2a1.1 1.1 0 0 1-1.6-1.6l4.9-4.9",
  arrowDown: "M8 3v9.5M4 8.7l4 4 4-4",
  arrowUp: "M8 13V3.5M4 7.3l4-4 4 4",
  camera: "M1.5 5h3l1.2-2h4.6l1.2 2h3v8.5h-13zM8 6.7a2.3 2.3 0 1 0 0 4.6 2.3 2.3 0 0 0 0-4.6z",
  check: "M3 8.5 6.5 12 13 4.5",
  chevronLeft: "M10 3.5 5.5 8 10 12.5",
  chevron: "M6 3.5 10.5 8 6 12.5",
  command: "M2.5 4.5 6 8l-3.5 3.5M7.5 12h6",
  cone: "M8 1.8 13.2 12M8 1.8 2.8 12M2.8 12c0 2.8 10.4 2.8 10.4 0s-10.4-2.6-10.4 0z",
  copy: "M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3",
  cross: "M4 4l8 8M12 4l-8 8",
  cube: "M8 1.7 13.8 5v6.3L8 14.5l-5.8-3.2V5zM2.3 5 8 8.2 13.7 5M8 8.2v6.2",
  cylinder: "M3 4c0 2.7 10 2.7 10 0s-10-2.7-10 0v8c0 2.7 10 2.7 10 0V4",
  disc: "M1.8 8c0 4.6 12.4 4.6 12.4 0s-12.4-4.6-12.4 0z",
  download: "M8 2v8M4.5 7 8 10.5 11.5 7M2.5 13.5h11",
  folder: "M1.8 4V12.8h12.4V5H8L6.4 3H1.8z",
  globe:
    "M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8zM1.8 8h12.4M8 1.8c4 4 4 8.4 0 12.4-4-4-4-8.4 0-12.4z",
  grid: "M2 5.5h12M2 10.5h12M5.5 2v12M10.5 2v12",
  image: "M1.8 2.8h12.4v10.4H1.8zM2 11.5l3.6-3.6 2.6 2.6 2.4-2.4 3.4 3.4M10.7 5.6v.1",
  list: "M5.5 4h8.5M5.5 8h8.5M5.5 12h8.5M2.3 4v.1M2.3 8v.1M2.3 12v.1",
  magnet: "M3 3v5a5 5 0 0 0 10 0V3h-3v5a2 2 0 0 1-4 0V3zM3 5.5h3M10 5.5h3",
  moon: "M13.5 9.6A6 6 0 0 1 6.4 2.5a6 6 0 1 0 7.1 7.1z",
  move: "M8 1.8v12.4M1.8 8h12.4M6.2 3.6 8 1.8l1.8 1.8M6.2 12.4 8 14.2l1.8-1.8M3.6 6.2 1.8 8l1.8 1.8M12.4 6.2 14.2 8l-1.8 1.8",
  panelLeft: "M1.8 2.8h12.4v10.4H1.8zM6 2.8v10.4",
  panelRight: "M1.8 2.8h12.4v10.4H1.8zM10 2.8v10.4",
  pause: "M5.5 3.5v9M10.5 3.5v9",
  pencil: "M2.5 13.5l.8-3.3 7.6-7.6 2.5 2.5-7.6 7.6zM9.3 4.2l2.5 2.5",
  plane: "M4.5 4.5h10l-3 7h-10z",
  play: "M5 3.2v9.6L12.5 8z",
  plus: "M8 3v10M3 8h10",
  redo: "M10.5 2.5 13.5 5.5l-3 3M13 5.5H6.5a4 4 0 0 0 0 8h3",
  restore: "M2.6 5.2A6 6 0 1 1 2 8M2.5 2.2v3.2h3.2M8 4.8V8l2.3 1.6",
  rotate: "M13.5 8a5.5 5.5 0 1 1-1.7-4M12 1.2v3H9",
  scale: "M2.5 2.5h11v11h-11zM2.5 8.5h5v5M8.5 7.5l3-3M8.8 4.5h2.7v2.7",
  share: "M8 9.8V2M4.8 5 8 1.8 11.2 5M5 7.5H2.8v6.2h10.4V7.5H11",
  sphere: "M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8zM1.8 8c0 2.6 12.4 2.6 12.4 0",
  stop: "M4 4h8v8H4z",
  sun: "M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM8 1.2v1.3M8 13.5v1.3M1.2 8h1.3M13.5 8h1.3M3.2 3.2l.9.9M11.9 11.9l.9.9M3.2 12.8l.9-.9M11.9 4.1l.9-.9",
  trash: "M2.5 4.2h11M6 4V2.3h4V4M4 4.3l.7 9.4h6.6l.7-9.4M6.7 7v4M9.3 7v4",
  triangle: "M8 2.2 14.5 13.2h-13z",
  undo: "M5.5 2.5 2.5 5.5l3 3M3 5.5h6.5a4 4 0 0 1 0 8h-3",
  wrench: "M13.8 4.3a3.6 3.6 0 0 1-4.9 4.3l-5 5-1.6-1.6 5-5a3.6 3.6 0 0 1 4.4-4.8L9.4 4.5l2.1 2.1z",
} as const;

export type IconName = keyof typeof PATHS;

/** Decoration only: the control around it carries the name. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
