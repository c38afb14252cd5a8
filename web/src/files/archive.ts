/** Packs files into a ZIP archive as they are, piece by piece: the page stays responsive. */
export async function archiveOf(files: readonly File[], name: string): Promise<File> {
  const { Zip, ZipPassThrough } = await import("three/addons/libs/fflate.module.js");
  const pieces: BlobPart[] = [];
  const archive = new Zip((error: Error | null, piece: Uint8Array) => {
    if (error !== null) throw error;
    pieces.push(piece as Uint8Array<ArrayBuffer>);
  });
  for (const file of files) {
    const entry = new ZipPassThrough(file.name);
    archive.add(entry);
    const reader = file.stream().getReader();
    for (let read = await reader.read(); !read.done; read = await reader.read()) entry.push(read.value);
    entry.push(new Uint8Array(0), true);
  }
  archive.end();
  return new File(pieces, name, { type: "application/zip" });
}
