/** What one sees of an element; `at` takes shares of its size and gives red, green and blue, 0..255. */
export async function pixelsOf(element) {
  const picture = (await element.screenshot({ animations: "disabled" })).toString("base64");
  const { width, height, data } = await element.page().evaluate(async (encoded) => {
    const bytes = Uint8Array.from(atob(encoded), (letter) => letter.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const { width, height } = bitmap;
    const copy = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
    copy.drawImage(bitmap, 0, 0);
    const { data } = copy.getImageData(0, 0, width, height);
    // As text: lists of a million numbers take seconds.
    let text = "";
    for (let start = 0; start < data.length; start += 8192) {
      text += String.fromCharCode(...data.subarray(start, start + 8192));
    }
    return { width, height, data: btoa(text) };
  }, picture);
  const bytes = Buffer.from(data, "base64");
  const at = (x, y) => {
    const start = 4 * (Math.min(height - 1, Math.floor(y * height)) * width + Math.min(width - 1, Math.floor(x * width)));
    return [...bytes.subarray(start, start + 3)];
  };
  return { width, height, bytes, at };
}
