const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 15_000;

/**
 * Wait before connection attempt `attempt` (from 1), in milliseconds: doubling from half a second up to 15
 * seconds, then shortened by up to half so that many pages do not come back in step. `random` is in [0, 1).
 */
export function retryDelayMs(attempt: number, random: number): number {
  const longest = Math.min(FIRST_DELAY_MS * 2 ** (attempt - 1), MAX_DELAY_MS);
  return Math.round(longest * (1 - random / 2));
}
