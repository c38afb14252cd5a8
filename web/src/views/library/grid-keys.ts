/** Where a key leads from one of `count` cells in rows of `columns`; -1 is above the first row, null leaves all as it is. */
export function gridKey(key: string, at: number, count: number, columns: number): number | null {
  const to: Record<string, number> = {
    ArrowLeft: Math.max(0, at - 1),
    ArrowRight: at + 1,
    ArrowUp: at < columns ? -1 : at - columns,
    // The last row may be short.
    ArrowDown: isInLastRow(at, count, columns) ? at : at + columns,
    Home: 0,
    End: count - 1,
    PageUp: Math.max(at % columns, at - ROWS_PER_PAGE * columns),
    PageDown: at + ROWS_PER_PAGE * columns,
  };
  const target = Object.hasOwn(to, key) ? to[key] : undefined;
  return target === undefined ? null : Math.min(count - 1, target);
}

const ROWS_PER_PAGE = 4;

function isInLastRow(at: number, count: number, columns: number): boolean {
  return Math.floor(at / columns) === Math.floor((count - 1) / columns);
}
