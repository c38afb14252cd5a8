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
