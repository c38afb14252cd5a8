import { scale, type Triple } from "./vector";

/** A linear channel in 0..1 as an sRGB byte (IEC 61966-2-1). What lies outside of the range is cut off. */
export function encodeSrgb(linear: number): number {
  const clamped = Math.min(1, Math.max(0, linear));
  const encoded = clamped <= 0.0031308 ? 12.92 * clamped : 1.055 * clamped ** (1 / 2.4) - 0.055;
  return Math.round(encoded * 255);
}

/** An sRGB byte as a linear channel in 0..1 (IEC 61966-2-1). */
export function decodeSrgb(byte: number): number {
  const encoded = byte / 255;
  return encoded <= 0.04045 ? encoded / 12.92 : ((encoded + 0.055) / 1.055) ** 2.4;
}

/** A linear colour as `#rrggbb` in sRGB, what screens and colour pickers take. */
export function toHex(linear: Triple): string {
  return `#${linear.map((channel) => encodeSrgb(channel).toString(16).padStart(2, "0")).join("")}`;
}

/** The linear colour of `#rrggbb` in sRGB, to four significant digits: a byte holds fewer. */
export function fromHex(hex: string): Triple {
  const bytes = [1, 3, 5].map((start) => Number.parseInt(hex.slice(start, start + 2), 16));
  return bytes.map((byte) => Number(decodeSrgb(byte).toPrecision(4))) as unknown as Triple;
}

/** Light as its strength, the highest channel, and its colour, whose highest channel is 1; white for none. */
export function splitEmission(emission: Triple): { colour: Triple; strength: number } {
  const strength = Math.max(...emission);
  return { colour: strength > 0 ? scale(emission, 1 / strength) : [1, 1, 1], strength };
}

/** Light of a colour, of which only the ratio of the channels counts, and a strength. */
export function joinEmission(colour: Triple, strength: number): Triple {
  const { colour: pure } = splitEmission(colour);
  return pure.map((channel) => Number((channel * strength).toPrecision(6))) as unknown as Triple;
}
