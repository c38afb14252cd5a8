import { FloatType } from "three";

/** Linear RGBA, the lowest row first. */
export interface Pixels {
  width: number;
  height: number;
  data: Float32Array;
}

/** Wider ones are made smaller: it is a background. */
const MAX_WIDTH = 2048;

/** Reads a picture of the formats that the server takes. */
export async function readPixels(file: ArrayBuffer): Promise<Pixels> {
  const pixels = await decode(file);
  if (!(pixels.width > 0 && pixels.height > 0)) throw new Error("it has no pixels");
  return shrunk(pixels);
}

async function decode(file: ArrayBuffer): Promise<Pixels> {
  const start = new Uint8Array(file, 0, Math.min(4, file.byteLength));
  if (start[0] === 0x23 && start[1] === 0x3f) {
    const { HDRLoader } = await import("three/addons/loaders/HDRLoader.js");
    const { width = 0, height = 0, data } = new HDRLoader().setDataType(FloatType).parse(file);
    return flipped({ width, height, data: data as Float32Array });
  }
  if (start[0] === 0x76 && start[1] === 0x2f && start[2] === 0x31 && start[3] === 0x01) {
    const { EXRLoader } = await import("three/addons/loaders/EXRLoader.js");
    const { width = 0, height = 0, data } = new EXRLoader().setDataType(FloatType).parse(file);
    return { width, height, data: data as Float32Array };
  }
  return ofBitmap(await createImageBitmap(new Blob([file])));
}

function ofBitmap(bitmap: ImageBitmap): Pixels {
  const share = Math.min(1, MAX_WIDTH / bitmap.width);
  const [width, height] = [bitmap.width, bitmap.height].map((size) => Math.max(1, Math.round(size * share)));
  const canvas = new OffscreenCanvas(width ?? 1, height ?? 1);
  const context = canvas.getContext("2d");
  if (context === null) throw new Error("there is no canvas to read it with");
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  const bytes = context.getImageData(0, 0, canvas.width, canvas.height).data;
  const linear = Float32Array.from({ length: 256 }, (_, byte) => linearOf(byte / 255));
  const data = Float32Array.from(bytes, (byte, at) => (at % 4 === 3 ? 1 : (linear[byte] ?? 0)));
  return flipped({ width: canvas.width, height: canvas.height, data });
}

/** Decodes sRGB. */
function linearOf(encoded: number): number {
  return encoded <= 0.04045 ? encoded / 12.92 : ((encoded + 0.055) / 1.055) ** 2.4;
}

function flipped({ width, height, data }: Pixels): Pixels {
  const turned = new Float32Array(data.length);
  for (let row = 0; row < height; row += 1) {
    turned.set(data.subarray(4 * row * width, 4 * (row + 1) * width), 4 * (height - 1 - row) * width);
  }
  return { width, height, data: turned };
}

/** Means of squares of pixels, until it is small enough. */
function shrunk(pixels: Pixels): Pixels {
  const by = Math.ceil(pixels.width / MAX_WIDTH);
  if (by <= 1) return pixels;
  const [width, height] = [Math.floor(pixels.width / by), Math.max(1, Math.floor(pixels.height / by))];
  const data = new Float32Array(4 * width * height);
  for (let row = 0; row < height * by && row < pixels.height; row += 1) {
    for (let column = 0; column < width * by; column += 1) {
      const from = 4 * (row * pixels.width + column);
      const to = 4 * (Math.floor(row / by) * width + Math.floor(column / by));
      for (let channel = 0; channel < 4; channel += 1) {
        data[to + channel] = (data[to + channel] ?? 0) + (pixels.data[from + channel] ?? 0) / (by * by);
      }
    }
  }
  return { width, height, data };
}
