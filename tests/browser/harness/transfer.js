/** Pastes files into what has the focus, or drops them on the page: what a test cannot make a browser do. */
export async function giveFiles(page, type, files) {
  const content = files.map(({ name, mimeType, buffer }) => ({
    name,
    mimeType,
    data: buffer.toString("base64"),
  }));
  await page.evaluate(
    ([content, type]) => {
      const transfer = new DataTransfer();
      for (const { name, mimeType, data } of content) {
        const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
        transfer.items.add(new File([bytes], name, { type: mimeType }));
      }
      const about = { bubbles: true, cancelable: true };
      const event =
        type === "paste"
          ? new ClipboardEvent(type, { ...about, clipboardData: transfer })
          : new DragEvent(type, { ...about, dataTransfer: transfer });
      (type === "drop" ? document.body : document.activeElement).dispatchEvent(event);
    },
    [content, type],
  );
}

/** A text as a file that `giveFiles` and `setInputFiles` take. */
export function textFile(name, text, mimeType = "") {
  return { name, mimeType, buffer: Buffer.from(text) };
}
