import type { Extent } from "../kinds/extents";
import { add, scale, type Triple } from "./vector";

/** The eight corners; the bits of the index say on which side of the middle each lies. */
export function cornersOf({ center, half }: Extent): Triple[] {
  return Array.from({ length: 8 }, (_, index) =>
    half.reduce((corner, reach, axis) => add(corner, scale(reach, index & (1 << axis) ? 1 : -1)), center),
  );
}

/** Pairs of indices of corners: those that differ in one bit. */
export const EDGES: readonly (readonly [number, number])[] = Array.from(
  { length: 8 },
  (_, index) => index,
).flatMap((index) => [1, 2, 4].filter((bit) => !(index & bit)).map((bit) => [index, index | bit] as const));
