/** Where the sheet of a narrow page stops: the shares of its height that the picture takes. As in the styles. */
export const SHEET_STOPS = [0.3, 0.68, 0.8] as const;
export const DEFAULT_STOP = 1;

/** The stop nearest to a share of the height. */
export function nearestStop(share: number): number {
  const distances = SHEET_STOPS.map((stop) => Math.abs(stop - share));
  return distances.indexOf(Math.min(...distances));
}
