import { readFileSync } from "node:fs";
/** A PNG with a gradient, drawn by the browser; what `setInputFiles` takes. */
export async function pictureFile(page, name, width = 64, height = 48) {
  const data = await page.evaluate(
    async ([width, height]) => {
      const canvas = new OffscreenCanvas(width, height);
      const context = canvas.getContext("2d");
      const gradient = context.createLinearGradient(0, 0, width, height);
      gradient.addColorStop(0, "#ff8a3c");
      gradient.addColorStop(1, "#3c1f6b");
      context.fillStyle = gradient;
      context.fillRect(0, 0, width, height);
      const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: "image/png" })).arrayBuffer());
      return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
    },
    [width, height],
  );
  return { name, mimeType: "image/png", buffer: Buffer.from(data, "base64") };
}

/** The file that an action leads to. */
export async function download(page, act) {
  const started = page.waitForEvent("download", { timeout: 120_000 });
  await act();
  const file = await started;
  return { name: file.suggestedFilename(), content: readFileSync(await file.path()) };
}

/** The size of a picture and the color of its middle. */
export function colorOf(page, content, type) {
  return page.evaluate(
    async ([data, type]) => {
      const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([bytes], { type }));
      const { width, height } = bitmap;
      const context = new OffscreenCanvas(width, height).getContext("2d");
      context.drawImage(bitmap, 0, 0);
      const [r, g, b] = context.getImageData(Math.floor(width / 2), Math.floor(height / 2), 1, 1).data;
      return { width, height, middle: [r, g, b] };
    },
    [content.toString("base64"), type],
  );
}
