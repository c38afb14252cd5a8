import type { Properties } from "./scene";
import { add, isTriple, rotatedAxes, scale, type Triple } from "./vector";

/** What kinds of pattern this page draws; see `scene`'s `document/texture/pattern.rs`. */
export const PATTERN_TYPES = [
  "checker",
  "stripes",
  "gradient",
  "noise",
  "brick",
  "wood",
  "marble",
  "image",
] as const;
export type PatternType = (typeof PATTERN_TYPES)[number];

/** The coordinates a pattern is defined in. */
export type Mapping = "object" | "world" | "box" | "uv" | "round";

/** Two colours that a pattern mixes over a surface. */
export interface Pattern {
  type: PatternType;
  /** Of noise, what it looks like; of an image, which channel is taken; of others "". */
  kind: string;
  /** Linear sRGB; a texture between textures is drawn with their mean. */
  first: Triple;
  second: Triple;
  /** Up to four numbers of the type, in the order of `NUMBERS`. */
  numbers: readonly number[];
  mapping: Mapping;
  /** Rows of the matrix from the mapping's coordinates, less `offset`, to those of the pattern. */
  rows: readonly [Triple, Triple, Triple];
  offset: Triple;
  /** Of an image, what it is named by, and what lies beyond its edges. */
  image: { asset: string; wrap: string } | null;
}

/** Whether it takes a processor long to draw. */
export function isCostly({ type }: Pattern): boolean {
  return type === "noise" || type === "wood" || type === "marble";
}

/** The numbers of each type, with what they are when they are left out. */
const NUMBERS: Readonly<Record<PatternType, readonly (readonly [string, number])[]>> = {
  checker: [],
  stripes: [
    ["width", 0.5],
    ["softness", 0],
  ],
  gradient: [],
  noise: [
    ["octaves", 4],
    ["contrast", 0],
  ],
  brick: [
    ["mortar", 0.01],
    ["shift", 0.5],
    ["variation", 0.25],
  ],
  wood: [
    ["ring", 0.02],
    ["turbulence", 0.5],
    ["grain", 0.4],
  ],
  marble: [
    ["turbulence", 0.5],
    ["veins", 0.4],
  ],
  image: [],
};
const MAPPINGS: readonly unknown[] = ["object", "world", "box", "uv", "round"];
const DEFAULT_MAPPING: Readonly<Partial<Record<PatternType, Mapping>>> = {
  gradient: "uv",
  image: "uv",
  brick: "box",
};
const BRICK_SIZE: readonly [number, number] = [0.25, 0.075];

/** The pattern of a colour; null where it is the same everywhere, or of a type that is newer than this page. */
export function patternOf(value: unknown, strength = 1): Pattern | null {
  const texture = asProperties(value);
  const type = PATTERN_TYPES.find((each) => each === texture.type);
  if (type === undefined) return null;
  const { mapping, offset, rotation, asset, wrap, kind, channel, size } = texture;
  if (type === "image" && typeof asset !== "string") return null;
  const mix = textureDefaults(type);
  const numbers = NUMBERS[type].map(([name, otherwise]) => numberOf(texture[name], otherwise));
  const tile = isPair(size) ? size : BRICK_SIZE;
  return {
    type,
    kind: String((type === "noise" ? (kind ?? "perlin") : type === "image" ? channel : null) ?? ""),
    first: scale(colourOf(texture.first, mix.first), strength),
    second: scale(colourOf(texture.second, mix.second), strength),
    numbers:
      type === "brick"
        ? brickNumbers(numbers, tile)
        : type === "wood"
          ? [...numbers, texture.log === true ? 1 : 0]
          : numbers,
    mapping: MAPPINGS.includes(mapping) ? (mapping as Mapping) : (DEFAULT_MAPPING[type] ?? "object"),
    rows: rowsOf(texture.scale, rotation, type === "brick" ? tile[0] : 1),
    offset: isTriple(offset) ? offset : [0, 0, 0],
    image: type === "image" ? { asset: String(asset), wrap: String(wrap ?? "repeat") } : null,
  };
}

/** Lengths are in widths of a brick; its height comes last. */
function brickNumbers(
  [mortar = 0, ...others]: readonly number[],
  [width, height]: readonly [number, number],
) {
  return [mortar / width, ...others, height / width];
}

/** Scaled, then turned, then moved: this is the way back, without the move. Lengths come out in units of `unit`. */
function rowsOf(size: unknown, rotation: unknown, unit: number): Pattern["rows"] {
  const factors = isTriple(size)
    ? size
    : typeof size === "number"
      ? ([size, size, size] as const)
      : [1, 1, 1];
  const axes = rotatedAxes(isTriple(rotation) ? rotation : [0, 0, 0]);
  return axes.map((axis, at) => scale(axis, 1 / ((factors[at] ?? 1) * unit))) as unknown as Pattern["rows"];
}

function isPair(value: unknown): value is [number, number] {
  return Array.isArray(value) && value.length === 2 && value.every((each) => typeof each === "number");
}

export function asProperties(value: unknown): Properties {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Properties) : {};
}

/** Of a texture the mean of what it mixes. */
export function numberOf(value: unknown, otherwise: number): number {
  if (typeof value === "number" && Number.isFinite(value)) return value;
  const { first, second } = asProperties(value);
  return first === undefined && second === undefined
    ? otherwise
    : 0.5 * (numberOf(first, otherwise) + numberOf(second, otherwise));
}

/** Of a texture about the mean of what it mixes. */
export function colourOf(value: unknown, otherwise: Triple = GREY): Triple {
  if (isTriple(value)) return value;
  const { type, first, second } = asProperties(value);
  if (typeof type !== "string") return otherwise;
  const mix = textureDefaults(type);
  return add(
    scale(colourOf(first, mix.first), 1 - mix.share),
    scale(colourOf(second, mix.second), mix.share),
  );
}

const GREY: Triple = [0.5, 0.5, 0.5];

interface TextureDefaults {
  first: Triple;
  second: Triple;
  /** How much of the surface is the second, about. */
  share: number;
}

/** What a texture mixes that does not say, and how much of which. */
export function textureDefaults(type: string): TextureDefaults {
  return TEXTURE_DEFAULTS[type] ?? { first: [0, 0, 0], second: [1, 1, 1], share: 0.5 };
}

const TWO_TONE: TextureDefaults = { first: [0.8, 0.8, 0.8], second: [0.05, 0.05, 0.05], share: 0.5 };
/** The server's own defaults. */
const TEXTURE_DEFAULTS: Readonly<Record<string, TextureDefaults>> = {
  checker: TWO_TONE,
  stripes: TWO_TONE,
  brick: { first: [0.36, 0.1, 0.06], second: [0.55, 0.52, 0.47], share: 0.2 },
  wood: { first: [0.45, 0.25, 0.11], second: [0.2, 0.088, 0.03], share: 0.4 },
  marble: { first: [0.85, 0.84, 0.82], second: [0.16, 0.17, 0.19], share: 0.15 },
};
